"""In: a change. Out: the first marker of the answer that would stand for no line of the file."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.block import Block, Line
from redraft.edit.text.lines import is_telling
from redraft.edit.words import deletion, is_marker, tells_removal
from redraft.laws.change import Broken, Change, spelling

_BARE = re.compile(
    r"(?i)^\W*(?:(?:the )?(?:rest of (?:the )?)?(?:existing|other|more|remaining)? ?code)?\W*(?:\*/|-->)?\s*$"
)
_IMPORTS = ("import ", "from ", "use ", "using ", "#include", "require")  # new ones come last, below what is marked


def empty_marker(change: Change) -> Broken | None:
    """None where the text has more lines than the answer shows between two lines that tell their place, with a marker
    between them."""
    places = _places(change)
    blocks = [block for block in change.answer.blocks if not block.explicit]
    laws = (law(block, change, places) for block in blocks for law in (_between_neighbours, _too_few))
    return next(filter(None, laws), None)


def _too_few(block: Block, change: Change, places: dict[str, int]) -> Broken | None:
    """The first marker between two lines, both of which the text has once, with fewer lines between them there."""
    for above, below in pairwise(_telling(block, places)):
        first, last = (places[spelling(block.lines[at].text)] for at in (above, below))
        if block.lines[above].text.lstrip().startswith(_IMPORTS) or first >= last:
            continue
        between = _written(block.lines[above + 1 : below])
        markers = [line for line in between if line.kind == "marker"]
        is_less = len([*filter(str.strip, change.after[first + 1 : last])]) < len(between)
        is_habit = _is_between_declarations(between, change, first, last)
        if markers and is_less and not is_habit and _all_stand(markers, change):
            return _empty(change, markers[0], first)
    return None


def _written(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.kind == "marker" or line.text.strip()]


def _is_between_declarations(between: Sequence[Line], change: Change, first: int, last: int) -> bool:
    """Whether a marker that names nothing stands between the end of a declaration and the head of the next one, where
    many write one from habit."""
    is_next = any(node.head == last for node in change.new.nodes) and change.new.at(first) != change.new.at(last)
    ends = [*between[:1], *between[-1:]]
    return is_next and [line.kind for line in ends] == ["code", "marker"] and _BARE.search(ends[-1].text) is not None


def _between_neighbours(block: Block, change: Change, places: dict[str, int]) -> Broken | None:
    """The first marker between two lines, one of which the text has once, that follow each other in the text."""
    lines = _written(block.lines)
    for above, marker, below in zip(lines, lines[1:], lines[2:], strict=False):
        if marker.kind != "marker" or not _all_stand([marker], change) or "marker" in (above.kind, below.kind):
            continue
        at = places.get(spelling(below.text))
        if at is None or not is_telling(above.text) or above.text.lstrip().startswith(_IMPORTS):
            continue
        first = change.above(at)
        if first is not None and spelling(change.after[first]) == spelling(above.text):
            return _empty(change, marker, first)
    return None


def _empty(change: Change, marker: Line, line: int) -> Broken:
    what = f"{quoted(marker.text)} would stand for nothing below {change.new_line(line)}"
    return Broken("marker", f"{what}: show which lines stay there, or take it out if none does")


def _places(change: Change) -> dict[str, int]:
    """Where each line stands that the text has once."""
    texts = [spelling(line) for line in change.after]
    counts = Counter(texts)
    return {text: at for at, text in enumerate(texts) if counts[text] == 1 and is_telling(text)}


def _telling(block: Block, places: dict[str, int]) -> Iterator[int]:
    shown = Counter(spelling(line.text) for line in block.lines)
    for at, line in enumerate(block.lines):
        text = spelling(line.text)
        if line.kind == "code" and text in places and shown[text] == 1:
            yield at


def _all_stand(markers: Sequence[Line], change: Change) -> bool:
    """Whether markers say that something stays, and none that something goes."""
    known = change.known
    stands = (is_marker(line.text, known) and not tells_removal(line.text, known) for line in markers)
    return all(stands) and not any(deletion(line.text, known) for line in markers)
