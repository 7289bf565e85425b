"""In: an output in runs of one origin each. Out: a PNG of its text, coloured by how each token came to be."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from redraft.draft import Origin
from redraft.measure.report.drawing import new_figure, save_figure

COLOURS: dict[Origin, str] = {
    "prediction": "#8fd19e",
    "original": "#9ec9f0",
    "update": "#f6d365",
    "output": "#cdb4f0",
    "model": "#f29c9c",
}
_MEANING: dict[Origin, str] = {
    "prediction": "drafted: sketch merged into the file",
    "original": "drafted: the file",
    "update": "drafted: the sketch",
    "output": "drafted: the output so far",
    "model": "the model's own",
}
_POINTS = 8.0
_CHARACTER, _LINE = 0.6021 * _POINTS / 72, 1.3 * _POINTS / 72
_LINES_A_COLUMN, _WIDEST, _GAP, _LEAST_WIDTH = 80, 110, 3, 7.0


def draw(path: Path, runs: Sequence[tuple[Origin, str]], title: str, tokens: Mapping[Origin, int]) -> None:
    """Raises RedraftError without matplotlib, or where the picture cannot be written."""
    lines = list(_lines(runs))
    columns = -(-len(lines) // _LINES_A_COLUMN)
    rows = -(-len(lines) // columns)
    width = min(max(sum(len(text) for _, text in line) for line in lines), _WIDEST) + _GAP
    figure = new_figure(figsize=(max(columns * width * _CHARACTER, _LEAST_WIDTH), (rows + 6) * _LINE))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-1, figure.get_figwidth() / _CHARACTER - 1)
    axes.set_ylim(rows + 1, -5)
    axes.text(0, -3.6, title, fontsize=_POINTS + 3, weight="bold", parse_math=False)
    _legend(axes, tokens)
    for number, line in enumerate(lines):
        _line(axes, line, (number // rows) * width, number % rows)
    save_figure(figure, path, dpi=150)


def _lines(runs: Sequence[tuple[Origin, str]]) -> Iterator[list[tuple[Origin, str]]]:
    """The text in lines, each in its runs."""
    line: list[tuple[Origin, str]] = []
    for origin, text in runs:
        first, *others = text.expandtabs(4).split("\n")
        line.append((origin, first))
        for other in others:
            yield line
            line = [(origin, other)]
    yield line


def _line(axes: Any, line: Sequence[tuple[Origin, str]], x: float, y: float) -> None:
    start = 0
    for origin, text in line:
        shown = text[: max(_WIDEST - start, 0)]
        axes.fill_between((x + start, x + start + len(shown)), y, y + 1, color=COLOURS[origin], linewidth=0)
        start += len(shown)
    text = "".join(text for _, text in line)[:_WIDEST]
    axes.text(x, y + 0.78, text, fontsize=_POINTS, family="monospace", parse_math=False)


def _legend(axes: Any, tokens: Mapping[Origin, int]) -> None:
    x = 0.0
    for origin, count in sorted(tokens.items(), key=lambda item: -item[1]):
        label = f" {_MEANING[origin]}: {count:,} tokens "
        axes.fill_between((x, x + len(label)), -2.4, -1.2, color=COLOURS[origin], linewidth=0)
        axes.text(x, -1.5, label, fontsize=_POINTS, family="monospace", parse_math=False)
        x += len(label) + 1
