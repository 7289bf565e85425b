"""In: the lines of a file, and an answer. Out: which new line it shows, and of which lines that may be a version."""

from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.fences import fences
from redraft.edit.text.changes import lines_named
from redraft.edit.text.lines import is_telling

WHICH = "say which line becomes"
_LISTED = 8  # places that a message names


def new_line(lines: Sequence[str], update: str) -> str | None:
    """The first line of the answer's code that the file does not have, but for brackets; None where it has all."""
    known = {line.strip() for line in lines}
    shown = (line for block in fences(update.split("\n"), is_intended=True) for line in block.lines)
    return next((line for line in shown if is_telling(line) and line.strip() not in known), None)


def of_several(lines: Sequence[str], number: int, new: str, update: str) -> str:
    """Which lines `new` may become the version of, where they read the same and nothing around it is shown; else ""."""
    places = [at for at, line in enumerate(lines, 1) if line.strip() == lines[number].strip()]
    shown = map(str.strip, filter(is_telling, update.split("\n")))
    if len(places) < 2 or not {line.strip() for line in lines}.isdisjoint(shown):
        return ""
    stands = f"{quoted(lines[number])} stands {len(places)} times in the file, at {lines_named(places, _LISTED)}"
    return f"{WHICH} {new}: {stands}"
