"""In: a block of an answer. Out: its runs between markers as hunks; the block without notes of what is gone."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.hunks.parse import Hunk, start_in
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Deletion, Known, deletion, tells_removal


def hunks_of(block: Block) -> Iterator[Hunk]:
    """The runs of a block between its markers, with the numbers of lines that headers of a diff have."""
    run: list[Line] = []
    header = ""
    for line in (*block.lines, Line("", "marker")):
        if line.kind != "marker":
            run.append(line)
            continue
        if any(each.added or each.kind == "removed" for each in run):
            yield _hunk(run, header)
        header, run = line.text.strip(), []


def _hunk(run: Sequence[Line], header: str) -> Hunk:
    """A run without blank lines at its ends."""
    written = [at for at, line in enumerate(run) if not line.is_blank]
    start = start_in(header, run)
    lines = tuple(run[written[0] : written[-1] + 1])
    return Hunk(lines, None if start is None else start + written[0])


def checked(hunks: Sequence[Hunk], lines: Sequence[str]) -> list[Hunk]:
    """The hunks without their numbers where one with a line to look up does not stand at its own."""
    right = all(hunk.start is not None and _stands(hunk, lines) for hunk in hunks if hunk.old)
    return [hunk if right else replace(hunk, start=None) for hunk in hunks]


def _stands(hunk: Hunk, lines: Sequence[str]) -> bool:
    there = lines[hunk.start : (hunk.start or 0) + len(hunk.old)]
    return [line.rstrip() for line in there] == [line.text.rstrip() for line in hunk.old]


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
