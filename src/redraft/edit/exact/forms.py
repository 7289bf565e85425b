"""In: a replacement. Out: the ways in which its two texts may be spelled: as they are, without a gutter, unescaped."""

import re
from collections.abc import Callable, Iterator
from html import unescape

from msgspec.structs import replace

from redraft.edit.exact.dots import ended, text_of
from redraft.edit.exact.steps import Replacement
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import written
from redraft.edit.text.newlines import newlined

NUMBERED = re.compile(r"^[ \t]*\d{1,6}(?: ?[|\u2502](?: |$)|\u2192|#[A-Z]{2}:)", re.MULTILINE)
_BAR = re.compile(r"^[ \t]*(\d{1,6}) ?[|\u2502](?: |$)")
_TAB = re.compile(r"^[ \t]*(\d{1,6})\t")
_COLON = re.compile(r"^[ \t]*(\d{1,6}):(?: |$)")
_ARROW = re.compile(r"^[ \t]*(\d{1,6})\u2192")
ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,4}|#x[0-9a-fA-F]{1,4});")
_SPECIAL = re.compile(r"[<>]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{1,4}|#x[0-9a-fA-F]{1,4});)")
_ESCAPE = re.compile(r"\\([nrt\"'\\/])")
_BARE_DOUBLE = re.compile(r"(?<!\\)(?:\\\\)*\"")
_BARE_SINGLE = re.compile(r"(?<!\\)(?:\\\\)*'")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_TICKED = re.compile(r"`{3,}[^\n`]*\n(.*)\n`{3,}", re.DOTALL)
_CALL = r"(?:antml:)?(?:(?:old|new)_?(?:str|string|text)|oldText|newText|parameter|SEARCH|REPLACE)"
_TAGGED = re.compile(rf"(?:\s*<{_CALL}\b[^<>]*>\n?)?(.*?)(?:\n?</{_CALL}>\s*)+", re.DOTALL)
_QUOTES = str.maketrans({**dict.fromkeys("\u2018\u2019\u201a\u201b", "'"), **dict.fromkeys("\u201c\u201d\u201e", '"')})
QUOTES, TAGS = "typographic quotes", "tags of the call"
# What a file has itself is no slip.
_OWN = {
    QUOTES: tuple("\u2018\u2019\u201a\u201b\u201c\u201d\u201e"),
    TAGS: ("</old_", "</new_", "</oldText", "</newText", "</parameter>", "</SEARCH>", "</REPLACE>"),
}
NO_BREAK = "\u00a0\u202f\u2007"
_TO_BLANKS = str.maketrans(dict.fromkeys(NO_BREAK, " "))


def forms(step: Replacement, file: str) -> Iterator[tuple[tuple[str, ...], Replacement]]:
    """Each with what it mends, where the file does not have that itself; both texts are read alike."""
    is_spaced = any(sign in step.old for sign in NO_BREAK)
    if not is_spaced:
        yield (), step
    for name, mended in (
        ("gutter of line numbers", _ungated(step)),
        ("entities for signs", _both(step, _entities)),
        ("ticks around old and new text", _both(step, _unticked)),
        (TAGS, _of_old(step, _untagged)),
        (QUOTES, _both(step, lambda text: text.translate(_QUOTES))),
        ("no-break spaces", _both(step, spaced)),
        ("escapes for line breaks and quotes", _both(step, _escapes)),
    ):
        if mended is not None and not any(sign in file for sign in _OWN.get(name, ())):
            yield (name,), replace(mended, old=newlined(mended.old, file), new=newlined(mended.new, file))
    if is_spaced:
        yield (), step
    for name, other in step.others:
        yield from (((name, *healed), form) for healed, form in forms(other, file))


def _both(step: Replacement, mend: Callable[[str], str | None]) -> Replacement | None:
    old, new = mend(step.old), mend(step.new)
    return replace(step, old=old, new=new) if old is not None and new is not None and old != step.old else None


def _of_old(step: Replacement, mend: Callable[[str], str | None]) -> Replacement | None:
    """What belongs to the call is taken off the old text, and off the new one if it is there."""
    old, new = mend(step.old), mend(step.new)
    return None if old is None else replace(step, old=old, new=step.new if new is None else new)


def _untagged(text: str) -> str | None:
    found = _TAGGED.fullmatch(text)
    return found[1] if found else None


def _entities(text: str) -> str | None:
    return None if _SPECIAL.search(text) else unescape(text)


def _unticked(text: str) -> str | None:
    found = _TICKED.fullmatch(text.strip("\n"))
    return f"{found[1]}\n" if found else None


def spaced(text: str) -> str:
    """A text with blanks for no-break spaces."""
    return text.translate(_TO_BLANKS)


def _escapes(text: str) -> str | None:
    """A text in one line whose breaks, or all of whose quotes, are escaped."""
    inner = text.removesuffix("\n")
    if "\n" in inner or _BARE_DOUBLE.search(inner) or (_BARE_SINGLE.search(inner) and "\\'" in inner):
        return None
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text)


def _ungated(step: Replacement) -> Replacement | None:
    """Without the numbers that stand in front of every line of both texts; the first one tells the place."""
    for gutter in (_BAR, _ARROW, _TAB, _COLON):
        sides = [_without(text, gutter) for text in (step.old, step.new)]
        if None not in sides and sides[0] != step.old:
            first = gutter.match(step.old)
            number = int(first[1]) if first and step.number in (None, int(first[1])) else None
            return replace(step, old=sides[0], new=sides[1], number=number, is_piece=False)
        if sides[0] is not None and not NUMBERED.search(step.new) and _counts_up(step, gutter):
            return replace(step, old=sides[0], new=ended(step.new), number=None, is_piece=False)
    return None


def _counts_up(step: Replacement, gutter: re.Pattern[str]) -> bool:
    """Whether the lines of the old text are numbered in a row, as a listing's are; a number and a colon may be code."""
    lines = step.old.removesuffix("\n").split("\n")
    numbers = [int(found[1]) for found in map(gutter.match, lines) if found]
    if not numbers or (len(lines) < 2 and gutter is _COLON):
        return False
    return numbers == [*range(numbers[0], numbers[0] + len(lines))]


def _without(text: str, gutter: re.Pattern[str]) -> str | None:
    lines = split_lines(text)
    if not all(map(gutter.match, written(lines))):
        return None
    return text_of(gutter.sub("", line) for line in lines)
