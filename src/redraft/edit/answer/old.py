"""In: the lines of a block, and what the file knows. Out: the lines without those of the file kept as comments.

Some show what a change replaces: the file's own lines as comments behind a word such as `OLD:`, below it or before it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from redraft.edit.answer.block import Line
from redraft.edit.text.lines import written
from redraft.edit.words import Known, comment_body

_WORD = (
    r"(?:old|before|was|were|previous(?:ly)?|former(?:ly)?|original(?:ly)?|prior|removed?|deleted?|replaced|outgoing)"
)
_LABEL = re.compile(rf"[\W_]*(?:[^\W\d_]+\s+){{0,3}}?{_WORD}\b[^:()=;{{}}]{{0,50}}:", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(.*?\S)\s*(?:<[-=]+|\u2190|//|#|--|\u2013|\u2014|\()\s*(?:[^\W\d_]+\s+){{0,3}}?{_WORD}\b[^()=;{{}}]{{0,40}}\)?",
    re.IGNORECASE,
)
_OPENED = (("<!--", "-->"), ("/*", "*/"), ("{/*", "*/}"), ("{#", "#}"), ("--[[", "]]"))


class Kept(Struct, frozen=True):
    """The lines that are meant for the file, and the file's own that the others say are gone, stripped."""

    lines: tuple[Line, ...]
    old: frozenset[str] = frozenset()


def without_old(lines: Sequence[Line], known: Known) -> Kept:
    """The lines without old ones kept as comments; a label alone, of no line of the file, is left as it is."""
    shown: list[Line] = []
    old: set[str] = set()
    at = 0
    while at < len(lines):
        count, found = _old_from(lines, at, known)
        shown += [] if found else [lines[at]]
        old.update(found)
        at += count if found else 1
    return Kept(tuple(shown), frozenset(old))


def _old_from(lines: Sequence[Line], at: int, known: Known) -> tuple[int, list[str]]:
    """How many lines from a label on are old ones, and the file's lines that they are."""
    text = lines[at].text.strip()
    if not text or text in known.lines or lines[at].kind == "removed" or lines[at].added:
        return 1, []
    if (end := _closer(text)) is not None:
        return _enclosed(lines, at, end, known) if _LABEL.match(text) else (1, [])
    body = comment_body(text) or ""
    behind = _BEHIND.fullmatch(body)
    if behind and (line := known.line(behind[1])):
        return 1, [line]
    label = _LABEL.match(body)
    if label is None:
        return 1, []
    if rest := body[label.end() :].strip():
        return 1, list(filter(None, [_line(rest, known)]))
    return _below(lines[at + 1 :], known)


def _below(lines: Sequence[Line], known: Known) -> tuple[int, list[str]]:
    """The comments below a label, and those that are lines of the file, where that is at least one of two."""
    texts = [_line(body, known) for body in takewhile(bool, _bodies(lines, known))]
    found = [*filter(None, texts)]
    last = max((number for number, text in enumerate(texts, 1) if text), default=0)
    return last + 1, found if 2 * len(found) >= last else []


def _closer(text: str) -> str | None:
    """What closes the comment that a line opens and does not close."""
    return next((close for open_, close in _OPENED if text.startswith(open_) and close not in text), None)


def _enclosed(lines: Sequence[Line], at: int, end: str, known: Known) -> tuple[int, list[str]]:
    """A label and what follows it within a comment of several lines."""
    inside = [*takewhile(lambda text: end not in text, (line.text for line in lines[at + 1 :]))]
    solid = [text.strip() for text in written(inside)]
    found = [text for text in solid if text in known.lines]
    return len(inside) + 2, found if 2 * len(found) >= len(solid) else []


def _bodies(lines: Sequence[Line], known: Known) -> Iterator[str]:
    """What stands in comments that the file does not have, up to the first other line."""
    for line in lines:
        text = line.text.strip()
        yield (comment_body(text) or "").strip() if text not in known.lines else ""


def _line(text: str, known: Known) -> str:
    """The line of the file that a text is, or alone begins with."""
    return known.line(text) or known.holding(text.rstrip(". \u2026"))
