"""In: a block of an answer. Out: the block without notes of what is gone, and what these say."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.exact.read import read_diff
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Deletion, Known, deletion, tells_removal


def by_signs(lines: Sequence[str], block: Block) -> tuple[str, ...] | str:
    """The lines with a block in them that a diff's signs mark, by the rules of a diff; or why it has no place."""
    shown = ("@@ ... @@" if line.kind == "marker" else f"{_sign(line)}{line.text}" for line in block.lines)
    found = read_diff("\n".join((*lines, "")), "\n".join(("@@ ... @@", *shown)))
    if found is None or found.text is None:
        return found.message if found is not None else "the signs of a diff have no place in the file"
    return tuple(found.text.removesuffix("\n").split("\n"))


def _sign(line: Line) -> str:
    return "-" if line.kind == "removed" else "+" if line.added else " "


def without_notes(block: Block, known: Known) -> tuple[Block, list[str]]:
    """The block without comments that say what is gone, and the blank line below each; and the names that they say."""
    names: list[str] = []
    lines: list[Line] = []
    noted_at = -1
    for line in block.lines:
        note = deletion(line.text, known) if line.kind != "removed" else None
        if note is None and line.kind == "marker" and tells_removal(line.text, known):
            note = Deletion()
        if note is not None:
            names += note.names
            noted_at = len(lines)
        elif not (line.is_blank and noted_at == len(lines) and lines and lines[-1].is_blank):
            lines.append(line)
    return replace(block, lines=tuple(lines)), names


def gone_by_notes(block: Block, lines: Sequence[str], known: Known) -> Iterator[str]:
    """The names of the file, and the lines that it has once, of which comments of a block say that they are gone."""
    yield from without_notes(block, known)[1]
    count = Counter(map(str.strip, lines))
    old = block.old.difference(map(str.strip, block.code))
    yield from (text for text in sorted(old) if count[text] == 1 and is_telling(text))
