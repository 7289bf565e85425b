"""In: a file, an answer about it, and the new text. Out: the lines that go though the answer does not show them."""

import re
from collections.abc import Sequence

from msgspec import Struct

from redraft.edit.align.likeness import overlap, tokens
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.newlines import with_newlines

_ALIKE = 0.5  # share of tokens from which a line that comes is the new version of one that goes, as for licences
_SIGNS = re.compile(r"^[\s>+\-|]+")
_WORD = re.compile(r"\w")


class Vanished(Struct, frozen=True):
    """A line of the file, counted from 1."""

    line: int
    text: str


def vanished(original: str, update: str, output: str) -> tuple[Vanished, ...]:
    """Each line of the file that goes, of which no new version comes, and which the answer shows nowhere.

    Blank lines and brackets alone do not count.
    """
    old, new = (split_lines(with_newlines(text)) for text in (original, output))
    lines = update.split("\n")
    shown = {line.strip() for line in (*new, *lines, *(_SIGNS.sub("", line) for line in lines))}
    return tuple(
        Vanished(at + 1, old[at])
        for change in line_changes(old, new)
        for at in _gone(change, old, new)
        if _WORD.search(old[at]) and old[at].strip() not in shown
    )


def _gone(change: LineChange, old: Sequence[str], new: Sequence[str]) -> list[int]:
    """The lines of a change without those that have a new version, each that comes being the version of one."""
    left = [*change.gone]
    for line in new[change.after_start : change.after_end]:
        words = tokens(line.strip())
        likeness = {at: overlap(tokens(old[at].strip()), words) for at in left}
        best = max(likeness, key=lambda at: likeness[at], default=None)
        if best is not None and likeness[best] >= _ALIKE:
            left.remove(best)
    return left
