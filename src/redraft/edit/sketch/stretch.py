"""In: a stretch of a file and what an answer shows of it. Out: the patches between what is the same on both sides."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

from redraft.edit.sketch.align import Sides, aligned
from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.gap import Gap
from redraft.edit.sketch.gaps import filled
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.patch import Patch
from redraft.edit.sketch.scope import Scope
from redraft.edit.text.lines import lead_of


def shift(shown: Sequence[Item], held: Sequence[Item]) -> int | None:
    """How much deeper the file has lines than the answer shows them; None where no line tells, or they disagree."""
    own, theirs = (Counter(item.name for item in side) for side in (shown, held))
    depths = {item.name: item.depth for item in held}
    found = {
        depths[item.name] - item.depth
        for item in shown
        if own[item.name] == theirs[item.name] == 1 and not item.is_marker and not item.is_closer
    }
    return found.pop() if len(found) == 1 else None


def fit_of(file: Sequence[str], block: Sequence[str], shown: Sequence[Item], held: Sequence[Item], head: int) -> Fit:
    """How what is shown of the lines below a head, at `head` columns, is indented in the file."""
    depths = [item.depth for item in shown]
    base = min((depth for depth in depths if depth > head), default=min(depths, default=0))
    if not held:
        return fitted(base, "", block, file)
    first = min(held, key=lambda item: item.depth)
    indent, by = lead_of(file[first.start]), shift(shown, held)
    if by is None:
        return fitted(base, indent, block, file)
    fit = fitted(first.depth - by, indent, block, file)
    return fit if fit.step == "\t" else Fit(fit.base, indent)


def compared(shown: Sequence[Item], held: Sequence[Item], fit: Fit) -> tuple[list[Hashable], list[Hashable]]:
    """The keys of items: what they say and, where both sides indent alike, how deep they stand."""
    by = shift(shown, held)
    if by is None and fit.is_stepped:
        return [item.name for item in shown], [item.name for item in held]
    if by is None:
        by = min((item.depth for item in held), default=0) - fit.base
    return [(item.name, item.depth + by) for item in shown], [(item.name, item.depth) for item in held]


def in_stretch(scope: Scope, is_closed: bool = False) -> list[tuple[int, int]]:
    """The pairs of items that are the same on both sides, as places in `shown` and `held`."""
    own, theirs = compared(scope.shown, scope.held, scope.fit)
    return aligned(Sides(scope.shown, scope.held, own, theirs, is_closed))


def between(scope: Scope, pairs: Sequence[tuple[int, int]], is_open: bool = False) -> Iterator[Patch]:
    """The patches of all gaps between pairs, in order."""
    ends = [(-1, -1), *pairs, (len(scope.shown), len(scope.held))]
    edges = [None, *(scope.held[f] for _, f in pairs), None]
    blanks = [*(scope.shown[b].blanks for b, _ in pairs), 0]
    for ((b, f), (next_b, next_f)), (above, below), space in zip(pairwise(ends), pairwise(edges), blanks, strict=True):
        gap = Gap(scope.shown[b + 1 : next_b], scope.held[f + 1 : next_f], above, below, is_open, space)
        yield from filled(scope, gap)


def lowest(lines: Sequence[str]) -> int:
    return min((width(line) for line in lines if line.strip()), default=0)
