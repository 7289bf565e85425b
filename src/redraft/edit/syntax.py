"""In: a file's text and path. Out: where a grammar finds it broken; nothing without one.

The grammars are those of tree-sitter; which one reads a file is told by its name.
"""

from typing import Any

from redraft.edit.outline.grammars import grammar
from redraft.edit.outline.grammars import parse as tree


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
