"""In: one line of a sketch, and what the file knows. Out: the line of the file that it abbreviates with dots."""

import re
from itertools import islice

from redraft.edit.words.comments import LONGEST
from redraft.edit.words.known import Known

_CLOSERS = re.compile(r"[)}\]]+;?")
_SHORTEST = 6  # characters beside the dots that tell which line is meant
_OPENING = ("{", ":", "=>", "->", "=", ">", "do", "then", "[", "(", "begin")


def shortened(line: str, known: Known) -> str:
    """The one line of the file that a line with dots in it abbreviates: `parser.add(name, ...)`; "" where none is."""
    text = line.strip().replace("\u2026", "...")
    pieces = [piece.strip() for piece in text.split("...")]
    if len(pieces) < 2 or len(text) > LONGEST or sum(map(len, pieces)) < _SHORTEST or text in known.lines:
        return ""
    found = list(islice((whole for whole in known.having(max(pieces, key=len)) if _abbreviates(pieces, whole)), 2))
    return found[0] if len(found) == 1 else ""


def _abbreviates(pieces: list[str], whole: str) -> bool:
    """Whether a line begins with the first piece, ends with the last, and has the others in between; the brackets that
    an opening line leaves to be closed are no end."""
    if whole.endswith(_OPENING) and _CLOSERS.fullmatch(pieces[-1]):
        pieces = [*pieces[:-1], ""]
    if len(whole) > LONGEST or not whole.startswith(pieces[0]) or not whole.endswith(pieces[-1]):
        return False
    at, last = len(pieces[0]), len(whole) - len(pieces[-1])
    for piece in pieces[1:-1]:
        at = whole.find(piece, at, last) + len(piece)
        if at < len(piece):
            return False
    return at < last
