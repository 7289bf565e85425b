"""In: lines. Out: their tokens, without what never matters, or without the breaks of lines."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import filterfalse

from redraft.edit.text.lines import is_comment

_TOKEN = re.compile(r"\w+|[^\w\s]")
_COMMENT = re.compile(r"\s*(/\*+|\*(?!/)|//+!?|#+|--+|;+)\s*")
_PADDED = re.compile(r"^0x0+(?=[\da-f])")
_BRACED = re.compile(r"\$\{(\w+)\}")  # a variable within a string or a command
_QUOTES = str.maketrans("'`\u2018\u2019\u201c\u201d\u2013\u2014", '""""""--')
_WRAPPING = frozenset(";,\\")  # what comes and goes where lines are wrapped


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a line, without what never matters: kind of quotes and dashes, a separator at the end, how a number
    is written, braces around the name of a variable."""
    text = _BRACED.sub(r"$\1", text) if "${" in text else text
    found = [_number(token) if token[0].isdigit() else token for token in _TOKEN.findall(text.translate(_QUOTES))]
    while found and found[-1] in ",;":
        found.pop()
    return tuple(found)


def _number(token: str) -> str:
    """A number without separators of digits, zeros before a hexadecimal one, and its case."""
    return _PADDED.sub("0x", token.replace("_", "").lower())


def unwrapped(lines: Sequence[str]) -> list[str]:
    """The tokens of lines that may be wrapped otherwise, without the signs before further lines of a comment."""
    found: list[str] = []
    above = ""
    for line in lines:
        sign = _COMMENT.match(line) if is_comment(line) else None
        mark, text = (sign[1], line[sign.end() :]) if sign else ("", line)
        goes_on = above and mark in ("*", above)
        found += filterfalse(_WRAPPING.__contains__, tokens(text if goes_on else line))
        above = mark * bool(text.strip() or mark.startswith("/*"))
    return found
