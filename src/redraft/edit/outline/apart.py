"""In: an outline. Out: the same, with comments a blank line above what they document, where a file has them so."""

from msgspec.structs import replace

from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.text.lines import width_of

_MANNER = 2  # such comments, from which they are the manner of a file


def with_apart(found: Outline, is_manner: bool = False) -> Outline:
    """The outline with such comments; `is_manner`: one is enough, and may be the first thing there is."""
    starts = {
        at: first
        for at, node in enumerate(found.nodes)
        if (first := _begins(found, node)) is not None and (first or is_manner)
    }
    if len(starts) < (1 if is_manner else _MANNER):
        return found
    nodes = (replace(node, start=starts.get(at, node.start)) for at, node in enumerate(found.nodes))
    return replace(found, nodes=tuple(nodes))


def is_apart(file: Outline) -> bool:
    """Whether declarations of a file have their comments a blank line above."""
    return any(not file.lines[at].strip() for node in file.nodes for at in range(node.start, node.head))


def _begins(found: Outline, node: Node) -> int | None:
    """Where a comment of several lines begins that ends two lines above a declaration, at its indentation."""
    lines, last = found.lines, node.start - 2
    if last < 1 or lines[last + 1].strip() or lines[last].strip() != "*/":
        return None
    first = last
    while first and lines[first].lstrip().startswith("*"):
        first -= 1
    opened = lines[first]
    is_own = opened.strip().startswith("/**") and width_of(opened) == width_of(lines[node.start])
    return first if is_own else None
