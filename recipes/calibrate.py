"""In: records of answers by chat models. Out: weights by which decisions say how sure they are; how that holds.

    python recipes/calibrate.py RECORDS.jsonl... --set MANIFEST.jsonl... [--unread RECORDS.jsonl...] [--out JSON]

`--help` tells the rest. Records are those of `redraft eval run`; src/redraft/edit/confidence.json is what this writes.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import confidence
import curves
import typer
from boosted import written
from confidence import MERGE, Calibrated, Records

from redraft.edit.jsonl import parse, read_lines
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome, read_outcomes
from redraft.measure.accuracy.share import Share
from redraft.measure.cases import read_cases
from redraft.measure.sets import manifests

Unread = Annotated[
    list[Path] | None,
    typer.Option(
        "--unread",
        metavar="RECORDS.jsonl",
        help="Records of answers that nobody had read when they were made; repeatable.",
    ),
]


def calibrate(
    records: Annotated[
        list[Path],
        typer.Argument(metavar="RECORDS.jsonl", help="Of `eval run` with the system merge."),
    ],
    sets: Annotated[
        list[Path],
        typer.Option("--set", metavar="MANIFEST", help="The answers, or cases, that there are records of; repeatable."),
    ],
    unread: Unread = None,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules",
            metavar="RECORDS.jsonl",
            help="Records of sketches by rules, to know what a bare sketch is worth.",
        ),
    ] = None,
    tidy: Annotated[
        float, typer.Option(min=0, max=1, help="The share of tidy answers that may be written and wrong.")
    ] = 0.02,
    careless: Annotated[float, typer.Option(min=0, max=1, help="The same of careless ones.")] = 0.05,
    out: Annotated[Path | None, typer.Option("--out", metavar="JSON", help="Write weights and thresholds.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PNG", help="Draw the reliability diagram and the curve of risk.")
    ] = None,
) -> int:
    """Fit how sure each decision is on answers that were really written, and show how that holds on others.

    What is shown of an answer comes from a fit that has seen no answer of its repository; of unread ones, where there
    are any: a reader is right more often on answers that it was developed on.
    """
    repositories = {case: name for path in sets for case, name in _groups(path)}
    answers = confidence.Records(_outcomes(records), _outcomes(unread or []), repositories)
    sketches = read_outcomes(rules) if rules else []
    merge = confidence.by_reading(answers, sketches)
    thresholds = confidence.thresholds(answers, merge, confidence.Silent(tidy, careless))
    if sketches:
        thresholds["bare"] = min(thresholds["merge"], confidence.least_bare(merge, sketches))
    _show(answers, merge, thresholds, plot)
    if out is not None:
        _write(out, thresholds, {MERGE: merge.trees})
    return 0


def _outcomes(paths: list[Path]) -> list[Outcome]:
    return [outcome for path in paths for outcome in read_outcomes(path)]


def _show(answers: Records, merge: Calibrated, thresholds: Mapping[str, float], plot: Path | None) -> None:
    groups = {MERGE: merge.judged}
    counts = {MERGE: sum(each.system == MERGE for each in answers.judged)}
    for line in (*_said(merge, thresholds), "", *curves.reliability(groups), "", *curves.risks(groups, counts)):
        print(line)
    if plot is not None:
        curves.draw(plot, groups, counts)


def _groups(path: Path) -> Iterator[tuple[str, str]]:
    lines = read_lines(path)
    if lines and "original" in parse(lines[0][1]):
        return ((case.id, case.id) for case in read_cases(path))
    return ((case.id, case.repository) for case in manifests.read(path))


def _said(merge: Calibrated, thresholds: Mapping[str, float]) -> Iterator[str]:
    yield f"{MERGE}: {', '.join(f'{name} {gain:.3g}' for name, gain in merge.gains.items())}"
    yield f"thresholds: {', '.join(f'{name} {value:g}' for name, value in thresholds.items())}"
    for least in (thresholds["sure"], 0.9):
        sure = Share.of(each.right for each in merge.judged if each.chance >= least)
        yield f"merge: from a confidence of {least:g} on {sure} are right"


def _write(path: Path, thresholds: Mapping[str, float], found: Mapping[str, object]) -> None:
    """What was not fitted stays as the file has it."""
    try:
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        known["thresholds"] = known.get("thresholds", {}) | dict(thresholds)
        path.write_text(_dumped(known | dict(found)), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot write {path}: {error}") from error


def _dumped(known: Mapping[str, object]) -> str:
    """Trees a line each, weights and thresholds too."""
    parts = (
        f'"{name}": {written(value) if isinstance(value, list) else json.dumps(value, indent=1)}'
        for name, value in known.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    typer.run(calibrate)
