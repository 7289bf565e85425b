"""In: a block of an answer. Out: its runs between markers as hunks; the block without notes of what is gone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.hunks.parse import Hunk
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Deletion, Known, deletion, tells_removal


def hunks_of(block: Block) -> Iterator[Hunk]:
    """The runs of a block between its markers."""
    run: list[Line] = []
    for line in (*block.lines, Line("", "marker")):
        if line.kind != "marker":
            run.append(line)
        elif run:
            while run and run[0].is_blank:
                run.pop(0)
            while run and run[-1].is_blank:
                run.pop()
            if any(each.added or each.kind == "removed" for each in run):
                yield Hunk(tuple(run))
            run = []


def without_notes(block: Block, known: Known) -> tuple[Block, tuple[Deletion, ...]]:
    """The block without comments that say what is gone, and the blank line below each; and what they say."""
    notes: list[Deletion] = []
    lines: list[Line] = []
    noted_at = -1
    for line in block.lines:
        note = deletion(line.text, known) if line.kind != "removed" else None
        if note is None and line.kind == "marker" and tells_removal(line.text, known):
            note = Deletion()
        if note is not None:
            notes.append(note)
            noted_at = len(lines)
        elif not (line.is_blank and noted_at == len(lines) and lines and lines[-1].is_blank):
            lines.append(line)
    return replace(block, lines=tuple(lines)), tuple(notes)


def gone_by_notes(block: Block, lines: Sequence[str], known: Known) -> Iterator[str]:
    """The names of the file, and the lines that it has once, of which comments of a block say that they are gone."""
    yield from (name for note in without_notes(block, known)[1] for name in note.names)
    count = Counter(line.strip() for line in lines)
    shown = {line.text.strip() for line in block.lines if line.kind == "code"}
    yield from (text for text in sorted(block.old - shown) if count[text] == 1 and is_telling(text))
