"""In: two texts. Out: which lines of the first have to be replaced to get the second, changed words marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from redraft.edit.text.changes import line_changes

# Of lines that have less in common, or that no one reads, only the whole is shown as changed.
_ALIKE = 0.4
_LONGEST = 1000
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"\w+|\s+|[^\w\s]")

Spans = list[int]  # start, end, start, end, ... in UTF-16 code units, as browsers count them


@dataclass(frozen=True)
class Change:
    """Lines `start:end` become `lines`; `marks` are the changed words of both, for each pair of lines by position."""

    start: int
    end: int
    lines: list[str]
    marks: list[tuple[Spans, Spans] | None]


def changes(before: str, after: str) -> list[Change]:
    """Lines have their newlines; the last one may have none."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    found = []
    for change in line_changes(old, new):
        gone, came = old[change.start : change.end], new[change.after_start : change.after_end]
        words = [marks(*pair) for pair in zip(gone, came, strict=False)]
        found.append(Change(change.start, change.end, came, words))
    return found


def marks(old: str, new: str) -> tuple[Spans, Spans] | None:
    """The words of two lines that differ; None where the lines have little in common or are very long."""
    if max(len(old), len(new)) > _LONGEST:
        return None
    one, other = _WORD.findall(old), _WORD.findall(new)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    blocks = matcher.get_matching_blocks()
    kept = sum(len("".join(one[block.a : block.a + block.size])) for block in blocks)
    if 2 * kept < _ALIKE * (len(old) + len(new)):
        return None
    left = [(block.a, block.a + block.size) for block in blocks]
    right = [(block.b, block.b + block.size) for block in blocks]
    return _between(left, one), _between(right, other)


def _between(kept: Sequence[tuple[int, int]], words: Sequence[str]) -> Spans:
    """Where the words are that lie between those that are kept."""
    at = [0, *accumulate(len(word.encode("utf-16-le", "surrogatepass")) // 2 for word in words)]
    gaps = pairwise([(0, 0), *kept])
    return [at[edge] for (_, end), (start, _) in gaps if start > end for edge in (end, start)]
