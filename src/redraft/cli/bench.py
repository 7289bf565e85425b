"""In: cases with what is expected. Out: records of speed and exactness, tables of them, and counts of forwards."""

import json
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from statistics import mean, median
from typing import Annotated

import typer

from redraft.cli import options
from redraft.cli.lines import write_lines
from redraft.engines import Sampling
from redraft.engines.spec import load_engine
from redraft.errors import RedraftError
from redraft.measure.cases import read_cases
from redraft.measure.report import speed_plots
from redraft.measure.report.speed import accepted, by_language, by_style, phases, summary, table
from redraft.measure.speed.bench import Bench
from redraft.measure.speed.environment import describe
from redraft.measure.speed.forwards import count_forwards, histogram
from redraft.measure.speed.record import Environment, Record, on_processor, read_records

bench = typer.Typer(no_args_is_help=True, help="Measure speed, forwards and exactness.")

Processor = Annotated[
    bool, typer.Option("--processor", help="By seconds of processors, for a machine that does other work, too.")
]
Cases = Annotated[
    Path, typer.Option("--cases", metavar="CASES.jsonl", help="Edits as `redraft batch` reads them, with `expected`.")
]


@bench.command()
def run(
    cases: Cases,
    out: Annotated[
        Path, typer.Option("--out", metavar="RECORDS.jsonl", help="A record a line; cases that it holds are skipped.")
    ],
    engine: options.MeasuredEngine = "embedded",
    dtype: options.Dtype = None,
    vanilla: Annotated[
        bool, typer.Option(help="Run also token by token, for the speed-up and for equality, and for the limit.")
    ] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first cases.")] = None,
    max_tokens: options.MaxTokens = None,
    window: options.WindowOption = None,
) -> int:
    """Measure each case with drafts and token by token; a table, then one line of JSON."""
    done = read_records(out) if out.exists() else []
    known = {record.id for record in done}
    chosen = read_cases(cases)[:limit]
    pending = [(number, case) for number, case in enumerate(chosen) if case.id not in known]
    if pending:
        model = load_engine(engine, dtype)
        command = shlex.join(["redraft", *sys.argv[1:]])
        environment = describe(engine, model, command, cases=len(chosen), max_tokens=max_tokens, window=window)
        _check_same(out, done, environment)
        measured = Bench(model, environment, Sampling(max_tokens=max_tokens), vanilla).run(pending)
        write_lines(out, (asdict(each.record) for each in measured), "cases", len(pending), append=True)
    _report(read_records(out))
    return 0


@bench.command("table")
def show_table(
    records: Annotated[Path, typer.Argument(metavar="RECORDS.jsonl", help="From `bench run`.")],
    processor: Processor = False,
) -> int:
    """Print the records as tables by file size, by language and by style of sketch, in Markdown."""
    measured = _read(records, processor)
    tables = [table(measured), phases(measured), accepted(measured), by_language(measured), by_style(measured)]
    print("\n\n".join(tables))
    return 0


@bench.command()
def plot(
    records: Annotated[Path, typer.Argument(metavar="RECORDS.jsonl", help="From `bench run`.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="For the pictures.")],
    processor: Processor = False,
) -> int:
    """Draw time by file size, where it goes, and what a forward accepts."""
    written = speed_plots.draw(_read(records, processor), out)
    print(f"written: {', '.join(map(str, written)) or 'nothing, there are no figures'}", file=sys.stderr)
    return 0


@bench.command()
def forwards(
    cases: Cases,
    merged: Annotated[bool, typer.Option(help="Draft from the sketch merged into the file first.")] = True,
    at_most: Annotated[float | None, typer.Option(help="Exit 1 when the mean is above this.")] = None,
) -> int:
    """Count forwards beyond the prompt's for a model that writes what is expected: no model, no clock."""
    counts = [count_forwards(case, merged) for case in read_cases(cases)]
    print("forwards, edits")
    for line in histogram(counts):
        print(line)
    print(json.dumps({"n": len(counts), "forwards_mean": round(mean(counts), 3), "forwards_median": median(counts)}))
    if at_most is not None and mean(counts) > at_most:
        raise RedraftError(f"{mean(counts):.2f} forwards an edit beyond the prompt's, more than {at_most:g}")
    return 0


def _read(source: Path, processor: bool) -> list[Record]:
    found = read_records(source)
    return [on_processor(record) for record in found] if processor else found


def _check_same(out: Path, done: list[Record], environment: Environment) -> None:
    """Records of several engines or dtypes in one file have no median that means anything."""
    for record in done:
        there, here = ((e.engine, e.dtype) for e in (record.environment, environment))
        if there != here:
            raise RedraftError(f"{out} holds records of {there[0]} in {there[1]}, not of {here[0]} in {here[1]}")


def _report(records: list[Record]) -> None:
    print(table(records))
    print(json.dumps(summary(records)))
