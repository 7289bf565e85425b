"""In: a block with markers inside of lines, `int size() { /* as before */ }`, and the file. Out: what they stand for."""

from collections.abc import Iterator
from dataclasses import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.merge.drift import tokens
from redraft.edit.outline.outline import Outline
from redraft.edit.words import Known, split_inline


def expanded(block: Block, file: Outline, known: Known) -> Block:
    """The block with the file's own lines for each declaration whose inside a marker leaves out."""
    lines = tuple(new for line in block.lines for new in _expanded(line, file, known))
    return block if lines == block.lines else replace(block, lines=lines)


def _expanded(line: Line, file: Outline, known: Known) -> Iterator[Line]:
    parts = split_inline(line.text, known) if line.kind == "code" and not line.added else None
    found = _meant(parts[0], file) if parts else None
    if found is None:
        yield line
    else:
        yield from (replace(line, text=text) for text in found)


def _meant(before: str, file: Outline) -> tuple[str, ...] | None:
    """The lines of the one declaration of the file that begins like the text before a marker."""
    wanted = _header(before)
    found = [node for node in file.nodes if wanted and _header(file.lines[node.head])[: len(wanted)] == wanted]
    exact = [node for node in found if _header(file.lines[node.head]) == wanted]
    chosen = exact if len(exact) == 1 else found
    return file.lines[chosen[0].head : chosen[0].end] if len(chosen) == 1 else None


def _header(text: str) -> tuple[str, ...]:
    found = tokens(text)
    while found and found[-1] in "{([=:":
        found = found[:-1]
    return found
