"""In: the nodes of a tree with faults. Out: those, and what headers and indentation declare where the tree does not."""

from collections.abc import Sequence

from redraft.edit.outline.nodes import Node, nested
from redraft.edit.outline.plain import plain


def with_headers(nodes: tuple[Node, ...], doubts: Sequence[tuple[int, int]], lines: Sequence[str]) -> tuple[Node, ...]:
    """The nodes, and those by headers that begin in a line in doubt."""
    unsure = {line for first, end in doubts for line in range(first, min(end, len(lines)))}
    known = {node.head for node in nodes}
    more = [node for node in plain(lines) if node.head in unsure and node.kind != "call" and node.head not in known]
    return nested([*nodes, *more]) if more else nodes
