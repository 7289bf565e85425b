"""In: lines of a file and lines that come in their place. Out: which of the second are versions of the first."""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter

from redraft.edit.align.likeness import version
from redraft.edit.merge.lines.written import depth
from redraft.edit.text.lines import ratio_from

_MOST = 4000  # pairs of lines that are compared
_SHORT, _LONG = 6, 300  # characters of lines that are compared letter by letter
_ALIKE, _MOST_ALIKE = 0.7, 20  # likeness of lines that are alike, and their gain where they are the same
_FEW = 400  # pairs that are compared so
_BESIDE = 5  # what speaks for a version that stands beside a line that both have


def apart(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], Sequence[str]]]:
    """Old and new lines cut at each new line that is a version of an old one: what lies before it, and that line."""
    pairs = versions(old, new)
    for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
        yield old[a + 1 : c], new[b + 1 : d], new[d : d + 1]


def equal_pairs(one: Sequence[Hashable], other: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The places at which two sequences have the same, in the order of both."""
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


def versions(old: Sequence[str], new: Sequence[str], or_alike: bool = False) -> list[tuple[int, int]]:
    """Pairs of lines of which the second is a version of the first, in the order of both: those most alike in all; none
    where there are too many lines to compare. With `or_alike` also those that only have most of their letters in
    common, where lines are neither many nor long."""
    if len(old) * len(new) > _MOST:
        return []
    or_alike = or_alike and len(old) * len(new) <= _FEW
    none: tuple[int, tuple[tuple[int, int], ...]] = (0, ())
    best = [[none] * (len(new) + 1) for _ in range(len(old) + 1)]
    for a, text in enumerate(old, 1):
        for b, other in enumerate(new, 1):
            is_beside = depth(text) == depth(other)
            gain = version(other.strip(), text.strip(), alone=False) if is_beside else 0
            if or_alike and not gain:
                gain = _alike(text.strip(), other.strip(), is_beside)
            gain += _BESIDE * (gain > 0 and (a, b) in ((1, 1), (len(old), len(new))))
            above = best[a - 1][b - 1]
            paired = (above[0] + gain, (*above[1], (a - 1, b - 1)))
            best[a][b] = max(best[a - 1][b], best[a][b - 1], *[paired] * (gain > 0), key=itemgetter(0))
    return list(best[-1][-1][1])


@lru_cache(maxsize=4096)
def _alike(old: str, new: str, is_beside: bool) -> int:
    """The gain of a pair by the letters of both; lines moved to another depth have to be the same."""
    if len(old) < _SHORT or max(len(old), len(new)) > _LONG or not (is_beside or old == new):
        return 0
    return int(_MOST_ALIKE * ratio_from(_ALIKE, old, new))
