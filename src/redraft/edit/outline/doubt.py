"""In: the nodes of a tree with faults. Out: those, and what headers and indentation declare where the tree does not."""

from collections.abc import Sequence

from redraft.edit.outline.nodes import Node, innermost, nested
from redraft.edit.outline.plain import plain


def with_headers(nodes: tuple[Node, ...], doubts: Sequence[tuple[int, int]], lines: Sequence[str]) -> tuple[Node, ...]:
    """The nodes, and those by headers that begin in a line in doubt and cross no other."""
    unsure = {line for first, end in doubts for line in range(first, min(end, len(lines)))}
    known = {node.head for node in nodes}
    inside = innermost(nodes, len(lines) + 1)
    more = [
        node
        for node in plain(lines)
        if node.head in unsure and node.kind != "call" and node.head not in known and not _crosses(node, nodes, inside)
    ]
    return nested([*nodes, *more]) if more else nodes


def _crosses(node: Node, nodes: Sequence[Node], inside: Sequence[int | None]) -> bool:
    """Whether a declaration begins or ends within another that it is not all within, nor all around."""
    for line in (node.start, node.end):
        at = inside[line]
        while at is not None and nodes[at].start >= line:
            at = nodes[at].parent
        if at is not None and not (nodes[at].start <= node.start and node.end <= nodes[at].end):
            return True
    return False
