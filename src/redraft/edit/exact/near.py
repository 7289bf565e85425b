"""In: an old text and a page that does not have it. Out: the places that are the most like it, and what differs."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from redraft.edit.exact.page import Page
from redraft.edit.text.changes import split_lines

_COMMON = 50  # places of a line, above which it tells nothing
_TRIED = 12  # places that are looked at closely
_LIKE = 0.6  # of a line, or of a place, from which it may be meant
_WORD = re.compile(r"\w+")


class Near(Struct, frozen=True):
    """Lines `start:end` of a page; `differs` pairs a line of the old text with what stands there, None for neither."""

    start: int
    end: int
    likeness: float
    differs: tuple[tuple[str | None, str | None], ...]


def nearest(old: str, page: Page, most: int) -> list[Near]:
    """At most so many places, the most alike first; none that share lines."""
    texts = split_lines(old)
    while texts and not texts[0].strip():
        texts.pop(0)
    while texts and not texts[-1].strip():
        texts.pop()
    if not texts:
        return []
    found = sorted(_tried(texts, page), key=lambda near: (-near.likeness, near.start))
    kept: list[Near] = []
    for near in found:
        if near.likeness >= _LIKE and all(near.end <= other.start or other.end <= near.start for other in kept):
            kept.append(near)
    return kept[:most]


def _tried(texts: Sequence[str], page: Page) -> Iterator[Near]:
    for start in _starts(texts, page):
        end = min(start + len(texts), len(page.lines))
        if start < end:
            yield _compared(texts, page, max(start, 0), end)


def _starts(texts: Sequence[str], page: Page) -> list[int]:
    """Where the old text would begin by its lines that the page has, or by the words of its longest line."""
    votes: Counter[int] = Counter()
    for at, text in enumerate(texts):
        places = page.bare.get(text.strip(), []) if text.strip() else []
        if len(places) <= _COMMON:
            votes.update(place - at for place in places if place >= at)
    if not votes:
        longest = max(range(len(texts)), key=lambda at: len(texts[at].strip()))
        words = set(_WORD.findall(texts[longest]))
        for at, line in enumerate(page.lines):
            shared = len(words & set(_WORD.findall(line)))
            if 2 * shared > len(words):
                votes[at - longest] = shared
    return [start for start, _ in votes.most_common(_TRIED)]


def _compared(texts: Sequence[str], page: Page, start: int, end: int) -> Near:
    there = page.lines[start:end]
    codes = SequenceMatcher(None, [text.strip() for text in texts], [line.strip() for line in there], autojunk=False)
    differs: list[tuple[str | None, str | None]] = []
    like = 0.0
    for tag, a, b, c, d in codes.get_opcodes():
        if tag == "equal":
            like += 2 * (b - a)
            differs += [pair for pair in zip(texts[a:b], there[c:d], strict=True) if pair[0] != pair[1]]
            continue
        for at in range(max(b - a, d - c)):
            one = texts[a + at] if a + at < b else None
            other = there[c + at] if c + at < d else None
            differs.append((one, other))
            if one is not None and other is not None:
                like += 2 * SequenceMatcher(None, one.strip(), other.strip(), autojunk=False).ratio()
    return Near(start, end, like / (len(texts) + len(there)), tuple(differs))
