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
    if len(line) > LONG_LINE:
        return ()
    found: Counter[str] = Counter()
    for kind, step in map(_sign, _SIGN.finditer(line)):
        found[kind] += step
    for sign in _TEMPLATE.finditer(line):
        found[f"{{% {sign['name'] or ''}"] += -1 if sign["end"] or sign["ends"] else 1
    return tuple(sorted((kind, count) for kind, count in found.items() if count))


def _sign(sign: re.Match[str]) -> tuple[str, int]:
    """What a sign opens or closes, as 1 or -1; 0 for a string, and a tag that closes itself."""
    match sign.lastgroup:
        case "open":
            return sign["open"], 1
        case "close":
            return _PARTNERS[sign["close"]], -1
        case "condition":
            return "#if", 1
        case "otherwise":
            return "#if", -1
    is_whole = not sign["tag"] or sign["alone"]
    return sign["tag"] or "", 0 if is_whole else -1 if sign["end"] else 1


def newly_open(old: Iterable[str], new: Iterable[str]) -> Counter[str]:
    """What new lines open more often than old ones; less than nothing where they close it."""
    found = left_open(new)
    found.subtract(left_open(old))
    return found


def left_open(lines: Iterable[str]) -> Counter[str]:
    """What lines open more often than they close."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(dict(opened(line)))
    return found
