"""In: lines of code. Out: those that begin inside of a string of several lines, and whether dots there are text."""

import re
from collections.abc import Sequence

_QUOTES = ('"""', "'''")
_TICKED = frozenset(("javascript", "typescript", "tsx", "vue", "svelte", "astro", "go", "bash"))
_TOKEN = re.compile(
    r"(\"\"\"|'''|`)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<![^\s;{}()])(?:#(?![{!\w])|//|--(?= )).*"
)


def in_strings(lines: Sequence[str], language: str) -> frozenset[int]:
    """The lines within strings of several lines: quotes three times, or ticks where the language has them.

    None where a string does not end.
    """
    is_ticked, found, closing = language in _TICKED, set[int](), ""
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
            if match[1] in _QUOTES or (match[1] and is_ticked):
                end = line.find(match[1], start)
                closing, start = ("", end + len(match[1])) if end >= 0 else (match[1], len(line))
    return frozenset() if closing else frozenset(found)


def stands_for_lines(lines: Sequence[str], at: int, file: Sequence[str]) -> bool:
    """Whether what is shown above and below a line stands in the file in this order, with other lines between."""
    above = next((text for line in reversed(lines[:at]) if (text := line.strip())), "")
    below = next((text for line in lines[at + 1 :] if (text := line.strip())), "")
    held, shown = [text for line in file if (text := line.strip())], lines[at].strip()
    starts = [place for place, text in enumerate(held) if text == above]
    if any(held[place + 1 : place + 3] == [shown, below] for place in starts):
        return False
    return any(text == below for place in starts[:1] for text in held[place + 2 :])
