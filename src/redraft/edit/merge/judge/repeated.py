"""In: a file before and after, and what of it changed. Out: the entries that come although they stand beside already.

Who writes a head of a file from memory swaps its entries; where one stood is not shown, so that it stays there, too.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from redraft.edit.align.spelling import lead_of
from redraft.edit.text.changes import LineChange

_ENTRY = re.compile(r"\s*(?:[\"']?[\w.@/-]+[\"']?\s*(?::\s|=(?!=))[^;{}()]+|<([\w:-]+)(?:\s[^<>]*)?>[^<>]+</\1>)\s*")


def repeated(before: Sequence[str], after: Sequence[str], found: Collection[LineChange]) -> Iterator[LineChange]:
    """The changes that bring nothing but entries that the file had once, and has again among the entries beside."""
    had = Counter(map(_bare, before))
    for each in found:
        new = [line for line in after[each.after_start : each.after_end] if line.strip()]
        gone = any(line.strip() for line in before[each.start : each.end])
        if not new or gone or not all(had[_bare(line)] == 1 and _ENTRY.fullmatch(line) for line in new):
            continue
        sides = (after[: each.after_start][::-1], after[each.after_end :])
        beside = {_bare(line) for side in sides for line in _entries(side)}
        keys = Counter(map(_key, beside))  # a name that has several values beside is set step by step
        if beside.issuperset(map(_bare, new)) and all(keys[_key(_bare(line))] == 1 for line in new):
            yield each


def _entries(lines: Sequence[str]) -> Iterator[str]:
    """The entries of one level with which lines begin."""
    return takewhile(lambda line: lead_of(line) == lead_of(lines[0]) and _ENTRY.fullmatch(line), lines)


def _key(entry: str) -> str:
    return re.split(r"[:=>]", entry.strip(), maxsplit=1)[0].strip()


def _bare(line: str) -> str:
    return line.rstrip().removesuffix(",")
