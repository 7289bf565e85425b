"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

from redraft.edit.answer.block import Block
from redraft.edit.merge.insertion import Spot, inserted, separation
from redraft.edit.merge.option import Option
from redraft.edit.merge.patch import patched
from redraft.edit.merge.structure import reindented
from redraft.edit.outline import Outline
from redraft.edit.words.hints import last_lines, speaks_of

_AS_TOLD = 0.2


def at_spot(file: Outline, block: Block, spot: Spot, is_declared: bool) -> Option:
    """The lines at a spot; `is_declared`: a declaration is among them."""
    texts = tuple(line.text for line in block.lines)
    if spot.like is not None:
        texts = reindented(texts, texts[:1], file.lines[file.nodes[spot.like].head])
    elif spot.lead is not None:
        texts = reindented(texts, texts[:1], f"{spot.lead}.")
    said = last_lines(block.prose)
    told = int(speaks_of("blanks", said) and not speaks_of("no blanks", said))
    above, below = separation(file, spot, is_declared and len(texts) > 1, told, told)
    patch = inserted(file.lines, spot.at, texts, above, below)
    return Option(patched(file.lines, [patch]) or (), _AS_TOLD, "as told")


def in_place(file: Outline, block: Block, span: tuple[int, int]) -> Option:
    """The lines instead of a span of the file."""
    start, end = span
    texts = tuple(line.text for line in block.lines)
    new = reindented(texts, texts[:1], file.lines[start])
    gone = frozenset(node.name for node in file.nodes if start <= node.head < end)
    return Option((*file.lines[:start], *new, *file.lines[end:]), 0.0, "in place", gone)
