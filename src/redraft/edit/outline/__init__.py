"""In: the lines of a file, or of a fragment of it, and its path. Out: its declarations, keys, rules and sections."""

from redraft.edit.outline.fragment import fragment
from redraft.edit.outline.nodes import Node, Outline
from redraft.edit.outline.outline import outline

__all__ = ["Node", "Outline", "fragment", "outline"]
