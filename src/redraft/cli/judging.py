"""In: records of an evaluation, and a model at an endpoint. Out: its verdicts, and how far they agree with grades."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from redraft.engines.endpoint import Endpoint
from redraft.measure.accuracy.outcome import read_outcomes
from redraft.measure.cases import read_cases
from redraft.measure.judging import curated
from redraft.measure.judging.agreement import with_graders
from redraft.measure.judging.judge import Judge, Question, questions
from redraft.measure.judging.verdict import Verdicts
from redraft.measure.sets.named import read_set


def judge(
    out: Annotated[
        Path,
        typer.Option("--out", metavar="VERDICTS.jsonl", help="A verdict a line; what it holds is not asked again."),
    ],
    endpoint: Annotated[str, typer.Option(metavar="URL", help="OpenAI-compatible: http://localhost:8000/v1.")],
    model: Annotated[str, typer.Option(metavar="NAME", help="The model that judges.")],
    records: Annotated[
        Path | None, typer.Argument(metavar="RECORDS.jsonl", help="As `redraft eval run` writes them.")
    ] = None,
    hand: Annotated[
        bool, typer.Option("--curated", help="Judge the 40 outputs that were rated by hand, instead of records.")
    ] = False,
    cases_path: Annotated[
        Path | None, typer.Option("--cases", metavar="CASES.jsonl", help="The cases, where they are of no set.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides in which order outputs are shown.")] = 0,
    parallel: Annotated[int, typer.Option(min=1, help="Questions at a time.")] = 4,
    key: Annotated[str, typer.Option(metavar="NAME", help="The environment variable of the key.")] = "OPENAI_API_KEY",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds without a byte of the answer.")] = 120.0,
) -> int:
    """Have a model rate outputs from 1 to 5 by written guidelines, and count how far it agrees with the exact grader.

    It sees the file, the edit and the different outputs in random order, not the expected file. Exits with 1 where
    outputs are left without a verdict.
    """
    if (records is None) != hand:
        raise typer.BadParameter("name RECORDS.jsonl, or --curated")
    verdicts = Verdicts(out)
    rater = Judge(Endpoint(endpoint, model, os.environ.get(key, ""), timeout), verdicts, seed)
    if records is None:
        known = curated.read_curated()
        asked = curated.questions(known)
        failures = _ask(rater, asked, parallel)
        lines = [*curated.agreement(known, list(verdicts))]
    else:
        outcomes = read_outcomes(records)
        names = sorted({outcome.set for outcome in outcomes})
        cases = read_cases(cases_path) if cases_path else [case for name in names for case in read_set(name).cases]
        asked = questions(cases, outcomes)
        failures = _ask(rater, asked, parallel)
        lines = [*with_graders(outcomes, list(verdicts))]
    for line in lines:
        print(line)
    return 1 if failures else 0


def _ask(rater: Judge, asked: Sequence[Question], parallel: int) -> int:
    """Asks all, and names what has no verdict; returns how many questions that are."""
    console = Console(stderr=True)
    rated = rater.rate(asked, parallel)
    failures = [
        failure
        for failure in track(rated, "edits", total=len(asked), console=console, disable=not console.is_terminal)
        if failure
    ]
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"{len(asked) - len(failures)} of {len(asked)} edits judged", file=sys.stderr)
    return len(failures)
