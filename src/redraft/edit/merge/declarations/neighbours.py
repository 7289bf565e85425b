"""In: the units of a block beside new ones, and what they stand for in the file. Out: the place of the new ones.

What a block shows side by side belongs together; what it shows apart from a neighbour may end the paragraph above.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.merge.lines.insertion import Patch, Spot, children_of
from redraft.edit.merge.lines.units import Unit
from redraft.edit.merge.lines.written import first_below, last_above
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling


class Members(Struct, frozen=True):
    """The units that a block shows in a container of the file, and what each of them stands for there."""

    units: Sequence[Unit]
    found: Sequence[int | None]
    parent: int | None

    def above(self, at: int) -> int | None:
        """The nearest declaration that a unit above stands for."""
        return nearest(self.found[:at][::-1])

    def below(self, at: int) -> int | None:
        return nearest(self.found[at + 1 :])


class Neighbours(Struct, frozen=True, dict=True):
    """A file and a block; `named` is the place that the answer tells in words."""

    file: Outline
    block: Block
    named: Spot | None

    def around(self, start: int, end: int) -> tuple[int, int]:
        """Blank lines of the block above and below lines."""
        return self.blanks(start, -1), self.blanks(end - 1, 1)

    def blanks(self, at: int, step: int) -> int:
        """Blank lines of the block beside a line."""
        return abs(self._written_beside(at, step) - at) - 1

    def _written_beside(self, at: int, step: int) -> int:
        return first_below(self._texts, at + 1) if step > 0 else last_above(self._texts, at)

    @cached_property
    def _texts(self) -> list[str]:
        return self.block.texts

    def spot(self, members: Members, run: Sequence[int]) -> Spot | None:
        """The place beside a neighbour that the block shows, without a marker between."""
        units = members.units
        over = members.found[run[0] - 1] if run[0] else None
        under = self._found_below(members, run[-1] + 1)
        # What stands without a blank line between belongs together.
        is_nearer = self.blanks(units[run[-1]].end - 1, 1) < self.blanks(units[run[0]].start, -1)
        if over is not None and not (under is not None and is_nearer):
            return Spot.below(over, self.file, next_to=True)
        if under is not None:
            return Spot.above(under, self.file, next_to=True)
        return self._spot_apart(members, run)

    def _spot_apart(self, members: Members, run: Sequence[int]) -> Spot | None:
        """The place at an end of what the block shows with a marker, or somewhere below what it shows above."""
        before, after = members.above(run[0]), members.below(run[-1])
        siblings = children_of(self.file, members.parent)
        if self.named is None and after is None and run[0] and members.units[run[0] - 1].is_marker:
            if members.parent is None:
                return None  # at the end of its kind
            if siblings:
                return Spot.below(siblings[-1], self.file)
        if run[0] == 0 and after is not None and members.units[run[-1] + 1].is_marker and members.parent is not None:
            return Spot.above(siblings[0], self.file)
        return Spot.below(before, self.file) if before is not None and self.named is None else None

    def parted(self, patch: Patch, unit: Unit, first: int, last: int) -> Patch:
        """A patch for loose lines among some lines of the file, with the blank lines that the block shows around them
        where they come right beside what is around those."""
        file, lines = self.file.lines, patch.lines
        is_new = patch.start == first > 0 and lines[:1] not in ((), ("",), file[first : first + 1])
        above = is_new and file[first - 1].strip()
        is_new = patch.end == last < len(file) and lines[-1:] not in ((), ("",), file[last - 1 : last])
        below = is_new and file[last].strip()
        gaps = (self.blanks(unit.start, -1) * bool(above), self.blanks(unit.end - 1, 1) * bool(below))
        return replace(patch, lines=(*[""] * gaps[0], *lines, *[""] * gaps[1]))

    def _found_below(self, members: Members, below: int) -> int | None:
        """The declaration that comes next: found, or told by the first line of its comment."""
        if below == len(members.units):
            return None
        unit, found = members.units[below], members.found[below]
        if found is not None or unit.is_marker:
            return found
        first = _first(self._texts[unit.start : unit.end])
        nodes = ((at, self.file.nodes[at]) for at in children_of(self.file, members.parent) if first)
        named = [at for at, node in nodes if _first(self.file.lines[node.start : node.head]) == first]
        return named[0] if len(named) == 1 else None


def _first(lines: Iterable[str]) -> str:
    """The first line that tells anything, stripped."""
    return next(filter(is_telling, lines), "").strip()


def nearest(found: Sequence[int | None]) -> int | None:
    """The first declaration that is found."""
    return next((at for at in found if at is not None), None)
