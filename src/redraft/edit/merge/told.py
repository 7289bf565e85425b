"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

from redraft.edit.answer.block import Block
from redraft.edit.merge.insertion import Spot, inserted, separation
from redraft.edit.merge.option import Option
from redraft.edit.merge.patch import patched
from redraft.edit.merge.structure import fitted, reindented
from redraft.edit.outline import Outline
from redraft.edit.words.hints import last_lines, speaks_of

_AS_TOLD = 0.2
_NOTE = 0.3  # what speaks against new lines of which some may be left out


def at_spot(file: Outline, block: Block, spot: Spot, is_long: bool) -> Option:
    """The lines at a spot, without notes; `is_long`: a declaration of several lines is among them."""
    texts = fitted(tuple(line.text for line in block.lines if line.kind != "marker"), spot, file)
    said = last_lines(block.prose)
    told = int(speaks_of("blanks", said) and not speaks_of("no blanks", said))
    above, below = (max(told, count) for count in separation(file, spot, is_long, told, told))
    patch = inserted(file.lines, spot.at, texts, above, below)
    notes = sum(line.kind == "marker" for line in block.lines)
    return Option(patched(file.lines, [patch]) or (), _AS_TOLD + _NOTE * notes, "as told")


def in_place(file: Outline, block: Block, span: tuple[int, int]) -> Option:
    """The lines instead of a span of the file."""
    start, end = span
    texts = tuple(line.text for line in block.lines)
    new = reindented(texts, texts[:1], file.lines[start])
    gone = frozenset(node.name for node in file.nodes if start <= node.head < end)
    return Option((*file.lines[:start], *new, *file.lines[end:]), 0.0, "in place", gone)
