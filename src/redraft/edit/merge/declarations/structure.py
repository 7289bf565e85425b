"""In: an outline and a block of an answer. Out: patches, declaration by declaration, from the outside in.

A declaration is found by kind, name and parent. Without a marker inside it is replaced whole, with the comments and
decorators that the answer shows; with markers inside, its lines are aligned with its own lines alone. A container is
entered: members that the answer does not show stay. What is new goes beside the neighbours that the answer shows.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.merge import aligned
from redraft.edit.answer.block import Block
from redraft.edit.merge.declarations.matching import Matcher
from redraft.edit.merge.declarations.neighbours import Members, Neighbours
from redraft.edit.merge.declarations.successors import Successors
from redraft.edit.merge.lines.indentation import fitted, reindented
from redraft.edit.merge.lines.insertion import (
    Patch,
    Spot,
    children_of,
    default_spot,
    homed,
    inserted,
    is_long,
    patched,
    separation,
)
from redraft.edit.merge.lines.units import Unit, units_of
from redraft.edit.merge.lines.written import first_below
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_telling, written

_SHOWN = 0.5  # share of its keys or fields that a container has to show to be shown whole


class Way(Struct, frozen=True):
    """How to read what an answer leaves open.

    `whole`: a container without a marker is replaced as it is shown. `gone`: declarations between two that are shown
    side by side go. `adds`: all that is shown is new.
    """

    whole: bool = False
    gone: bool = False
    adds: bool = False
    renames: bool = False


class Structure:
    """One block on one file, read in one way; `spot` is the place that the answer tells in words.

    `succeeded` are the names of declarations that the block shows under other ones.
    """

    def __init__(self, file: Outline, block: Block, shown: Outline, path: str, spot: Spot | None, way: Way) -> None:
        self._file, self._block, self._shown, self._path = file, block, shown, path
        self._spot, self._way = spot, way
        self._found: list[Patch] = []
        self._neighbours = Neighbours(file, block, spot)
        self._matcher = Matcher(file, block, shown, way.adds)
        self._successors = Successors(file, block, shown, way.renames)
        self.matched = 0
        self.unplaced = False
        self.elsewhere = False  # something new is not at the end of the file, where the words say
        self.succeeded: set[str] = set()

    def lines(self) -> tuple[str, ...] | None:
        """The file with the block in it; None where declarations do not tell enough to place all lines."""
        top = self._shown.top()
        is_placed = bool(top) and self._members(0, len(self._block.lines), top, None)
        return patched(self._file.lines, self._found) if is_placed else None

    @cached_property
    def _markers(self) -> frozenset[int]:
        return frozenset(self._block.markers)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(self._block.texts)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(map(str.strip, self._file.lines))

    def _members(self, start: int, end: int, children: Sequence[int], parent: int | None) -> bool:
        """Reads the lines between the members of one container; whether all of them have a place."""
        units = list(units_of(self._block, self._shown, (start, end), children))
        found = [self._matcher.match(unit.node, parent) for unit in units]
        if not self._way.adds:
            found, named = self._successors.found(units, found, parent), found
            self.succeeded |= {self._file.nodes[at].name for at in found if at is not None and at not in named}
        self.matched += len(found) - found.count(None)
        members = Members(units, found, parent)
        for is_new, run in groupby(range(len(units)), key=lambda at: found[at] is None and self._is_new(units[at])):
            place = self._insert if is_new else self._place_all
            if not place(members, [*run]):
                return False
        self._drop(found)
        return True

    def _is_new(self, unit: Unit) -> bool:
        return not unit.is_marker and self._matcher.is_new(unit.node)

    def _place_all(self, members: Members, run: Sequence[int]) -> bool:
        return all(self._place(members, at) for at in run)

    def _place(self, members: Members, at: int) -> bool:
        """Reads what is not new; whether it has a place."""
        unit, there = members.units[at], members.found[at]
        if unit.node is not None and there is not None:
            return self._replace(unit.node, there)
        return unit.is_marker or self._loose(unit, *self._bounds(members, at))

    def _replace(self, shown: int, there: int) -> bool:
        new, old = self._shown.nodes[shown], self._file.nodes[there]
        texts = self._texts[new.start : new.end]
        if texts == self._file.lines[old.start : old.end]:
            return True
        if new.kind == "section" and not any(map(is_telling, self._texts[new.head + 1 : new.end])):
            self._exchange(new.head, new.head + 1, old.head, old.head + 1)  # a heading alone is the next neighbour
            return True
        marked = not self._markers.isdisjoint(range(new.start, new.end))
        if self._is_entered(new, old, marked):
            return self._enter(shown, there)
        is_part = marked or not {*self._shown.faults}.isdisjoint(range(new.start, new.end))
        if is_part and new.name != old.name and new.body and old.body:
            return self._succeed(new, old)
        start = old.start if new.start < new.head else old.head
        moved = self._moved(texts, old.head, new.head - new.start)
        if is_part:
            return self._align(new.start, moved, start, old.end)
        self._found.append(Patch(start, old.end, moved))
        return True

    def _succeed(self, new: Node, old: Node) -> bool:
        """Reads a declaration under another name than the file's: the head as shown, the body line by line."""
        assert new.body is not None
        assert old.body is not None
        self._exchange(new.head, new.body[0], old.head, old.body[0])
        moved = self._moved(self._texts[new.head : new.body[1]], old.head)
        return self._align(new.body[0], moved[new.body[0] - new.head :], *old.body)

    def _is_entered(self, new: Node, old: Node, marked: bool) -> bool:
        """Whether members are read one by one."""
        if not all(each.is_container and each.body and each.children for each in (new, old)):
            return False
        if marked or self._way.whole:
            return marked
        names = {self._file.nodes[at].name for at in old.children}
        shown = {self._shown.nodes[at].name for at in new.children}
        has_bodies = any(self._file.nodes[at].body for at in old.children)
        return has_bodies or len(names & shown) < _SHOWN * len(names)

    def _enter(self, shown: int, there: int) -> bool:
        new, old = self._shown.nodes[shown], self._file.nodes[there]
        assert new.body is not None
        assert old.body is not None
        if new.start < new.head:
            self._exchange(new.start, new.head, old.start, old.head)
        self._exchange(new.head, new.body[0], old.head, old.body[0])
        if new.body[1] < new.end and old.body[1] < old.end:
            self._exchange(new.body[1], new.end, old.body[1], old.end)
        return self._members(*new.body, new.children, there)

    def _exchange(self, start: int, end: int, first: int, last: int) -> None:
        texts = self._texts[start:end]
        if texts != self._file.lines[first:last] and self._markers.isdisjoint(range(start, end)):
            self._found.append(Patch(first, last, self._moved(texts, first)))

    def _moved(self, texts: tuple[str, ...], place: int, first: int = 0) -> tuple[str, ...]:
        """Lines in the indentation of a place."""
        return reindented(texts, self._file.lines[place], first)

    def _align(self, start: int, texts: Sequence[str], first: int, last: int) -> bool:
        """Aligns lines of the block, which may be moved, with a part of the file; whether they have a place there."""
        own = zip(self._block.lines[start : start + len(texts)], texts, strict=True)
        block = replace(self._block, lines=tuple(replace(line, text=text) for line, text in own), blanks=0)
        found = aligned(self._file.lines[first:last], block, self._path)
        if isinstance(found, str):
            return False
        self._found += [Patch(first + patch.start, first + patch.end, patch.texts) for patch in found[0]]
        return True

    def _loose(self, unit: Unit, first: int, last: int) -> bool:
        """Aligns loose lines with what the file has between the declarations shown around them."""
        texts = self._texts[unit.start : unit.end]
        if self._known.issuperset(map(str.strip, written(texts))):
            return True  # known lines for orientation
        count = len(self._found)
        if not self._align(unit.start, texts, first, last):
            return False
        self._found[count:] = [self._neighbours.parted(patch, unit, first, last) for patch in self._found[count:]]
        return True

    def _bounds(self, members: Members, at: int) -> tuple[int, int]:
        body = None if members.parent is None else self._file.nodes[members.parent].body
        first, last = body or (0, len(self._file.lines))
        above, below = members.above(at), members.below(at)
        top = first if above is None else self._file.nodes[above].end
        end = last if below is None else self._file.nodes[below].start
        return (top, end) if first <= top <= end <= last else (first, last)

    def _insert(self, members: Members, run: Sequence[int]) -> bool:
        """Puts declarations that the file does not have at one place; not those of which a marker leaves out a part."""
        start, end = members.units[run[0]].start, members.units[run[-1]].end
        if not self._markers.isdisjoint(range(start, end)):
            return False
        nodes = [self._shown.nodes[node] for at in run if (node := members.units[at].node) is not None]
        is_import = bool(nodes) and nodes[0].kind == "import"  # their place is known
        spot = self._neighbours.spot(members, run)
        if spot is None:
            self.unplaced |= self._spot is None and not is_import
            new = next(iter(nodes), None)
            spot = homed(self._file, self._spot, new) if self._spot else default_spot(self._file, members.parent, new)
        elif self._spot is not None and not is_import:
            lines = self._file.lines
            self.elsewhere |= first_below(lines, spot.at) < len(lines) == first_below(lines, self._spot.at)
        has_long = any(map(is_long, nodes)) or not nodes
        blanks = self._neighbours.around(start, end)
        as_shown = not has_long and blanks == (1, 1) and any(node.start < node.head for node in nodes)
        above, below = blanks if as_shown else separation(self._file, spot, has_long, *blanks)
        texts = fitted(self._texts[start:end], spot, self._file)
        self._found.append(inserted(self._file.lines, spot.at, texts, above, below))
        return True

    def _drop(self, found: Sequence[int | None]) -> None:
        """Drops declarations between two that are shown side by side without a marker."""
        nodes = self._file.nodes
        for above, below in pairwise(found):
            if above is None or below is None or nodes[above].parent != nodes[below].parent:
                continue
            siblings = [*children_of(self._file, nodes[above].parent)]
            between = [nodes[at] for at in siblings[siblings.index(above) + 1 : siblings.index(below)]]
            if not self._way.gone and any(map(is_long, (nodes[above], *between, nodes[below]))):
                continue
            for node in between:
                end = min(nodes[below].start, first_below(self._file.lines, node.end))
                self._found.append(Patch(node.start, max(node.end, end), ()))
