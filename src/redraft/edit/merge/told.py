"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

from collections.abc import Iterator
from dataclasses import replace

from redraft.edit.align.merge import aligned
from redraft.edit.answer.block import Block
from redraft.edit.merge.indentation import fitted, reindented
from redraft.edit.merge.insertion import Spot, inserted, separation
from redraft.edit.merge.option import Option
from redraft.edit.merge.patch import Patch, patched
from redraft.edit.outline import Outline

_AS_TOLD, _IN_STRETCH = 0.2, 0.1


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


def in_stretch(file: Outline, block: Block, span: tuple[int, int], path: str) -> Iterator[Option]:
    """The lines instead of a stretch of the file; what they leave out by markers is looked for there alone."""
    if not block.has_markers:
        yield replace(in_place(file, block, span), shows_all=True)
        return
    found = aligned(file.lines[slice(*span)], block, path)
    for way in () if isinstance(found, str) else found:
        patches = [Patch(span[0] + each.start, span[0] + each.end, each.texts) for each in way]
        yield Option(patched(file.lines, patches) or file.lines, _IN_STRETCH, "in place")
