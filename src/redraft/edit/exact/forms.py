"""In: a replacement. Out: the ways in which its two texts may be spelled: as they are, without a gutter, unescaped."""

import re
from collections.abc import Callable, Iterator
from html import unescape

from msgspec.structs import replace

from redraft.edit.exact.steps import Replacement

NUMBERED = re.compile(r"^[ \t]*\d{1,6}(?: ?[|\u2502](?: |$)|\u2192|#[A-Z]{2}:)", re.MULTILINE)
_BAR = re.compile(r"[ \t]*(\d{1,6}) ?[|\u2502](?: |$)")
_TAB = re.compile(r"[ \t]*(\d{1,6})\t")
_COLON = re.compile(r"[ \t]*(\d{1,6}):(?: |$)")
_ARROW = re.compile(r"[ \t]*(\d{1,6})\u2192")
ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,4}|#x[0-9a-fA-F]{1,4});")
_SPECIAL = re.compile(r"[<>]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{1,4}|#x[0-9a-fA-F]{1,4});)")
_ESCAPE = re.compile(r"\\([nrt\"'\\/])")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_TICKED = re.compile(r"`{3,}[\w\\]*\n(.*)\n`{3,}", re.DOTALL)
NO_BREAK = "\u00a0\u202f\u2007"
_TO_BLANKS = str.maketrans(dict.fromkeys(NO_BREAK, " "))


def forms(step: Replacement) -> Iterator[tuple[tuple[str, ...], Replacement]]:
    """Each with what it mends; both texts are read alike."""
    is_spaced = any(sign in step.old for sign in NO_BREAK)
    if not is_spaced:
        yield (), step
    for name, mended in (
        ("gutter of line numbers", _ungated(step)),
        ("entities for signs", _both(step, _entities)),
        ("ticks around old and new text", _both(step, _unticked)),
        ("no-break spaces", _both(step, spaced)),
        ("escapes for line breaks and quotes", _both(step, _escapes)),
    ):
        if mended is not None:
            yield (name,), mended
    if is_spaced:
        yield (), step
    for name, other in step.others:
        yield from (((name, *healed), form) for healed, form in forms(other))


def _both(step: Replacement, mend: Callable[[str], str | None]) -> Replacement | None:
    old, new = mend(step.old), mend(step.new)
    return replace(step, old=old, new=new) if old is not None and new is not None and old != step.old else None


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
    if "\n" in inner or re.search(r"(?<!\\)(?:\\\\)*[\"']", inner):
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
    return None


def _without(text: str, gutter: re.Pattern[str]) -> str | None:
    lines = text.removesuffix("\n").split("\n") if text else []
    found = [gutter.match(line) for line in lines]
    if any(match is None and line.strip() for match, line in zip(found, lines, strict=True)):
        return None
    return "".join(f"{line[match.end() :] if match else line}\n" for match, line in zip(found, lines, strict=True))
