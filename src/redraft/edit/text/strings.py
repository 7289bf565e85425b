"""In: lines of code. Out: those that begin inside of a string of several lines, and whether dots there are text."""

import re
from collections.abc import Sequence

from redraft.edit.text.lines import written

_QUOTES = ('"""', "'''")
_TICKED = frozenset(("javascript", "typescript", "tsx", "vue", "svelte", "astro", "go", "bash"))
_TOKEN = re.compile(
    r"(\"\"\"|'''|`)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<![^\s;{}()])(?:#(?![{!\w])|//|--(?= )).*"
)


def in_strings(lines: Sequence[str], language: str) -> frozenset[int]:
    """The lines within strings of several lines: quotes three times, or ticks where the language has them.

    None where a string does not end.
    """
    quotes = (*_QUOTES, "`") if language in _TICKED else _QUOTES
    found, closing = set[int](), ""
    for at, line in enumerate(lines):
        start = 0
        if closing:
            found.add(at)
            start = line.find(closing) + len(closing)
            if start < len(closing):
                continue
            closing = ""
        while match := _TOKEN.search(line, start):
            start = match.end()
            if match[1] in quotes:
                end = line.find(match[1], start)
                closing, start = ("", end + len(match[1])) if end >= 0 else (match[1], len(line))
    return frozenset() if closing else frozenset(found)


def stands_for_lines(lines: Sequence[str], at: int, file: Sequence[str]) -> bool:
    """Whether what is shown above and below a line stands in the file in this order, with other lines between."""
    above = next(filter(str.strip, reversed(lines[:at])), "").strip()
    below = next(filter(str.strip, lines[at + 1 :]), "").strip()
    held, shown = [line.strip() for line in written(file)], lines[at].strip()
    starts = [place for place, text in enumerate(held) if text == above]
    if any(held[place + 1 : place + 3] == [shown, below] for place in starts):
        return False
    return bool(starts) and below in held[starts[0] + 2 :]
