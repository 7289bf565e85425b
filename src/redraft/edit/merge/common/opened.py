"""In: lines. Out: the brackets, comments, tags and conditions of a preprocessor or template that they open and do not
close."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from redraft.edit.align.likeness import LONG_LINE

_SIGN = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?P<open>/\*|[({\[])|(?P<close>\*/|[)}\]])"
    r"|^\s*#\s*(?:(?P<condition>if(?:n?def)?\b)|(?P<otherwise>endif\b))"
    r"|(?<!\w)<(?P<end>/?)(?P<tag>[A-Za-z][\w.:-]*)(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*?(?P<alone>/?)>"
)
_TEMPLATE = re.compile(
    r"\{\{[-~]?\s*(?:(?P<end>end\b)|(?:if|range|with|block|define)\b)"
    r"|\{%[-+~]?\s*(?P<ends>end)?(?P<name>if|unless|for|case|block|macro|with|filter|capture|raw)(?:changed)?\b"
)
_PARTNERS = {")": "(", "}": "{", "]": "[", "*/": "/*"}


@lru_cache(maxsize=8192)
def opened(line: str) -> tuple[tuple[str, int], ...]:
    """What a line opens, and how often; less than nothing where it closes what stands above it."""
    found: Counter[str] = Counter()
    for sign in _SIGN.finditer(line) if len(line) <= LONG_LINE else ():
        if sign["tag"] and not sign["alone"]:
            found[sign["tag"]] += -1 if sign["end"] else 1
        elif sign["condition"] or sign["otherwise"]:
            found["#if"] += 1 if sign["condition"] else -1
        elif sign["open"] or sign["close"]:
            found[sign["open"] or _PARTNERS[sign["close"]]] += 1 if sign["open"] else -1
    for sign in _TEMPLATE.finditer(line) if len(line) <= LONG_LINE else ():
        found[f"{{% {sign['name'] or ''}"] += -1 if sign["end"] or sign["ends"] else 1
    return tuple(sorted((kind, count) for kind, count in found.items() if count))


def left_open(lines: Iterable[str]) -> Counter[str]:
    """What lines open more often than they close."""
    found: Counter[str] = Counter()
    for line in lines:
        for kind, count in opened(line):
            found[kind] += count
    return found
