"""In: a file's text and path. Out: where a grammar finds it broken, and what its lines lie in; nothing without one.

The grammars are those of tree-sitter; which one reads a file is told by its name.
"""

from collections.abc import Sequence
from typing import Any

from redraft.edit.outline.grammars import grammar
from redraft.edit.outline.grammars import parse as tree

_DEFINITIONS = (
    *("definition", "declaration", "function", "method", "class", "struct", "impl", "interface", "module"),
    *("namespace", "enum", "trait", "object", "record", "pair"),
)


def parse(text: str, path: str) -> Any:
    """The root node of the tree, None without a grammar for the file."""
    return tree(text.encode(errors="replace"), grammar(path))


def faults(text: str, path: str) -> list[int]:
    """The lines, counted from 1, of what a grammar cannot read, or misses; none without a grammar."""
    root = parse(text, path)
    found, nodes = [], [] if root is None else [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            found.append(node.start_point[0] + 1)
        if node.has_error:
            nodes += node.children
    return sorted(found)


def enclosing(lines: Sequence[str], path: str) -> tuple[str, ...] | None:
    """For each line the innermost definition or key of several lines that it lies in, by name, "" for none.

    None without a grammar.
    """
    root = parse("\n".join(lines), path)
    if root is None:
        return None
    found = [""] * len(lines)
    nodes = [root]
    while nodes:
        node = nodes.pop()
        first, last = node.start_point[0], node.end_point[0]
        name = node.child_by_field_name("name") or node.child_by_field_name("key")
        if name is not None and any(part in node.type for part in _DEFINITIONS):
            found[first + 1 : last] = [name.text.decode(errors="replace").strip("\"'")] * (last - first - 1)
        nodes += [child for child in reversed(node.children) if child.end_point[0] > child.start_point[0] + 1]
    return tuple(found)
