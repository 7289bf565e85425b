"""In: a block that sentences put in the place of something, and a file. Out: the file with it instead of the one
stretch that has its shape and of which the sentences say a word: `Swap the row of Oslo for this one:`."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.answer.block import Block
from redraft.edit.merge.options.option import Option
from redraft.edit.merge.options.told import in_place
from redraft.edit.outline import Outline
from redraft.edit.words import Saying

_WORD = re.compile(r"[^\W\d_]{4,}")
_FIRST = re.compile(r"\s*(\W*\w*)")
_RARE = 4  # lines of the file with a word that may tell a stretch
_SHAPED = 0.05


def in_shape(file: Outline, block: Block, said: Sequence[Saying]) -> Iterator[Option]:
    """The block instead of the stretch that is told, where it is the only one."""
    texts = [line.text for line in block.lines]
    saying = next((saying for saying in reversed(said) if saying.verb), None)
    if saying is None or saying.verb != "replace" or saying.names or saying.places or block.has_markers:
        return
    shape = _shape(texts)
    starts = [at for at in range(len(file.lines) - len(texts) + 1) if _shape(file.lines[at : at + len(texts)]) == shape]
    told = _told(saying.text, "\n".join(texts), file)
    meant = [at for at in starts if len(starts) > 1 and any(at <= line < at + len(texts) for line in told)]
    if len(meant) == 1:
        option = in_place(file, block, (meant[0], meant[0] + len(texts)))
        yield Option(option.lines, _SHAPED, option.name, option.named)


def _told(said: str, shown: str, file: Outline) -> set[int]:
    """The lines with a word of a sentence that the block does not show and few lines have."""
    lower = shown.lower()
    words = {word.lower() for word in _WORD.findall(said)}
    lines = [line.lower() for line in file.lines]
    having = ([at for at, line in enumerate(lines) if word in line] for word in words if word not in lower)
    return {at for found in having if len(found) <= _RARE for at in found}


def _shape(lines: Sequence[str]) -> list[tuple[int, str]]:
    """How deep each line is beside the first one, and what it begins with."""
    top = indent(lines[0]) or 0
    return [((indent(line) or top) - top, _first(line)) for line in lines]


def _first(line: str) -> str:
    match = _FIRST.match(line)
    return match[1] if match else ""
