"""In: a file before and after an answer, and its words. Out: the new lines with what one line shows in all that say the
same, where the words say that it goes for the others, too."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_comment
from redraft.edit.words import Known
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.known import whole_piece
from redraft.edit.words.sentences import CODE

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_PATH = re.compile(r"[\w@$/:.-]+")  # what a name stands in, with what it is taken from or what is taken from it
_SENTENCE = re.compile(r"(?<=[.!?;。])\s+|\n")
_LEAST = 3  # letters of what is replaced

Lines = tuple[str, ...]


def everywhere(before: Sequence[str], after: Lines, prose: str, known: Known) -> Lines:
    """The new lines, where a sentence says that the others change alike and names none of them."""
    told = [text for text in _SENTENCE.split(prose) if speaks_of("others alike", text)]
    if not told or any(known.name(code) for text in told for code in CODE.findall(text)):
        return after
    found = dict(_replaced(before, after))
    if len(found) != 1:
        return after
    ((old, new),) = found.items()
    piece = whole_piece(old)
    return tuple(line if is_comment(line) else piece.sub(lambda _: new, line) for line in after)


def _replaced(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What lines have instead of a name, with what it stands in."""
    for change in line_changes(before, after):
        old, new = before[change.start : change.end], after[change.after_start : change.after_end]
        for line, text in zip(old, new, strict=True) if len(old) == len(new) else ():
            yield from _piece(line, text)


def _piece(line: str, text: str) -> Iterator[tuple[str, str]]:
    """The one piece that differs in two lines, where it is long enough to tell."""
    old, new = _TOKEN.findall(line), _TOKEN.findall(text)
    codes = [code for code in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if code[0] != "equal"]
    if len(codes) != 1:
        return
    _, start, end, first, last = codes[0]
    above, gone, come, below = ("".join(part) for part in (old[:start], old[start:end], new[first:last], old[end:]))
    lead, tail = _PATH.match(above[::-1]), _PATH.match(below)
    left, right = lead[0][::-1] if lead else "", tail[0] if tail else ""
    piece = left + gone + right
    if gone.strip() and come.strip() and sum(map(str.isalnum, piece)) >= _LEAST:
        yield piece, left + come + right
