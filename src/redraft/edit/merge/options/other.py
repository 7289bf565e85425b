"""In: a block of an answer, and what is said before it. Out: whether it is for another place than the file."""

from collections.abc import Iterator

from redraft.edit.align.likeness import form
from redraft.edit.answer.block import Block
from redraft.edit.merge.options.option import Option
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known
from redraft.edit.words.hints import names_another_file

_BY_CHANCE = 0.34  # share of lines known that code of another place may have, too
_LEFT_OUT = 0.8  # what speaks against leaving out a block of which nobody says that it is an example


def may_be_other(block: Block, known: Known) -> bool:
    """Whether the file has so few lines of a block, however spaced, that these may be there by chance."""
    telling = [line.text for line in block.lines if line.kind != "marker" and is_telling(line.text)]
    most = 0 if block.explicit else _BY_CHANCE * len(telling)
    if sum(text.strip() in known.lines for text in telling) > most:
        return False
    forms = set(map(form, known.lines))
    return sum(form(text) in forms for text in telling) <= most


def as_other(
    file: Outline, block: Block, shown: Outline, known: Known, path: str, is_aside: bool, is_placed: bool
) -> Iterator[Option]:
    """The file as it is, where a block may be a usage example or code for another file."""
    if not is_placed and {node.kind for node in shown.nodes} != {"import"}:
        is_aside = (is_aside or names_another_file(block.prose, path)) and may_be_other(block, known)
        yield Option(file.lines, 0.0 if is_aside else _LEFT_OUT, "left out", is_tolerant=False)
