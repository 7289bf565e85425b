"""In: an outline and what is new. Out: the patch that puts it where it belongs, with blank lines around it.

Where: beside the neighbours that the answer shows; where its words say; behind the last of its kind.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.align.likeness import indent
from redraft.edit.merge.common.patch import Patch
from redraft.edit.outline import Node, Outline

_FIRST_WORD = re.compile(r"\w+")
_NEAREST = 6  # gaps between siblings that are counted


class Spot(Struct, frozen=True):
    """A line before which new lines go; `like` is a sibling, whose indentation they take.

    `lead` is their indentation where there is no sibling. `beside` is the neighbour that the answer shows or names.
    `next_to`: it shows it right there. `apart`: words ask for blank lines around; `close`: they ask for none.
    """

    at: int
    like: int | None = None
    beside: int | None = None
    next_to: bool = False
    lead: str | None = None
    apart: bool = False
    close: bool = False


def default_spot(file: Outline, parent: int | None, node: Node | None) -> Spot:
    """Where a new declaration goes of which nothing is said: behind the last of its kind in its container."""
    if parent is None and node is not None and (home := _home(file, node)) is not None:
        parent = home
    siblings = list(file.top() if parent is None else file.nodes[parent].children)
    same = [at for at in siblings if node is not None and file.nodes[at].kind == node.kind]
    chosen = same or [at for at in siblings if file.nodes[at].body is not None] or siblings
    if node is not None and node.kind == "import" and not same:
        return Spot(_first_code(file))
    if chosen:
        return Spot(file.nodes[chosen[-1]].end, chosen[-1], chosen[-1])
    if parent is not None and (body := file.nodes[parent].body) is not None:
        return Spot(body[1], lead=" " * ((indent(file.lines[file.nodes[parent].head]) or 0) + 4))
    return Spot(len(file.lines))


def homed(file: Outline, spot: Spot, node: Node | None) -> Spot:
    """A spot at the end of a file; for a test the end of the one container that has tests like it."""
    if node is None or node.kind != "test" or spot.at < len(file.lines) or _home(file, node) is None:
        return spot
    return default_spot(file, None, node)


def _home(file: Outline, node: Node) -> int | None:
    """The container in which a method or a test belongs that is shown without one."""
    sort = _sort(node)
    if node.kind not in ("function", "test") or any(_sort(file.nodes[at]) == sort for at in file.top()):
        return None
    homes = [
        at
        for at, there in enumerate(file.nodes)
        if there.is_container and any(_sort(file.nodes[child]) == sort for child in there.children)
    ]
    return homes[0] if len(homes) == 1 else None


def _sort(node: Node) -> tuple[str, str]:
    """A kind, and the word that a test begins with: what stands in `describe` is none."""
    word = _FIRST_WORD.match(node.signature) if node.kind == "test" else None
    return node.kind, word[0] if word else ""


def _first_code(file: Outline) -> int:
    return file.nodes[file.top()[0]].start if file.top() else 0


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
    if spot.like is None and spot.lead:
        gap = _gap(file.lines, spot.at) if is_declared else 0
        return max(gap, above), max(gap, below)
    node = None if spot.like is None else file.nodes[spot.like]
    is_top = node is None or node.parent is None
    siblings = list(file.top() if node is None or node.parent is None else file.nodes[node.parent].children)
    if spot.next_to and above == below == _gap(file.lines, spot.at):
        return above, below
    usual = blank_lines(file, siblings, spot.at)
    if usual is None:
        usual = max(above, below) if spot.next_to else 2 if file.language == "python" and is_top else 1
    is_shown = spot.apart or (spot.next_to and above == below)
    return (max(usual, above), max(usual, below)) if is_shown else (usual, usual)


def _gap(lines: Sequence[str], at: int) -> int:
    """How many blank lines stand at a place."""
    sides = lines[:at][::-1], lines[at:]
    return sum(next((n for n, line in enumerate(side) if line.strip()), len(side)) for side in sides)


def blank_lines(file: Outline, siblings: Sequence[int], at: int) -> int | None:
    """How many blank lines part siblings of several lines from each other near a place; None where nothing tells."""
    gaps = [
        (min(abs(file.nodes[a].end - at), abs(file.nodes[b].start - at)), file.nodes[b].start - file.nodes[a].end)
        for a, b in pairwise(siblings)
        if is_long(file.nodes[a]) or is_long(file.nodes[b])
    ]
    found = Counter(gap for _, gap in sorted(gaps)[:_NEAREST] if 0 <= gap <= 3)
    return found.most_common(1)[0][0] if found else None


def is_long(node: Node) -> bool:
    """Whether a declaration has several lines, its comments aside."""
    return node.end - node.head > 1


def inserted(lines: Sequence[str], at: int, new: Sequence[str], above: int, below: int) -> Patch:
    """New lines before line `at`, with at least so many blank lines to what stands there, which are not doubled."""
    first = last = at
    while first and not lines[first - 1].strip():
        first -= 1
    while last < len(lines) and not lines[last].strip():
        last += 1
    top = 0 if first == 0 or _is_outside(lines[first - 1], new) else above
    ends = last == len(lines) or lines[last].lstrip().startswith(("endif", "#endif"))
    end = 0 if ends or _is_outside(lines[last], new) else below
    if first == 0:
        return Patch(0, at, (*new, *[""] * max(0, end - (last - at))))
    return Patch(at, at, (*[""] * max(0, top - (at - first)), *new, *[""] * max(0, end - (last - at))))


def _is_outside(line: str, new: Sequence[str]) -> bool:
    """Whether a line opens or closes what new lines stand in: no blank line stands there."""
    if line.lstrip().startswith(("</style", "</script")):  # what stands in it is rarely indented
        return True
    lead = next((width for text in new if (width := indent(text)) is not None), 0)
    return (indent(line) or 0) < lead
