"""In: lines of a file and lines that come in their place. Out: which of the second are versions of the first."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter

from redraft.edit.align.likeness import indent, version

_MOST = 4000  # pairs of lines that are compared
_BESIDE = 5  # what speaks for a version that stands beside a line that both have


def apart(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str], Sequence[str]]]:
    """Old and new lines cut at each new line that is a version of an old one: what lies before it, and that line."""
    pairs = versions(old, new)
    for (a, b), (c, d) in pairwise([(-1, -1), *pairs, (len(old), len(new))]):
        yield old[a + 1 : c], new[b + 1 : d], new[d : d + 1]


def versions(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of lines of which the second is a version of the first, in the order of both: those most alike in all; none
    where there are too many lines to compare."""
    if len(old) * len(new) > _MOST:
        return []
    none: tuple[int, tuple[tuple[int, int], ...]] = (0, ())
    best = [[none] * (len(new) + 1) for _ in range(len(old) + 1)]
    for a, text in enumerate(old, 1):
        for b, other in enumerate(new, 1):
            gain = (
                version(other.strip(), text.strip(), alone=False) if (indent(text) or 0) == (indent(other) or 0) else 0
            )
            gain += _BESIDE * (gain > 0 and (a, b) in ((1, 1), (len(old), len(new))))
            above = best[a - 1][b - 1]
            paired = (above[0] + gain, (*above[1], (a - 1, b - 1)))
            best[a][b] = max(best[a - 1][b], best[a][b - 1], *[paired] * (gain > 0), key=itemgetter(0))
    return list(best[-1][-1][1])
