"""In: small cases, sets and systems. Out: a line for each system and set: right, silent, refused, seconds."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import streams
from redraft.cli.lines import shown
from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.accuracy.systems import System, read_systems
from redraft.measure.report.table import grid
from redraft.measure.score.score import Asked, Graded, Score, graded, scores, small, together, whole
from redraft.measure.score.small import read_small
from redraft.measure.score.unread import unread
from redraft.measure.sets.named import ANSWERS, NATURAL, UNREAD, find_manifest, read_set

_HEADS = ("system", "set", "cases", "right", "silent", "allowed", "refused", "right at 0.9", "seconds")


def score(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="CASES", help=f"Files of small cases, folders of conformance, {NATURAL}, fetched sets."),
    ],
    systems: Annotated[str, typer.Option(metavar="A,B,...", help="As `redraft eval run` takes them.")] = "merge",
    clones: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Git clones: the sets that nobody reads are counted, too.")
    ] = None,
    before: Annotated[
        Path | None, typer.Option(metavar="SCORES.jsonl", help="Scores of --json: each count with what it gained.")
    ] = None,
    named: Annotated[
        bool, typer.Option("--list", help="Name the small cases that are silently wrong or refused though clear.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a record of each line.")] = False,
) -> int:
    """Count what a system makes of cases: right, wrong without a word, refused; a line a set.

    Small cases are right byte for byte, those of sets as trees. Seconds are those of the processor.
    """
    asked = [each for source in sources for each in _asked(source)]
    asked += _unread(clones) if clones else ()
    rows: list[Score] = []
    for system in read_systems(systems):
        found = _graded(system, asked)
        rows += _with_sums(scores(system.name, found))
        if named:
            _name(found)
    if as_json:
        for row in rows:
            streams.write(json.dumps(asdict(row)) + "\n")
    else:
        streams.write("\n".join(grid(_HEADS, list(_rows(rows, _scores(before) if before else [])), 2)) + "\n")
    return 0


def _asked(source: str) -> list[Asked]:
    """A path is one of small cases; all else is the name of a set."""
    path = Path(source)
    if path.suffix or path.is_dir():
        return small(path.stem, read_small(path))
    return whole(source, read_set(source).cases)


def _graded(system: System, asked: Sequence[Asked]) -> list[Graded]:
    return list(shown(graded(system, asked), system.name, len(asked)))


def _unread(clones: Path) -> Iterator[Asked]:
    for found in unread(map(find_manifest, UNREAD), clones):
        if found.missing:
            print(f"{found.name}: {len(found.missing)} cases are missing in {clones}", file=sys.stderr)
        yield from whole(found.name, found.cases, apart=True)


def _with_sums(found: Sequence[Score]) -> Iterator[Score]:
    """The scores, and one of all tidy and one of all careless answers."""
    yield from found
    for manner in ("tidy", "careless"):
        members = [each for each in found if each.set in {f"{name}, {manner}" for name in ANSWERS}]
        if members:
            yield together(f"answers, {manner}", members)


def _name(found: Sequence[Graded]) -> None:
    """Small cases are there to be read; of sets for tests nobody is to know which case fails."""
    for each in found:
        if each.asked.is_small and each.grade in ("silent", "refused"):
            confidence = f" ({each.result.confidence:.2f})" if each.grade == "silent" else f": {each.result.message}"
            streams.tell(f"{each.asked.set} {each.asked.id}: {each.grade}{confidence}")


def _scores(source: Path) -> list[Score]:
    try:
        return [Score(**jsonl.parse(line)) for _, line in jsonl.read_lines(source)]
    except TypeError as error:
        raise RedraftError(f"{source} holds no scores: {error}") from error


def _rows(found: Sequence[Score], before: Sequence[Score]) -> Iterator[Sequence[str]]:
    old = {(each.system, each.set): each for each in before}
    for row in found:
        was = old.get((row.system, row.set))
        counts = [_counted(row, was, name) for name in ("right", "silent", "allowed", "refused")]
        sure = f"{row.sure_right} of {row.sure}" + (f" ({100 * row.sure_right / row.sure:.1f}%)" if row.sure else "")
        yield row.system, row.set, f"{row.cases:,}", *counts, sure, f"{row.seconds:.1f}"


def _counted(row: Score, was: Score | None, name: str) -> str:
    count: int = getattr(row, name)
    gained = count - getattr(was, name) if was else 0
    share = f" {100 * count / row.cases:.1f}%" if name in ("right", "silent") else ""
    return f"{count}{f' ({gained:+})' if gained else ''}{share}"
