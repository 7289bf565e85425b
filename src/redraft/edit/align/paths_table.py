"""In: rows of a sketch with their candidate lines, and the original's shape. Out: the sketch's best path through it.

Dynamic programming over (row, line) in the manner of Needleman and Wunsch with affine gaps. A path is tight inside a
hunk, where lines of the original that it steps over are deleted, and loose after a marker, where they are kept.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, repeat
from operator import add, sub

from msgspec import Struct
from msgspec.structs import replace

NEVER = -(10**8)

_SHORT_GAP, _LONG_GAP, _LONG_SHARE = 110, 200, 0.7
_BLANK_GAP, _NOT_BLANK = 30, 10**5
_ZERO_SKIP = 15
_CROSSING = 60
_AS_CONTENT = 5
_MISPLACED = 80
_CLOSER = re.compile(r"\s*(?:[\])}]|end\b|</)")

Cells = Sequence[int]


class Gaps(Struct, frozen=True):
    """Sums of what each line costs to delete: in short gaps; in long ones, dear to open and cheap in bulk; in gaps of
    blank lines alone.
    """

    short: Cells
    long: Cells
    blank: Cells

    @staticmethod
    def of(costs: Iterable[int], blanks: Iterable[bool]) -> "Gaps":
        short = tuple(accumulate(costs, initial=0))
        blank = tuple(accumulate((0 if is_blank else _NOT_BLANK for is_blank in blanks), initial=0))
        return Gaps(short, tuple(int(total * _LONG_SHARE) for total in short), blank)

    def between(self, first: int, last: int) -> "Gaps":
        span = slice(first, last + 1)
        return Gaps(self.short[span], self.long[span], self.blank[span])

    def kinds(self) -> tuple[tuple[Cells, int], ...]:
        """The sums of each kind of gap, and what it costs to open one."""
        return (self.short, _SHORT_GAP), (self.long, _LONG_GAP), (self.blank, _BLANK_GAP)


class Row(Struct, frozen=True):
    """One sketch line.

    `matches`: (line, gain) in order of lines. `unmatched`: what it costs to stand new; `opening`: its indent where it
    opens a hunk. `marker`, `content`: what it may be read as; `virtual`: what it costs that a marker which is not
    written keeps lines; `deep`: indent of a marker, and what it costs that deeper lines follow; `within`: the indent
    that a marker does not leave, -1 for any.
    """

    gaps: Gaps
    matches: Sequence[tuple[int, int]] = ()
    unmatched: int = 0
    opening: int | None = None
    marker: bool = False
    content: bool = True
    virtual: int | None = None
    deep: tuple[int | None, int] = (None, 0)
    within: int = -1

    @property
    def cost(self) -> int:
        """What it costs that it stands new."""
        return _AS_CONTENT if self.marker else self.unmatched


class Shape(Struct, frozen=True):
    """Indents of lines, and for each place the indent of the next written line and the depth of the code there.

    A brace alone on its line, which opens the body of the line before, follows one deeper than it is written.
    """

    indents: Sequence[int | None]
    following: Sequence[int]
    depths: Sequence[int]

    @staticmethod
    def of(lines: Sequence[str], indents: Sequence[int | None]) -> "Shape":
        following, depths = [-1] * (len(indents) + 1), [-1] * (len(indents) + 1)
        for at in range(len(indents) - 1, -1, -1):
            width = indents[at]
            following[at] = following[at + 1] if width is None else width + (lines[at].strip() == "{")
            depths[at] = depths[at + 1] if width is None else width + bool(_CLOSER.match(lines[at]))
        return Shape(indents, following, depths)

    def between(self, first: int, last: int) -> "Shape":
        return Shape(self.indents[first:last], self.following[first : last + 1], self.depths[first : last + 1])


class Step(Struct, frozen=True):
    """What became of one row: a marker keeps lines start..end; a code row took `match`, or stands new at `start`.

    Lines between the end of one step and the start of the next were stepped over in a hunk: they are deleted.
    """

    start: int
    end: int
    match: int | None = None
    marker: bool = False


class Before(Struct, frozen=True):
    """The best scores before a row, by line: inside a hunk and after a marker; None where no path is."""

    tight: Cells | None
    loose: Cells | None

    def ready(self, gaps: Gaps, size: int) -> list[int]:
        """The best scores when lines may first be deleted."""
        loose = self.loose or [NEVER] * size
        if self.tight is None:
            return [*loose]
        closed = (_after_gap(self.tight, sums, opening) for sums, opening in gaps.kinds())
        return [*map(max, loose, self.tight, *closed)]


class Table(Struct, frozen=True):
    """For each row the state before it, also when lines may be deleted first; the score of the best path."""

    before: list[Before]
    ready: list[Cells]
    score: int


def fill(rows: Sequence[Row], shape: Shape) -> Table:
    """Scores of the best paths to every cell; the last row must be a marker."""
    size = len(shape.indents) + 1
    state = Before(array("i", [0] + [NEVER] * (size - 1)), None)
    table = Table([], [], 0)
    for row in rows:
        ready = state.ready(row.gaps, size)
        table.before.append(state)
        table.ready.append(array("i", ready))
        after_code = array("i", _consumed(state, ready, row, shape)) if row.content else None
        state = Before(after_code, array("i", _skipped(ready, row, shape)) if row.marker else None)
    return replace(table, score=state.loose[-1] if state.loose else NEVER)


def _after_gap(tight: Cells, sums: Cells, opening: int) -> Iterator[int]:
    return map(sub, accumulate(map(add, tight, sums), max), map(add, sums, repeat(opening)))


def _consumed(state: Before, ready: Cells, row: Row, shape: Shape) -> list[int]:
    after = _standing_new(state, row, shape)
    for line, gain in row.matches:
        after[line + 1] = max(after[line + 1], ready[line] + gain)
    return after


def _standing_new(state: Before, row: Row, shape: Shape) -> list[int]:
    cost = row.cost
    if state.loose is None:
        assert state.tight is not None
        return [score - cost for score in state.tight]
    width = 10**6 if row.opening is None else row.opening
    loose = [b - _MISPLACED * (depth > width) - cost for b, depth in zip(state.loose, shape.depths, strict=True)]
    return loose if state.tight is None else [max(a - cost, b) for a, b in zip(state.tight, loose, strict=True)]


def _begun(ready: Cells, row: Row, shape: Shape) -> Sequence[int]:
    """Scores where a marker begins: right before lines that are deeper than it is written it hardly does."""
    width, cost = row.deep
    if width is None:
        return ready
    return [score - cost * (after > width) for score, after in zip(ready, shape.following, strict=True)]


def _for_nothing(row: Row, line: int, size: int) -> int:
    """What a marker costs that stands for nothing; at the ends of the file it may."""
    return _ZERO_SKIP if row.virtual is None and 0 < line < size else 0


def _skipped(ready: Cells, row: Row, shape: Shape) -> list[int]:
    begun, size = _begun(ready, row, shape), len(shape.indents)
    after = [score - _for_nothing(row, line, size) for line, score in enumerate(begun)]
    inside = outside = NEVER
    cost = row.virtual or 0
    for line, width in enumerate(shape.indents):
        inside = max(inside, begun[line])
        outside = max(outside, begun[line] - _CROSSING)
        if width is not None and width < row.within:
            inside = NEVER
        after[line + 1] = max(after[line + 1], inside - cost, outside - cost)
    return after


def trace(rows: Sequence[Row], shape: Shape, table: Table, first: bool) -> tuple[Step, ...]:
    """The best path; of equally good ones that with the earliest (`first`) or the latest places."""
    steps: list[Step] = []
    line, is_loose, score = len(shape.indents), True, table.score
    for row, state, ready in zip(reversed(rows), reversed(table.before), reversed(table.ready), strict=True):
        match = None if is_loose else _match(row, shape, state, ready, line, score, first)
        start = _marker_start(row, shape, ready, line, score, first) if is_loose else line if match is None else match
        steps.append(Step(start, line, match, is_loose))
        if match is None and not is_loose:
            score, is_loose = _stood(row, shape, state, line, first)
        else:
            line, score, is_loose = _came_from(state, row.gaps, ready[start], start, first)
    return tuple(reversed(steps))


def _match(row: Row, shape: Shape, state: Before, ready: Cells, line: int, score: int, first: bool) -> int | None:
    """The line that a row takes on the best path to `line`, None where it stands new."""
    gain = dict(row.matches).get(line - 1)
    if gain is None or ready[line - 1] + gain != score:
        return None
    stands_new = max(_both(row, shape, state, line)) - row.cost == score
    return None if stands_new and first else line - 1


def _both(row: Row, shape: Shape, state: Before, line: int) -> tuple[int, int]:
    misplaced = row.opening is not None and shape.depths[line] > row.opening
    tight = NEVER if state.tight is None else state.tight[line]
    loose = NEVER if state.loose is None else state.loose[line] - _MISPLACED * misplaced
    return tight, loose


def _stood(row: Row, shape: Shape, state: Before, line: int, first: bool) -> tuple[int, bool]:
    """The score before a row that stands new at `line`, and whether the path was loose there."""
    tight, loose = _both(row, shape, state, line)
    if state.loose is not None and (loose > tight or (loose == tight and first)):
        return state.loose[line], True
    assert state.tight is not None
    return state.tight[line], False


def _came_from(state: Before, gaps: Gaps, score: int, line: int, first: bool) -> tuple[int, int, bool]:
    """Line, score and looseness before the lines up to `line` were deleted, if any were."""
    if state.loose is not None and state.loose[line] == score:
        return line, score, True
    assert state.tight is not None
    starts = [line] if state.tight[line] == score else []
    for sums, opening in gaps.kinds():
        wanted = score + opening + sums[line]
        starts += [at for at, total in enumerate(map(add, state.tight[:line], sums)) if total == wanted]
    start = min(starts) if first else max(starts)
    return start, state.tight[start], False


def _marker_start(row: Row, shape: Shape, ready: Cells, line: int, score: int, first: bool) -> int:
    """Where a marker begins that ends at `line`."""
    begun = _begun(ready, row, shape)
    starts = [line] if begun[line] - _for_nothing(row, line, len(shape.indents)) == score else []
    within, crossed = row.within, row.virtual or 0
    for start in range(line - 1, -1, -1):
        width = shape.indents[start]
        if width is not None and width < within:
            within, crossed = -1, crossed + _CROSSING
        if begun[start] - crossed == score:
            starts.append(start)
    return min(starts) if first else max(starts)
