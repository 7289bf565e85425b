"""In: logs of training runs. Out: a picture of what they make of held out samples over their tokens.

    python benchmarks/distill/curve.py OUT.png --run "with a teacher=taught.jsonl" --run "without=alone.jsonl" \
        --line "the teacher=0.997,0.005"

A line is a model that is not trained here: its share of tokens right, its bits a byte.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.measure.report.drawing import COLOURS, GREY, MARKERS, logarithmic, new_figure, plain, save_figure

_SHOWN = {"tokens_right": "tokens right, given what comes before", "bits_per_byte": "bits a byte"}


def main(out: Path, run: Annotated[list[str], typer.Option()], line: Annotated[list[str], typer.Option()]) -> None:
    figure = new_figure(figsize=(9.0, 3.6), layout="constrained")
    for number, (axes, name) in enumerate(zip(figure.subplots(1, 2), _SHOWN, strict=True)):
        _draw(axes, name, number, run, line)
    save_figure(figure, out)


def _draw(axes: Any, name: str, number: int, runs: list[str], lines: list[str]) -> None:
    for colour, marker, said in zip(COLOURS, MARKERS, runs, strict=False):
        label, _, file = said.partition("=")
        found = [each for each in map(json.loads, Path(file).read_text().splitlines()) if name in each]
        tokens = [each.get("tokens", 0) / 1000 for each in found]
        axes.plot(tokens, [each[name] for each in found], color=colour, marker=marker, label=label)
    for said in lines:
        label, _, values = said.partition("=")
        axes.axhline(float(values.split(",")[number]), color=GREY, linestyle="--", label=label)
    if name == "bits_per_byte":
        logarithmic(axes, "y")
    axes.set(title=_SHOWN[name], xlabel="thousand tokens of training")
    axes.legend(frameon=False, fontsize=9)
    plain(axes)


if __name__ == "__main__":
    sys.exit(typer.run(main))
