"""In: a manifest of cases (hashes, no code) and local git clones. Out: the cases with their texts."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from redraft.bench.cases import read_cases
from redraft.cli import options
from redraft.cli.lines import write_lines
from redraft.data.clones import find_clones
from redraft.edit.decide import Ground
from redraft.errors import RedraftError
from redraft.evals import calibration, cases, corruption
from redraft.evals.outcome import outcomes, read_outcomes
from redraft.evals.summary import summary
from redraft.evals.systems import read_systems

evaluate = typer.Typer(no_args_is_help=True, help="Measure accuracy on real edits.")

Manifest = Annotated[
    Path, typer.Argument(metavar="MANIFEST", help="Cases by their hashes.", show_default="the development set")
]

CasesPath = Annotated[
    Path, typer.Option("--cases", metavar="CASES.jsonl", help="Edits as `redraft batch` reads them, with `expected`.")
]


@evaluate.command()
def materialise(
    clones: options.Clones,
    out: Annotated[Path, typer.Option("--out", metavar="CASES.jsonl", help="Input lines of `redraft batch`.")],
    manifest: Manifest = cases.DEVELOPMENT,
) -> int:
    """Write the cases of a manifest with their texts, read from git clones.

    To get the clones into the folder DIR:

    redraft eval repositories | xargs -I% git clone --bare https://github.com/% DIR/%
    """
    chosen = cases.read_manifest(manifest)
    find_clones(clones)
    failures: list[str] = []
    write_lines(out, _tasks(chosen, clones, failures), "cases", len(chosen))
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"{len(chosen) - len(failures)} of {len(chosen)} cases written to {out}", file=sys.stderr)
    return 1 if failures else 0


@evaluate.command("repositories")
def show_repositories(manifest: Manifest = cases.DEVELOPMENT) -> int:
    """Print the repositories that a manifest needs, owner/name, a line each."""
    for name in cases.repositories(cases.read_manifest(manifest)):
        print(name)
    return 0


@evaluate.command()
def run(
    cases_path: CasesPath,
    out: Annotated[
        Path, typer.Option("--out", metavar="RECORDS.jsonl", help="A record a line; what it holds is not run again.")
    ],
    systems: Annotated[
        str, typer.Option(metavar="A,B,...", help="Engines, with +model or +vanilla behind them, and merge.")
    ] = "embedded,embedded+model,merge",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first cases.")] = None,
    dtype: options.Dtype = None,
) -> int:
    """Apply each case by each system, and compare with what is expected; a table at the end."""
    chosen = read_cases(cases_path)[:limit]
    tested = read_systems(systems, dtype)
    done = {(found.id, found.system) for found in read_outcomes(out)} if out.exists() else set()
    total = len({(case.id, system.name) for case in chosen for system in tested} - done)
    write_lines(out, map(asdict, outcomes(chosen, tested, done)), "edits", total, append=True)
    for line in summary(read_outcomes(out)):
        print(line)
    return 0


@evaluate.command()
def calibrate(
    records: Annotated[Path, typer.Argument(metavar="RECORDS.jsonl", help="As `redraft eval run` writes them.")],
    manifest: Annotated[Path, typer.Option("--manifest", metavar="MANIFEST", help="The cases, with repositories.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="JSON", help="Write the confidence of each ground.")
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="PNG", help="Draw the calibration curve.")] = None,
) -> int:
    """Find how sure each ground of a decision is by half of the repositories, and report the other half."""
    repositories = {case.id: case.repository for case in cases.read_manifest(manifest)}
    first, second = calibration.halves(read_outcomes(records), repositories)
    known, held = calibration.shares(first), calibration.shares(second)
    confidence = calibration.confidences(known, get_args(Ground))
    for line in calibration.table(known, held, confidence):
        print(line)
    for name in sorted({found.system for found in second}):
        sure = calibration.above((found for found in second if found.system == name), confidence)
        print(f"\n{name}: of the results in the other half that are surer than {calibration.SURE}, {sure} are right")
    if plot is not None:
        calibration.draw(plot, held, confidence)
    if out is not None:
        calibration.write(out, confidence)
    return 0


@evaluate.command()
def guards(
    cases_path: CasesPath,
    count: Annotated[int, typer.Option(min=1, help="How many damaged outputs.")] = 500,
    seed: Annotated[int, typer.Option(help="Decides what is damaged.")] = 0,
) -> int:
    """Damage right outputs far from the edit, and count what the guards refuse of these and of the right ones."""
    chosen = read_cases(cases_path)
    found = corruption.judge(chain(corruption.right(chosen), corruption.damaged(chosen, count, seed)))
    print("| output | count | refused | judged wrongly, for example |")
    print("|---|---|---|---|")
    for verdicts in found:
        share = f"{verdicts.refused} ({100 * verdicts.refused / verdicts.count:.1f}%)"
        print(f"| {verdicts.kind} | {verdicts.count} | {share} | {', '.join(verdicts.missed)} |")
    return 0


def _tasks(chosen: Sequence[cases.Case], clones: Path, failures: list[str]) -> Iterator[dict[str, Any]]:
    """The tasks; the reasons of those that cannot be made are added to `failures`."""
    for case in chosen:
        try:
            yield from map(asdict, cases.materialise([case], clones))
        except RedraftError as error:
            failures.append(str(error))
