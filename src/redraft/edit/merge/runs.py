"""In: a block of an answer. Out: its runs between markers as hunks; the block without notes of what is gone."""

from collections.abc import Iterator
from dataclasses import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.hunks.parse import Hunk
from redraft.edit.words import Deletion, Known, deletion


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
        if note is not None:
            notes.append(note)
            noted_at = len(lines)
        elif not (line.is_blank and noted_at == len(lines) and lines and lines[-1].is_blank):
            lines.append(line)
    return replace(block, lines=tuple(lines)), tuple(notes)
