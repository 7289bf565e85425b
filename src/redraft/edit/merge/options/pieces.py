"""In: the lines of a file, and a block that is a diff, perhaps of pieces of lines. Out: the lines with it applied."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from redraft.edit.align.spelling import lead_of
from redraft.edit.answer.block import Block, Line
from redraft.edit.hunks.apply import Hunk, HunkError, apply_lines
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.common.patch import Patch, patched
from redraft.edit.merge.common.tokens import tokens
from redraft.edit.merge.options.runs import checked, hunks_of
from redraft.edit.text.lines import is_telling
from redraft.edit.words.hints import last_lines, speaks_of

_WIDTHS = (100, 3, 2, 1, 0)  # lines of context that are looked up where others are retold
_RETOLD = 0.2
_SEVERAL = 2
_LEAST = 3  # tokens behind its first word that tell a line


def with_hunks(lines: Sequence[str], block: Block) -> tuple[tuple[str, ...], float] | str:
    """The lines with all hunks of a block in them, and what speaks against it; or why one of them has no place."""
    hunks = checked(list(hunks_of(block)), lines)
    if speaks_of("each", last_lines(block.prose)) and (found := _in_every(lines, hunks)) is not None:
        return found, 0.0
    try:
        return tuple(apply_lines(lines, hunks)), 0.0
    except HunkError as error:
        reason = str(error)
    if (found := _in_pieces(lines, hunks)) is not None:
        return found, 0.0
    return _by_known(lines, hunks) or reason


def _in_every(lines: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...] | None:
    """The lines with a hunk in all places in which they have its old lines; None where that is not several."""
    if len(hunks) != 1 or not any(is_telling(line.text) for line in hunks[0].old):
        return None
    old = [line.text.strip() for line in hunks[0].old]
    bare = [line.strip() for line in lines]
    starts = [at for at in range(len(bare) - len(old) + 1) if bare[at : at + len(old)] == old]
    if (
        hunks[0].hint
        or hunks[0].start in starts[1:]
        or len(starts) < _SEVERAL
        or any(below < above + len(old) for above, below in pairwise(starts))
    ):
        return None
    first = [line.text for line in hunks[0].old[:1]]
    patches = [Patch(at, at + len(old), reindented(hunks[0].new, first, lines[at])) for at in starts]
    return patched(lines, patches)


def _by_known(lines: Sequence[str], hunks: Sequence[Hunk]) -> tuple[tuple[str, ...], float] | None:
    """The lines with the hunks in them, where lines of context are retold; None where one has no place without them."""
    known = {line.strip() for line in lines}
    parts = [_standing(part, lines) for hunk in _in_words_of(lines, hunks) for part in _cut(hunk, known)]
    if None in parts:
        return None
    try:
        return tuple(apply_lines(lines, [part for part in parts if part is not None])), _RETOLD
    except HunkError:
        return None


def _in_words_of(lines: Sequence[str], hunks: Sequence[Hunk]) -> Iterator[Hunk]:
    """The hunks with old lines as in the file, where it has one each that begins with another word only."""
    ends = Counter(map(_behind_first, lines))
    there = {end: line for line in lines if ends[end := _behind_first(line)] == 1 and len(end) >= _LEAST}
    for hunk in hunks:
        yield Hunk(tuple(_as_there(line, lines, there) for line in hunk.lines), hunk.start)


def _as_there(line: Line, lines: Sequence[str], there: Mapping[tuple[str, ...], str]) -> Line:
    found = None if line.added or line.text in lines else there.get(_behind_first(line.text))
    return line if found is None else replace(line, text=lead_of(line.text) + found.lstrip())


def _behind_first(text: str) -> tuple[str, ...]:
    """The tokens of a line without the word that it begins with."""
    found = tokens(text)
    return found[1:] if found and found[0].isalpha() else ()


def _standing(hunk: Hunk, lines: Sequence[str]) -> Hunk | None:
    """A hunk with as much of its context as stands in the file; None where it has no one place."""
    for width in _WIDTHS:
        part = _narrow(hunk, width)
        try:
            apply_lines(lines, [part])
        except HunkError:
            continue
        return part if any(is_telling(line.text) for line in part.old) else None
    return None


def _cut(hunk: Hunk, known: Collection[str]) -> Iterator[Hunk]:
    """The parts of a hunk between lines of context that are not known, those that change something."""
    run: list[Line] = []
    for line in (*hunk.lines, None):
        if line is not None and (line.added or line.kind == "removed" or line.text.strip() in known or line.is_blank):
            run.append(line)
            continue
        written = [at for at, each in enumerate(run) if not each.is_blank]
        part = Hunk(tuple(run[written[0] : written[-1] + 1])) if written else None
        if part is not None and part.changes:
            yield part
        run = []


def _narrow(hunk: Hunk, width: int) -> Hunk:
    """A hunk with so many lines of context at each end."""
    changed = [at for at, line in enumerate(hunk.lines) if line.added or line.kind == "removed"]
    return Hunk(hunk.lines[max(0, changed[0] - width) : changed[-1] + 1 + width])


def _in_pieces(lines: Sequence[str], hunks: Sequence[Hunk]) -> tuple[str, ...] | None:
    """The lines with one hunk after the other in them; None where one is neither lines nor a piece of text that the
    file has once."""
    found: tuple[str, ...] | None = tuple(lines)
    for hunk in hunks:
        found = None if found is None else _replaced(found, hunk)
    return found


def _replaced(lines: tuple[str, ...], hunk: Hunk) -> tuple[str, ...] | None:
    try:
        return tuple(apply_lines(lines, [hunk]))
    except HunkError:
        pass
    text, old, new = "\n".join(lines), "\n".join(line.text for line in hunk.old), "\n".join(hunk.new)
    if "\n" not in old + new:  # the file's indentation is in front of it, which is none of a piece
        old, new = old.strip(), new.strip()
    if not is_telling(old) or text.count(old) != 1 or (new and text.count(new)):
        return None
    return tuple(text.replace(old, new).split("\n"))
