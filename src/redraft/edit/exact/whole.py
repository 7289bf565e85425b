"""In: a file and an answer that may show all of it. Out: `Given`: the text that is shown, and the words around it.

What a file has is content, be it the marks of a format of edits. So an answer that gives the whole file back is told by
the file's own lines, before any format is looked for in it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from msgspec import Struct

from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import written
from redraft.edit.text.newlines import newlined
from redraft.edit.words import Known, is_marker

LARGE = 3_000_000  # lines of a file times lines of an answer that a table of both may hold, at some 200 bytes for each
_FENCE = re.compile(r"\s*(`{3,}|~{3,})[^`]*")
# How lines begin that have a meaning in some format of edits.
_MARK = re.compile(
    r"\s*(?:`{3}|~{3}|<{3,}|>|={3,}|\*{3}|[-+]|@@|diff |index |</?[\w-]+>|\d+ ?[|:\u2192\u2502]|:\w+_line:"
    r"|\\ No newline)"
)
_DOTS = re.compile(r"\.{3}|\u2026")


class Given(Struct, frozen=True):
    """A whole file as an answer shows it, and what it says besides."""

    text: str
    said: str


def given_back(original: str, update: str) -> Given | None:
    """None for an answer that is no copy of the file, or one with changes that may be read otherwise.

    A copy with changes is one in which each line that goes has a new line in its place, no mark is touched and at
    least half of the file stays. It is looked for where formats may be mistaken: in files that hold marks themselves,
    and in those too large to be compared in other ways.
    """
    file = split_lines(original)
    if not original.strip():
        return None
    shown = [*_shown(newlined(update, original).split("\n"))]
    for lines, said in shown:
        if lines == _bare(file):
            return Given(original, said)
    is_large = len(file) * (update.count("\n") + 1) > LARGE
    if not is_large and not any(map(_is_mark, file)):
        return None
    for lines, said in shown:
        if _is_copy(file, lines):
            blank = file[len(_bare(file)) :]
            return Given("\n".join((*lines, *blank)) + "\n" * original.endswith("\n"), said)
    return None


def _bare(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones at the end."""
    return [*dropwhile(lambda line: not line.strip(), reversed(lines))][::-1]


def _shown(lines: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """What may be the file: all of the answer, and what is between its first fence and its last one."""
    yield _bare(_unmarked(lines)), ""
    fences = [at for at, line in enumerate(lines) if _FENCE.fullmatch(line)]
    if len(fences) < 2:
        return
    start, end = fences[0], fences[-1]
    ticks = lines[start].lstrip()[:3]
    if lines[end].strip().strip(ticks[0]) or not lines[end].lstrip().startswith(ticks):
        return
    yield _bare(_unmarked(lines[start + 1 : end])), "\n".join((*lines[:start], *lines[end + 1 :])).strip()


def _unmarked(lines: Sequence[str]) -> list[str]:
    """The lines without byte-order marks that were copied with the file."""
    return [lines[0].lstrip("\ufeff"), *lines[1:]] if lines else []


def _is_mark(line: str) -> bool:
    return bool(_MARK.match(line)) or (bool(_DOTS.search(line)) and is_marker(line, Known()))


def _is_copy(file: Sequence[str], lines: Sequence[str]) -> bool:
    had, has = Counter(file), Counter(lines)
    gone, come = had - has, has - had  # whichever lines are paired: to compare large texts takes its time
    if 2 * gone.total() > len(file) or any(map(_is_mark, (*gone, *come))):
        return False
    found = line_changes(_bare(file), lines)
    changed = sum(change.end - change.start for change in found)
    return 2 * changed <= len(file) and all(_is_plain(file, lines, change) for change in found)


def _is_plain(file: Sequence[str], lines: Sequence[str], change: LineChange) -> bool:
    """Whether each line that goes has one that comes, and none of them is a mark."""
    old, new = file[change.start : change.end], lines[change.after_start : change.after_end]
    return len(written(old)) <= len(written(new)) and not any(map(_is_mark, (*old, *new)))
