"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

from redraft.edit.answer.block import Block
from redraft.edit.merge.indentation import fitted, reindented
from redraft.edit.merge.insertion import Spot, inserted, separation
from redraft.edit.merge.option import Option
from redraft.edit.merge.patch import patched
from redraft.edit.outline import Outline

_AS_TOLD = 0.2


def at_spot(file: Outline, block: Block, spot: Spot, shown: Outline) -> Option:
    """The lines of a block, with their outline, at a spot."""
    texts = fitted(tuple(line.text for line in block.lines), spot, file)
    is_long = any(shown.nodes[at].end - shown.nodes[at].head > 1 for at in shown.top())
    above, below = separation(file, spot, is_long, 0, 0)
    patch = inserted(file.lines, spot.at, texts, above, below)
    return Option(patched(file.lines, [patch]) or (), _AS_TOLD, "as told")


def in_place(file: Outline, block: Block, span: tuple[int, int]) -> Option:
    """The lines instead of a span of the file."""
    start, end = span
    texts = tuple(line.text for line in block.lines)
    new = reindented(texts, texts[:1], file.lines[start])
    gone = frozenset(node.name for node in file.nodes if start <= node.head < end)
    return Option((*file.lines[:start], *new, *file.lines[end:]), 0.0, "in place", gone)
