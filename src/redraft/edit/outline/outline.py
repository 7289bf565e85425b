"""In: the lines of a file and its path. Out: its outline."""

import re
from collections.abc import Sequence
from typing import Any

from redraft.edit.outline.grammars import grammar
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.outline.plain import plain
from redraft.edit.outline.walk import Found, Walked, head_of, walk

_CLOSES = re.compile(r"\s*(?:[}\])]|end\b|</|fi\b|done\b|esac\b|endif|endfunction|endmacro|@end|\*\))", re.IGNORECASE)
_SIGNATURE = 400  # characters: enough to tell overloads apart
_OFFSIDE = {"python", "starlark", "yaml", "nim", "gdscript"}  # what is indented below a node is its own


def outline(lines: Sequence[str], path: str) -> Outline:
    """The declarations of a file; any text is read."""
    return read(tuple(lines), grammar(path))


def read(lines: tuple[str, ...], language: str) -> Outline:
    """The outline of lines in a language."""
    source = "\n".join(lines).encode(errors="replace")
    walked = walk(source, lines, language)
    if walked is None:
        return Outline(lines, "", plain(lines), ())
    faults = tuple(sorted(line for line in walked.faults if line < len(lines)))
    return Outline(lines, language, _settled(walked, source, lines), faults)


def _settled(walked: Walked, source: bytes, lines: tuple[str, ...]) -> tuple[Node, ...]:
    """Nodes with their own lines: comments above taken in, no line shared with the next."""
    heads = [head_of(found.outer) for found in walked.found]
    starts = [_start(found.outer.start_point[0], walked.leads, lines) for found in walked.found]
    ends = _ends(walked.found, starts, heads, lines)
    children: list[list[int]] = [[] for _ in heads]
    for at, found in enumerate(walked.found):
        if found.parent is not None:
            children[found.parent].append(at)
    return tuple(
        _node(found, source, lines, starts[at], heads[at], ends[at], tuple(children[at]))
        for at, found in enumerate(walked.found)
    )


def _start(row: int, leads: dict[int, int], lines: Sequence[str]) -> int:
    width = _indent(lines[row])
    while (above := leads.get(row - 1)) is not None and _indent(lines[above]) == width and lines[above][:2] != "#!":
        row = above
    return row


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _ends(found: Sequence[Found], starts: Sequence[int], heads: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Where each ends: before its blank lines, and before the comments of the next."""
    ends = []
    for at, node in enumerate(found):
        end = min(node.end, len(lines))
        if node.grammar in _OFFSIDE:
            width = _indent(lines[starts[at]])
            while end < len(lines) and lines[end].lstrip()[:1] == "#" and _indent(lines[end]) > width:
                end += 1
        ends.append(end)
    open_nodes: list[int] = []
    for at, start in enumerate(starts):
        while open_nodes and open_nodes[-1] != found[at].parent:
            before = open_nodes.pop()
            ends[before] = min(ends[before], max(start, heads[before] + 1))
        open_nodes.append(at)
    for at, head in enumerate(heads):
        while ends[at] > head + 1 and not lines[ends[at] - 1].strip():
            ends[at] -= 1
    return ends


def _node(
    found: Found,
    source: bytes,
    lines: Sequence[str],
    start: int,
    head: int,
    end: int,
    children: tuple[int, ...],
) -> Node:
    inside = _inside(found.inner)
    body = _body(inside, lines, head, end)
    cut = inside.start_byte if inside is not None else found.outer.end_byte
    header = source[found.outer.start_byte : cut].decode(errors="replace")
    signature = _signature(found, header, head - found.outer.start_point[0])
    is_container = found.is_container and found.kind != "function"
    return Node(found.kind, found.name, signature, start, head, end, body, is_container, found.parent, children)


def _signature(found: Found, header: str, skipped: int) -> str:
    if found.kind in ("variable", "field", "key"):
        return found.name
    return " ".join(header.split("\n", skipped)[-1].split())[:_SIGNATURE].rstrip("{:( =")


def _inside(node: Any) -> Any:
    """The node that holds the inside: a block, a list of members, an object."""
    for _ in range(8):
        inner = node.child_by_field_name("body") or node.child_by_field_name("block")
        if inner is None:
            several = [c for c in node.named_children if c.end_point[0] > c.start_point[0] and "omment" not in c.type]
            inner = several[-1] if several else None
        if inner is None:
            return None
        if inner.child_by_field_name("body") is None and (
            inner.start_point[0] > node.start_point[0] or inner.child_count == 0 or inner.children[0].type in _OPENERS
        ):
            return inner
        node = inner
    return None


_OPENERS = {"{", "(", "[", "do", "block_start", "object_start", "#{", "then", "begin"}


def _body(inside: Any, lines: Sequence[str], head: int, end: int) -> tuple[int, int] | None:
    if end - head < 2:
        return None
    closes = bool(_CLOSES.match(lines[end - 1]))
    first = head + 1
    if inside is not None and inside.start_point[0] > head:
        row = inside.start_point[0]
        opens = inside.child_count and inside.children[0].type in _OPENERS
        first = row + 1 if opens else row
        while not opens and first > head + 1 and (not lines[first - 1].strip() or _is_comment(lines[first - 1])):
            first -= 1
    last = end - closes
    return (first, last) if first <= last else None


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//", "/*", "*", "--", ";"))
