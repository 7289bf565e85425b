"""In: an old text and a page that does not have it. Out: the places that are the most like it, and what differs."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from msgspec import Struct

from redraft.edit.exact.page import Page
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import ratio, without_blank_ends

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
    texts = without_blank_ends(split_lines(old))
    kept: list[Near] = []
    for near in sorted(_tried(texts, page), key=lambda near: (-near.likeness, near.start)):
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
    votes = page.likely_starts(texts)
    if texts and not votes:
        longest = max(range(len(texts)), key=lambda at: len(texts[at].strip()))
        words = set(_WORD.findall(texts[longest]))
        shared = [len(words & set(_WORD.findall(line))) for line in page.lines]
        votes.update({at - longest: count for at, count in enumerate(shared) if 2 * count > len(words)})
    return [start for start, _ in votes.most_common(_TRIED)]


def _compared(texts: Sequence[str], page: Page, start: int, end: int) -> Near:
    there = page.lines[start:end]
    codes = SequenceMatcher(None, [text.strip() for text in texts], [line.strip() for line in there], autojunk=False)
    differs: list[tuple[str | None, str | None]] = []
    alike: list[float] = []
    for tag, a, b, c, d in codes.get_opcodes():
        if tag == "equal":
            alike.append(2 * (b - a))
            differs += [pair for pair in zip(texts[a:b], there[c:d], strict=True) if pair[0] != pair[1]]
            continue
        pairs = [*zip_longest(texts[a:b], there[c:d])]
        differs += pairs
        alike += [2 * ratio(one.strip(), other.strip()) for one, other in pairs if None not in (one, other)]
    return Near(start, end, sum(alike) / (len(texts) + len(there)), tuple(differs))
