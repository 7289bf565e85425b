"""In: the cases of an evaluation set, and systems. Out: a record for each pair; tables, pictures and a page of them."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import options, sets
from redraft.cli.lines import write_lines
from redraft.cli.measure_next import measure_next
from redraft.cli.score import score
from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome, outcomes, read_outcomes, sampled
from redraft.measure.accuracy.systems import read_prices, read_systems
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.named import WITH_TEXTS, EvaluationSet, read_set

evaluate = typer.Typer(no_args_is_help=True, help="Measure accuracy and speed on real edits.")
evaluate.command()(sets.fetch)
evaluate.command()(sets.repositories)
evaluate.command()(score)
evaluate.command("next")(measure_next)

Records = Annotated[list[Path], typer.Argument(metavar="RECORDS.jsonl", help="As `redraft eval run` writes them.")]


@evaluate.command()
def run(
    out: Annotated[
        Path, typer.Option("--out", metavar="RECORDS.jsonl", help="A record a line; what it holds is not run again.")
    ],
    set_name: Annotated[
        str | None, typer.Option("--set", metavar="NAME", help=f"{', '.join(WITH_TEXTS)}, or one that was fetched.")
    ] = None,
    cases_path: Annotated[
        Path | None, typer.Option("--cases", metavar="CASES.jsonl", help="Cases of your own instead of a set.")
    ] = None,
    systems: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            help="Engines, with +model, +auto, +vanilla, +search-replace, +full, +selected behind them, and merge; for "
            "the sets of calls repair. NAME=ENGINE gives one a name.",
        ),
    ] = "embedded,embedded+model,merge",
    sample: Annotated[int | None, typer.Option(min=1, help="Only so many of the cases, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(help="Decides which cases a sample holds.")] = 0,
    bits: Annotated[bool, typer.Option("--bits", help="Measure bits per byte, too: one more forward an edit.")] = False,
    price: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC=IN/OUT", help="Dollars for a million tokens read and written, by engine."),
    ] = None,
    dtype: options.Dtype = None,
) -> int:
    """Apply each case by each system and grade what comes out; a table at the end.

    The key of an openai: endpoint is read from OPENAI_API_KEY. Run again with the same --out it goes on where it was.
    """
    from redraft.measure.report.table import markdown
    from redraft.measure.report.tables import summary

    found = _cases(set_name, cases_path)
    if found.missing:
        left = ", ".join(found.missing[:3]) + (", ..." if len(found.missing) > 3 else "")
        print(f"{len(found.missing)} cases of {found.name} are missing: {left}; fetch it again", file=sys.stderr)
    chosen = sampled(found.cases, sample, seed)
    tested = read_systems(systems, dtype, read_prices(price or ()))
    done = {(kept.id, kept.system) for kept in _kept(out)}
    total = len({(case.id, system.name) for case in chosen for system in tested} - done)
    write_lines(out, map(asdict, outcomes(chosen, tested, done, found.name, bits)), "edits", total, append=True)
    print(markdown(summary(read_outcomes(out, []))), end="")
    return 0


@evaluate.command()
def report(
    records: Records,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="For index.html, tables.md and the pictures.")],
    cases_path: Annotated[
        Path | None, typer.Option("--cases", metavar="CASES.jsonl", help="The cases, where they are of no set.")
    ] = None,
) -> int:
    """Write a page with tables, pictures and all failures, the tables and pictures alone, and records without texts."""
    from redraft.measure.report.write import PAGE, report

    found = [outcome for path in records for outcome in _read(path)]
    report(found, _texts(found, cases_path), out)
    print(f"written to {out / PAGE}", file=sys.stderr)
    return 0


def _cases(set_name: str | None, cases_path: Path | None) -> EvaluationSet:
    if set_name is not None and cases_path is None:
        return read_set(set_name)
    if set_name is None and cases_path is not None:
        return EvaluationSet(cases_path.stem, read_cases(cases_path))
    raise typer.BadParameter("name a --set, or --cases of your own")


def _kept(out: Path) -> list[Outcome]:
    """The records that are there; the others' cases are run again, and a record that was cut off is taken away."""
    if not out.exists():
        return []
    if jsonl.drop_torn(out):
        print(f"{out}: the last record was cut off; its case is run again", file=sys.stderr)
    return _read(out)


def _read(source: Path) -> list[Outcome]:
    """The records that can be read; the others are named."""
    unread: list[str] = []
    found = read_outcomes(source, unread)
    for failure in unread:
        print(f"left out: {failure}", file=sys.stderr)
    return found


def _texts(found: Sequence[Outcome], cases_path: Path | None) -> dict[str, Case]:
    """The cases of outcomes by id, as far as they are at hand."""
    if cases_path is not None:
        return {case.id: case for case in read_cases(cases_path)}
    texts: dict[str, Case] = {}
    for name in sorted({outcome.set for outcome in found}):
        try:
            texts |= {case.id: case for case in read_set(name).cases}
        except RedraftError as error:
            print(f"the page will not show the files: {error}", file=sys.stderr)
    return texts
