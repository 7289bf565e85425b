"""In: rows of a sketch and the original's shape. Out: the earliest and the latest of the best paths.

A large table is cut at lines that both sides hold once and in the same order (patience diff): near-linear time.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.paths_table import NEVER, Row, Shape, Step, fill, trace
from redraft.edit.text.changes import longest_rising

SURE = 150

_SMALL, _LARGE = 500_000, 6_000_000
_FORCED = 10_000

Steps = tuple[Step, ...]


class _Piece(Struct, frozen=True):
    """Rows start..end on lines first..last; its last row is an anchor unless the piece is the last one."""

    start: int
    end: int
    first: int
    last: int

    @property
    def cells(self) -> int:
        return (self.end - self.start) * (self.last - self.first + 1)


def best_paths(rows: Sequence[Row], shape: Shape) -> tuple[Steps, Steps] | None:
    """None when nothing fits, or when there are too few anchors in something large."""
    size = len(shape.indents)
    pieces = [_Piece(0, len(rows), 0, size)]
    if pieces[0].cells > _SMALL:
        pieces = list(_pieces(rows, size))
    if sum(piece.cells for piece in pieces) > _LARGE:
        return None
    early: list[Step] = []
    late: list[Step] = []
    for piece in pieces:
        found = _solve(piece, rows, shape, piece.end < len(rows))
        if found is None:
            return None
        early += found[0]
        late += found[1]
    return tuple(early), tuple(late)


def _pieces(rows: Sequence[Row], size: int) -> Iterator[_Piece]:
    start = first = 0
    for row, line in _anchors(rows):
        yield _Piece(start, row + 1, first, line + 1)
        start, first = row + 1, line + 1
    yield _Piece(start, len(rows), first, size)


def _anchors(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """The longest rising run of (row, line) among the sure matches."""
    alone = [(at, *row.matches[0]) for at, row in enumerate(rows) if len(row.matches) == 1]
    return longest_rising([(at, line) for at, line, gain in alone if gain >= SURE])


def _solve(piece: _Piece, rows: Sequence[Row], shape: Shape, anchored: bool) -> tuple[Steps, Steps] | None:
    inside = [_within(row, piece) for row in rows[piece.start : piece.end]]
    if anchored:
        inside[-1] = replace(inside[-1], matches=((piece.last - piece.first - 1, _FORCED),))
        inside.append(Row(inside[-1].gaps, marker=True, content=False, virtual=-NEVER))
    part = shape.between(piece.first, piece.last)
    table = fill(inside, part)
    if table.score <= NEVER // 2:
        return None
    kept = piece.end - piece.start
    early, late = (trace(inside, part, table, is_first)[:kept] for is_first in (True, False))
    return tuple(_moved(step, piece.first) for step in early), tuple(_moved(step, piece.first) for step in late)


def _within(row: Row, piece: _Piece) -> Row:
    first, last = (bisect_left(row.matches, (line,)) for line in (piece.first, piece.last))
    matches = [(at - piece.first, gain) for at, gain in row.matches[first:last]]
    return replace(row, matches=matches, gaps=row.gaps.between(piece.first, piece.last))


def _moved(step: Step, by: int) -> Step:
    match = None if step.match is None else step.match + by
    return replace(step, start=step.start + by, end=step.end + by, match=match)
