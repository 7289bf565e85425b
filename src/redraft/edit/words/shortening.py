"""In: one line of a sketch, and what the file knows. Out: the line of the file that it abbreviates with dots."""

import re

from redraft.edit.words.comments import LONGEST
from redraft.edit.words.known import Known, only

_CLOSERS = re.compile(r"[)}\]]+;?")
_SHORTEST = 6  # characters beside the dots that tell which line is meant
_OPENING = ("{", ":", "=>", "->", "=", ">", "do", "then", "[", "(", "begin")


def shortened(line: str, known: Known) -> str:
    """The one line of the file that a line with dots in it abbreviates: `parser.add(name, ...)`; "" where none is."""
    text = line.strip().replace("\u2026", "...")
    pieces = [piece.strip() for piece in text.split("...")]
    if len(pieces) < 2 or len(text) > LONGEST or sum(map(len, pieces)) < _SHORTEST or text in known.lines:
        return ""
    return only(whole for whole in known.having(max(pieces, key=len)) if _abbreviates(pieces, whole))


def _abbreviates(pieces: list[str], whole: str) -> bool:
    """Whether a line begins with the first piece and ends with the last, but for brackets that close what it opens."""
    end = "" if whole.endswith(_OPENING) and _CLOSERS.fullmatch(pieces[-1]) else pieces[-1]
    return len(whole) <= LONGEST and whole.startswith(pieces[0]) and whole[len(pieces[0]) :].endswith(end)
