"""In: an outline and what is new or gone. Out: where it belongs, and the lines with it there, or without it.

Where: beside the neighbours that the answer shows; where its words say; behind the last of its kind.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.align import splice
from redraft.edit.merge.lines.written import depth, first_below, first_written, last_above
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import width_of

_CLOSER = re.compile(r"\s*(?:[)}\]]|end\b|</)")
_FIRST_WORD = re.compile(r"\w+")
_NEAREST = 6  # gaps between siblings that are counted


class Patch(Struct, frozen=True, order=True):
    """Lines `start:end` of the file become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]

    def on(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The file with the patch in it."""
        return (*lines[: self.start], *self.lines, *lines[self.end :])


def patched(lines: Sequence[str], patches: Iterable[Patch]) -> tuple[str, ...] | None:
    """The file with all patches in it, in whatever order they come; None where two of them overlap.

    Several insertions at one place stand in the order in which they are given.
    """
    ordered = sorted(patches, key=lambda patch: (patch.start, patch.end))
    if any(above.end > below.start for above, below in pairwise(ordered)):
        return None
    out: list[str] = []
    at = 0
    for patch in ordered:
        out += [*lines[at : patch.start], *patch.lines]
        at = patch.end
    return (*out, *lines[at:])


def taken_out(lines: Sequence[str], start: int, end: int) -> Patch:
    """Lines go, and with them blank lines on one side, if there are some on both: the wider gap stays.

    Where what follows closes what they stand in, or is the end of the file, the blank lines above go; those below where
    the line above opens it, and at the start of the file.
    """
    top, stop = last_above(lines, start) + 1, first_below(lines, end)
    if stop == len(lines) or not start:
        return Patch(top, stop, ())
    if top == start and top:
        return Patch(start, stop if width_of(lines[top - 1]) < width_of(lines[start]) else end, ())
    closes = stop == end and _CLOSER.match(lines[stop]) is not None
    return Patch(top, end, ()) if closes or start - top < stop - end else Patch(start, stop, ())


def with_way(lines: tuple[str, ...], way: Sequence[splice.Patch]) -> tuple[str, ...]:
    """The lines with the patches of an alignment."""
    return patched(lines, [Patch(each.start, each.end, each.texts) for each in way]) or lines


class Spot(Struct, frozen=True):
    """A line before which new lines go; `like` is a sibling, whose indentation they take.

    `lead` is their indentation where there is no sibling. `next_to`: the answer shows the sibling right there. `apart`:
    words ask for blank lines around; `close`: they ask for none.
    """

    at: int
    like: int | None = None
    next_to: bool = False
    lead: str | None = None
    apart: bool = False
    close: bool = False

    @staticmethod
    def above(node: int, file: Outline, next_to: bool = False) -> "Spot":
        return Spot(file.nodes[node].start, node, next_to)

    @staticmethod
    def below(node: int, file: Outline, next_to: bool = False) -> "Spot":
        return Spot(file.nodes[node].end, node, next_to)


def children_of(file: Outline, parent: int | None) -> Sequence[int]:
    """The declarations in a container, or those in none."""
    return file.top() if parent is None else file.nodes[parent].children


def default_spot(file: Outline, parent: int | None, node: Node | None) -> Spot:
    """Where a new declaration goes of which nothing is said: behind the last of its kind in its container."""
    if parent is None and node is not None:
        parent = _home(file, node)
    kind, siblings = node and node.kind, children_of(file, parent)
    same = [at for at in siblings if file.nodes[at].kind == kind]
    if kind == "import" and not same:
        return Spot(next((first.start for first in file.nodes), 0))
    if chosen := same or [at for at in siblings if file.nodes[at].body] or siblings:
        return Spot.below(chosen[-1], file)
    if parent is not None and (body := file.nodes[parent].body) is not None:
        return Spot(body[1], lead=" " * (depth(file.lines[file.nodes[parent].head]) + 4))
    return Spot(len(file.lines))


def homed(file: Outline, spot: Spot, node: Node | None) -> Spot:
    """A spot at the end of a file; for a test the end of the one container that has tests like it."""
    if node is None or node.kind != "test" or spot.at < len(file.lines) or _home(file, node) is None:
        return spot
    return default_spot(file, None, node)


def _home(file: Outline, node: Node) -> int | None:
    """The container in which a method or a test belongs that is shown without one."""
    if node.kind not in ("function", "test"):
        return None
    same = [there for there in file.nodes if _sort(there) == _sort(node)]
    homes = {there.parent for there in same if there.parent is None or file.nodes[there.parent].is_container}
    return homes.pop() if len(homes) == 1 else None


def _sort(node: Node) -> tuple[str, str]:
    """A kind, and the word that a test begins with: what stands in `describe` is none."""
    word = _FIRST_WORD.match(node.signature) if node.kind == "test" else None
    return node.kind, word[0] if word else ""


def separation(
    file: Outline, spot: Spot, is_long: bool, above: int, below: int, is_declared: bool = False
) -> tuple[int, int]:
    """How many blank lines stand around new lines; `above` and `below` count those that the answer shows.

    `is_long`: a declaration or another construct of several lines is among them; `is_declared`: a declaration is among
    them, which a gap that it is put in parts from both sides.
    """
    if spot.close:
        return 0, 0
    if spot.apart:
        above, below = max(above, 1), max(below, 1)
    if not is_long:
        return (above, below) if spot.apart or spot.next_to or spot.like is None else (0, 0)
    gap = first_below(file.lines, spot.at) - last_above(file.lines, spot.at) - 1
    if spot.like is None and spot.lead:
        return max(gap * is_declared, above), max(gap * is_declared, below)
    if spot.next_to and above == below == gap:
        return above, below
    usual = _usual_gap(file, spot, max(above, below))
    is_shown = spot.apart or (spot.next_to and above == below)
    return (max(usual, above), max(usual, below)) if is_shown else (usual, usual)


def _usual_gap(file: Outline, spot: Spot, shown: int) -> int:
    """How many blank lines part siblings of several lines near a spot; where nothing tells, as many as are shown right
    there, or as are customary."""
    parent = None if spot.like is None else file.nodes[spot.like].parent
    siblings = (file.nodes[at] for at in children_of(file, parent))
    gaps = [
        (min(abs(above.end - spot.at), abs(below.start - spot.at)), below.start - above.end)
        for above, below in pairwise(siblings)
        if is_long(above) or is_long(below)
    ]
    found = Counter(gap for _, gap in sorted(gaps)[:_NEAREST] if 0 <= gap <= 3)
    if found:
        return found.most_common(1)[0][0]
    return shown if spot.next_to else 2 if file.language == "python" and parent is None else 1


def is_long(node: Node) -> bool:
    """Whether a declaration has several lines, its comments aside."""
    return node.end - node.head > 1


def inserted(lines: Sequence[str], at: int, new: Sequence[str], above: int, below: int) -> Patch:
    """New lines before line `at`, with at least so many blank lines to what stands there, which are not doubled."""
    over, under = last_above(lines, at), first_below(lines, at)
    ends = under == len(lines) or lines[under].lstrip().startswith(("endif", "#endif"))
    end = 0 if ends or _is_outside(lines[under], new) else below
    gap_below = [""] * (end - (under - at))
    if over < 0:
        return Patch(0, at, (*new, *gap_below))
    top = 0 if _is_outside(lines[over], new) else above
    return Patch(at, at, (*[""] * (top - (at - over - 1)), *new, *gap_below))


def _is_outside(line: str, new: Sequence[str]) -> bool:
    """Whether a line opens or closes what new lines stand in: no blank line stands there."""
    is_page = line.lstrip().startswith(("</style", "</script"))  # what stands in it is rarely indented
    return is_page or depth(line) < depth(first_written(new))
