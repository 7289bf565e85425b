"""In: logs of training runs. Out: a picture of what they make of held out samples over their tokens.

    python benchmarks/curves.py OUT.png --run "with a teacher=taught.jsonl" --run "without=alone.jsonl" \
        --show "tokens_right=tokens right, given what comes before" --show "bits_per_byte=bits a byte" \
        --line "the teacher=0.997,0.005"

What is shown is a field of the logs; what spans a factor of ten has a logarithmic axis. A line is a model that is not
trained here, by its value of each.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.measure.report.drawing import COLOURS, GREY, MARKERS, logarithmic, new_figure, plain, save_figure


def main(
    out: Path,
    run: Annotated[list[str], typer.Option()],
    show: Annotated[list[str], typer.Option()],
    line: Annotated[list[str] | None, typer.Option()] = None,
) -> None:
    figure = new_figure(figsize=(4.5 * len(show), 3.6), layout="constrained")
    for number, (axes, said) in enumerate(zip(figure.subplots(1, len(show), squeeze=False)[0], show, strict=True)):
        _draw(axes, said, number, run, line or [])
    save_figure(figure, out)


def _draw(axes: Any, shown: str, number: int, runs: list[str], lines: list[str]) -> None:
    name, _, title = shown.partition("=")
    values = list[float]()
    for colour, marker, said in zip(COLOURS, MARKERS, runs, strict=False):
        label, _, file = said.partition("=")
        found = [each for each in map(json.loads, Path(file).read_text().splitlines()) if name in each]
        axes.plot(
            [each.get("tokens", 0) / 1000 for each in found],
            [each[name] for each in found],
            color=colour,
            marker=marker,
            label=label,
        )
        values += [each[name] for each in found]
    for said in lines:
        label, _, levels = said.partition("=")
        axes.axhline(float(levels.split(",")[number]), color=GREY, linestyle="--", label=label)
    if min(values) > 0 and max(values) > 10 * min(values):
        logarithmic(axes, "y")
    axes.set(title=title or name, xlabel="thousand tokens of training")
    axes.legend(frameon=False, fontsize=9)
    plain(axes)


if __name__ == "__main__":
    sys.exit(typer.run(main))
