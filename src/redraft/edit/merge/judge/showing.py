"""In: blocks of an answer, and a file that they changed. Out: in which block each change is shown, and beside what."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.answer.block import Line
from redraft.edit.merge.lines.versions import equal_pairs
from redraft.edit.merge.lines.written import first_below, last_above, written_places
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import written


class Showing(Struct, frozen=True):
    """Where a block shows a change: the block, the first and the last of its written lines, and where the run between
    two markers begins in which they stand."""

    block: int
    first: int
    last: int
    run: int


def showings(
    blocks: Sequence[Sequence[Line]], after: Sequence[str], found: Sequence[LineChange]
) -> list[Showing | None]:
    """For each change where its new lines are shown, or those beside lines that are gone; None where nothing is.
    `blocks` are the written lines of each block."""
    owned, runs = owners(blocks, after), [[*_runs(lines)] for lines in blocks]
    return [_showing(each, after, owned, runs) for each in found]


def _showing(
    change: LineChange, after: Sequence[str], owned: dict[int, tuple[int, int]], runs: Sequence[Sequence[int]]
) -> Showing | None:
    own = [owned[at] for at in range(change.after_start, change.after_end) if at in owned]
    beside = last_above(after, change.after_start), first_below(after, change.after_end)
    own = own or [owned[at] for at in beside if at in owned]
    if not own:
        return None
    block, first = own[0]
    return Showing(block, first, own[-1][1] if own[-1][0] == block else first, runs[block][first])


def owners(blocks: Sequence[Sequence[Line]], after: Sequence[str]) -> dict[int, tuple[int, int]]:
    """For lines of the text the first block that shows them, and the place among its written lines."""
    places = written_places(after)
    texts = [*map(str.strip, written(after))]
    found: dict[int, tuple[int, int]] = {}
    for number, lines in enumerate(blocks):
        shown = [line.text.strip() if line.kind == "code" else "" for line in lines]
        for at, place in equal_pairs(shown, texts):
            found.setdefault(places[place], (number, at))
    return found


def _runs(lines: Sequence[Line]) -> Iterator[int]:
    """For each written line of a block where the run between markers begins in which it stands."""
    start = 0
    for at, line in enumerate(lines):
        yield start
        start = at + 1 if line.kind == "marker" else start
