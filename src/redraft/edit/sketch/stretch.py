"""In: a stretch of a file and what an answer shows of it. Out: the patches between what is the same on both sides."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise

from redraft.edit.sketch.align import Sides, aligned
from redraft.edit.sketch.fit import Fit, fitted
from redraft.edit.sketch.gap import Gap
from redraft.edit.sketch.gaps import filled
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.patch import Doubt, Patch
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
    first = min(held, key=lambda item: item.depth, default=None)
    deeper = [item.depth for item in shown if item.depth > head] or [item.depth for item in shown]
    indent = lead_of(file[first.start]) if first else ""
    base, by = min(deeper, default=0), shift(shown, held)
    if by is not None and first is not None:
        base = first.depth - by
    fit = fitted(base, indent, block, file)
    if by is not None and not fit.step.startswith("\t"):
        return Fit(base, indent)
    return fit


def compared(shown: Sequence[Item], held: Sequence[Item], fit: Fit) -> tuple[list[Hashable], list[Hashable]]:
    """The keys of items: what they say and, where both sides indent alike, how deep they stand."""
    by = shift(shown, held)
    own = [(item.name, None if by is None else item.depth + by) for item in shown]
    theirs = [(item.name, None if by is None else item.depth) for item in held]
    if by is None and not fit.step:
        base, low = fit.base, min((item.depth for item in held), default=0)
        own = [(item.name, item.depth - base) for item in shown]
        theirs = [(item.name, item.depth - low) for item in held]
    return list(own), list(theirs)


def in_stretch(scope: Scope, open_above: bool = False, open_below: bool = False) -> Iterator[tuple[int, int]]:
    """The pairs of items that are the same on both sides, as places in `shown` and `held`."""
    own, theirs = compared(scope.shown, scope.held, scope.fit)
    is_closed = not (open_above or open_below)
    pairs = aligned(Sides(scope.shown, scope.held, own, theirs, is_closed))
    _check_bounds(scope, pairs, open_above and open_below)
    yield from pairs.items()


def _check_bounds(scope: Scope, pairs: dict[int, int], is_open: bool) -> None:
    """What is shown of the inside of something does not go on outside of it."""
    if not is_open or not pairs:
        return
    by = shift(scope.shown, scope.held) or 0
    base = min(item.depth for item in scope.shown if not item.is_marker) + by
    first, last = min(pairs.values()), max(pairs.values())
    outside = next((item for item in scope.held[first:last] if item.depth < base), None)
    if outside is not None:
        raise Doubt(
            f"what is shown lies on both sides of line {outside.start + 1} of the file, {outside.name!r}, "
            "which the answer does not show"
        )


def between(
    scope: Scope, pairs: Sequence[tuple[int, int]], open_above: bool = False, open_below: bool = False
) -> Iterator[Patch]:
    """The patches of all gaps between pairs, in order."""
    ends = [(-1, -1), *pairs, (len(scope.shown), len(scope.held))]
    for number, ((b, f), (next_b, next_f)) in enumerate(pairwise(ends)):
        yield from filled(
            scope,
            Gap(
                scope.shown[b + 1 : next_b],
                scope.held[f + 1 : next_f],
                scope.held[f] if f >= 0 else None,
                scope.held[next_f] if next_f < len(scope.held) else None,
                open_above and number == 0,
                open_below and number == len(ends) - 2,
                scope.shown[next_b] if next_b < len(scope.shown) else None,
            ),
        )


def lowest(lines: Sequence[str]) -> int:
    return min((width(line) for line in lines if line.strip()), default=0)
