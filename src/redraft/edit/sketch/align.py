"""In: the items of an answer and of the stretch that it shows. Out: which are the same, in the order of both."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.sketch.items import Item
from redraft.edit.sketch.patch import Doubt

_Pairs = dict[int, int]


class Sides(Struct, frozen=True):
    """What is shown and what the file holds, item by item, with the keys by which they are compared.

    `is_closed`: both begin and end at the same place.
    """

    shown: Sequence[Item]
    held: Sequence[Item]
    own: Sequence[Hashable]
    theirs: Sequence[Hashable]
    is_closed: bool = False


def aligned(sides: Sides) -> list[tuple[int, int]]:
    """Places of shown items and of held ones; both rise together. Raises Doubt for what stands in another order.

    Lines that both sides have once are the anchors, as in Bram Cohen's patience diff; from these on, lines that follow
    each other do so on both sides, and a closing line is that of the line that opened it.
    """
    found: _Pairs = _ends(sides) if sides.is_closed else {}
    while True:
        before = len(found)
        for gap in _gaps(found, len(sides.shown), len(sides.held)):
            found |= _anchors(sides, *gap)
        _extend(sides, found)
        _close(sides, found)
        if len(found) == before:
            return sorted(found.items())


def _ends(sides: Sides) -> _Pairs:
    """What both sides begin and end with."""
    found: _Pairs = {}
    at = 0
    while _is_same(sides, at, at):
        found[at] = at
        at += 1
    end, there = len(sides.shown) - 1, len(sides.held) - 1
    while end >= at and there >= at and _is_same(sides, end, there):
        found[end] = there
        end, there = end - 1, there - 1
    return found


def _gaps(found: _Pairs, shown: int, held: int) -> list[tuple[int, int, int, int]]:
    pairs = [(-1, -1), *sorted(found.items()), (shown, held)]
    return [(b + 1, next_b, f + 1, next_f) for (b, f), (next_b, next_f) in pairwise(pairs)]


def _anchors(sides: Sides, first: int, last: int, low: int, high: int) -> _Pairs:
    own = Counter(sides.own[first:last])
    theirs = Counter(sides.theirs[low:high])
    places = {key: at for at, key in enumerate(sides.theirs[low:high], low)}
    pairs = {
        at: places[key]
        for at, key in enumerate(sides.own[first:last], first)
        if own[key] == 1 and theirs[key] == 1 and not sides.shown[at].is_marker and not sides.shown[at].is_closer
    }
    if [*pairs.values()] != sorted(pairs.values()):
        raise Doubt("the answer shows lines in another order than the file has them")
    return pairs


def _extend(sides: Sides, found: _Pairs) -> None:
    """What follows an anchor is the same on both sides, and so is what stands between one and a marker above it."""
    taken = {*found.values()}
    for step in (1, -1):
        for start in sorted(found, reverse=step < 0):
            run: _Pairs = {}
            at, there = start + step, found[start] + step
            while _is_same(sides, at, there) and at not in found and there not in taken:
                run[at] = there
                at, there = at + step, there + step
            # What comes may end as what stands above it does.
            if step > 0 or at < 0 or found.get(at) == there or sides.shown[at].is_marker:
                found |= run
                taken |= {*run.values()}
    if found:
        _close_tail(sides, found)


def _close_tail(sides: Sides, found: _Pairs) -> None:
    """Closing lines at the end of what is shown are those that the file has below the last line that is the same."""
    last = max(found)
    by = len(sides.held) - len(sides.shown)
    tail = range(found[last] + 1 - by, len(sides.shown))
    if tail.start > last and all(sides.shown[at].is_closer and _is_same(sides, at, at + by) for at in tail):
        found |= {at: at + by for at in tail}


def _is_same(sides: Sides, at: int, there: int) -> bool:
    return (
        0 <= at < len(sides.shown)
        and 0 <= there < len(sides.held)
        and sides.own[at] == sides.theirs[there]
        and not sides.shown[at].is_marker
    )


def _close(sides: Sides, found: _Pairs) -> None:
    """A closing line goes with the last line of its depth above it, on both sides."""
    for at, item in enumerate(sides.shown):
        if at in found or not item.is_closer or item.is_marker:
            continue
        opener = next((b for b in range(at - 1, -1, -1) if sides.shown[b].depth <= item.depth), -1)
        if opener not in found or sides.shown[opener].depth != item.depth:
            continue
        held, first = sides.held, found[opener]
        there = next((f for f in range(first + 1, len(held)) if held[f].depth <= held[first].depth), first)
        if there != first and held[there].name == item.name:
            found[at] = there
