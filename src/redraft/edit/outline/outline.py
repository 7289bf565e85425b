"""In: the lines of a file and its path. Out: its outline."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import filterfalse
from typing import Any

from redraft.edit.outline.body import body_of, opening_of
from redraft.edit.outline.grammars import grammar
from redraft.edit.outline.headings import with_signs
from redraft.edit.outline.nodes import Node, Outline, nested
from redraft.edit.outline.plain import plain
from redraft.edit.outline.walk import DECORATIONS, Found, Walked, walk
from redraft.edit.text.lines import width_of

_OF_THE_FILE = ("#!", "//!", "/*!")  # comments that belong to no declaration
_SIGNATURE = 400  # characters: enough to tell overloads apart
_OFFSIDE = {"python", "starlark", "yaml", "nim", "gdscript"}  # what is indented below a node is its own

Places = tuple[int, ...]


def outline(lines: Sequence[str], path: str) -> Outline:
    """The declarations of a file; any text is read."""
    return _outline(tuple(lines), grammar(path))


def read(lines: tuple[str, ...], language: str) -> Outline:
    """The outline of lines in a language."""
    written = with_signs(lines) if language == "markdown" else lines
    source = "\n".join((*written, "")).encode(errors="replace")
    walked = walk(source, lines, language)
    if walked is None:
        return Outline(lines, "", plain(lines), ())
    faults = tuple(sorted({min(line, len(lines) - 1) for line in walked.faults if lines}))
    nodes = _settled(walked, source, lines)
    if any(node.parent is not None and node.end > nodes[node.parent].end for node in nodes):
        nodes = nested(nodes)  # a tree with faults may end a block before what is in it
    return Outline(lines, language, nodes, faults)


# The readers of an edit and its guards look at the same few texts again and again.
_outline = lru_cache(maxsize=64)(read)


def _settled(walked: Walked, source: bytes, lines: tuple[str, ...]) -> tuple[Node, ...]:
    """Nodes with their own lines: comments above taken in, no line shared with the next."""
    heads = [min(_head(found.outer), len(lines) - 1) for found in walked.found]  # what is missing may be behind them
    starts = [_start(found.outer.start_point[0], walked.leads, lines) for found in walked.found]
    ends = _ends(walked.found, starts, heads, lines)
    children: list[list[int]] = [[] for _ in heads]
    for at, found in enumerate(walked.found):
        if found.parent is not None:
            children[found.parent].append(at)
    spans = zip(starts, heads, ends, strict=True)
    return tuple(
        _node(found, source, lines, span, tuple(own))
        for found, span, own in zip(walked.found, spans, children, strict=True)
    )


def _start(row: int, leads: dict[int, int], lines: Sequence[str]) -> int:
    width = width_of(lines[row])
    while (
        (above := leads.get(row - 1)) is not None
        and width_of(lines[above]) == width
        and not lines[above].startswith(_OF_THE_FILE)
    ):
        row = above
    return row


def _ends(found: Sequence[Found], starts: Sequence[int], heads: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Where each ends: before its blank lines, and before the comments of the next."""
    ends = [_tree_end(node, width_of(lines[start]), lines) for node, start in zip(found, starts, strict=True)]
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


def _tree_end(node: Found, width: int, lines: Sequence[str]) -> int:
    """Where the tree ends a node, behind comments that are indented deeper where indentation tells what is its own."""
    end = min(node.end, len(lines))
    if node.grammar in _OFFSIDE:
        while end < len(lines) and lines[end].lstrip().startswith("#") and width_of(lines[end]) > width:
            end += 1
    return end


def _node(found: Found, source: bytes, lines: Sequence[str], span: tuple[int, int, int], children: Places) -> Node:
    start, head, end = span
    opening = opening_of(found.inner)
    header = source[found.outer.start_byte : opening.cut].decode(errors="replace")
    skipped = head - found.outer.start_point[0]
    signature = _signature(found, lines[head] if opening.is_headed else header.split("\n", skipped)[-1])
    body = body_of(opening, lines, head, end)
    is_single = not children and (found.kind == "key" or (body is None and found.kind in ("element", "namespace")))
    is_container = found.is_container and found.kind != "function" and not is_single
    return Node(found.kind, found.name, signature, start, head, end, body, is_container, found.parent, children)


def _signature(found: Found, header: str) -> str:
    if found.kind in ("variable", "field", "key"):
        return found.name
    return " ".join(header.split())[:_SIGNATURE].rstrip("{:( =")


def _head(node: Any) -> int:
    """The line on which a declaration itself begins, behind its decorators and attributes."""
    for _ in range(6):
        first, second, *_ = (*filterfalse(_is_lead, node.children), None, None)
        if first is None:
            break
        is_led = first.type == "modifiers" and any(map(_is_lead, first.children))
        if is_led:
            first = next(filterfalse(_is_lead, first.children), second or first)
        if is_led or first.start_point[0] != node.start_point[0] or first.child_count == 0:
            return int(first.start_point[0])
        node = first
    return int(node.start_point[0])


def _is_lead(node: Any) -> bool:
    return "nnotation" in node.type or node.type in (*DECORATIONS, "attribute") or "omment" in node.type
