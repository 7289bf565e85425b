"""In: records of answers, by set. Out: a picture of what is silently wrong over what is right, by confidence.

    python benchmarks/choice/risk.py benchmarks/choice/own/unread.jsonl OUT.png --of "r, s, t=300" --of "y=80"

A record has `set`, `right`, `status` and `confidence`; each point is what is written from one confidence on.
"""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.edit.guard.check import WRITTEN
from redraft.measure.report.drawing import COLOURS, new_figure, plain, save_figure


def main(records: Path, out: Path, of: Annotated[list[str], typer.Option(metavar="SET=COUNT")]) -> None:
    found = [json.loads(line) for line in records.read_text().splitlines()]
    figure = new_figure(figsize=(5.5, 3.8), layout="constrained")
    axes = figure.subplots()
    for colour, said in zip(COLOURS, of, strict=False):
        name, _, count = said.rpartition("=")
        written = [each for each in found if each["set"] == name and each["status"] in WRITTEN]
        right, wrong = points(written, int(count))
        axes.plot(right, wrong, color=colour, marker=".", markersize=4, label=f"{name}, {count} answers")
    axes.set(xlabel="right, % of all answers", ylabel="silently wrong, % of all answers", xlim=(0, 100), ylim=(0, 4))
    axes.legend(frameon=False, fontsize=9)
    plain(axes)
    save_figure(figure, out)


def points(written: list[dict[str, Any]], count: int) -> tuple[list[float], list[float]]:
    right, wrong = [0.0], [0.0]
    for least in sorted({each["confidence"] for each in written}, reverse=True):
        sure = [each["right"] for each in written if each["confidence"] >= least]
        right.append(100 * sum(sure) / count)
        wrong.append(100 * (len(sure) - sum(sure)) / count)
    return right, wrong


if __name__ == "__main__":
    sys.exit(typer.run(main))
