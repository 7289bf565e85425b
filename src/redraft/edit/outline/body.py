"""In: the node of a declaration. Out: where its header ends, and the lines of its inside."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from redraft.edit.outline.naming import spans_lines
from redraft.edit.text.lines import width_of

_CLOSES = re.compile(r"\s*(?:[}\])]|end\b|</|fi\b|done\b|esac\b|endif|endfunction|endmacro|@end|\*\))", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:$|#|//|/?\*|--|;)")  # or a blank line
_OPENERS = {"{", "(", "[", "do", "block_start", "object_start", "#{", "then", "begin"}
_TAGS = {"start_tag", "STag"}
_HEADED = {"section", "table", "table_array_element", "block_sequence_item"}  # one line of header, none that closes
_DEEPEST = 8  # from a declaration to the block that it holds


class Opening(Struct, frozen=True):
    """The byte behind a header, and the first line of the inside; -1 where that is not known."""

    cut: int
    first: int
    is_headed: bool = False


def opening_of(node: Any) -> Opening:
    """Where the header of a declaration ends."""
    if node.type in _HEADED:
        return Opening(node.end_byte, node.start_point[0] + 1, True)
    if node.children and node.children[0].type in _TAGS:
        return Opening(node.children[0].end_byte, node.children[0].end_point[0] + 1)
    inside = _inside(node)
    if inside is None:
        return Opening(node.end_byte, -1)
    opener = _opener(inside)
    return Opening(inside.start_byte, inside.start_point[0] if opener is None else opener.start_point[0] + 1)


def _opener(node: Any) -> Any:
    """The bracket or word with which the inside opens: the first of a block, the second of `struct {`."""
    return next((child for child in node.children[:2] if child.type in _OPENERS), None)


def _inside(node: Any) -> Any:
    """The node that holds the inside: a block, a list of members, an object."""
    for _ in range(_DEEPEST):
        several = (c for c in reversed(node.named_children) if spans_lines(c) and "omment" not in c.type)
        inner = node.child_by_field_name("body") or node.child_by_field_name("block") or next(several, None)
        if inner is None:
            return None
        is_last = inner.start_point[0] > node.start_point[0] or inner.child_count == 0
        if inner.child_by_field_name("body") is None and (is_last or _opener(inner) is not None):
            return inner
        node = inner
    return None


def body_of(opening: Opening, lines: Sequence[str], head: int, end: int) -> tuple[int, int] | None:
    """The lines between a header and the line that closes it; None where there are none."""
    if end - head < 2:
        return None
    first = max(head + 1, opening.first)
    if opening.is_headed:
        return first, end
    while first > head + 1 and _COMMENT.match(lines[first - 1]):
        first -= 1
    closes = _CLOSES.match(lines[end - 1]) is not None and width_of(lines[end - 1]) <= width_of(lines[head])
    last = end - closes
    return (first, last) if first <= last else None
