"""In: the lines of a block of an answer, and those of a text. Out: which line of the text each of the block's is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from redraft.edit.text.changes import longest_rising

Shown = Sequence[str | None]  # None is a marker


def matched(block: Shown, text: Sequence[str]) -> dict[int, int]:
    """For places in the block the places in the text, both rising.

    Lines that both have once come first, then those that stand side by side with them, then the nearest ones below, or
    above where nothing stands before them.
    """
    found = dict(_anchors(block, text))
    for step in (1, -1):
        for at, there in sorted(found.items(), reverse=step < 0):
            _extend(found, block, text, at, there, step)
    for start, end in list(pairwise([-1, *sorted(found), len(block)])):
        found.update(_between(found, block, text, start, end))
    return found


def _anchors(block: Shown, text: Sequence[str]) -> list[tuple[int, int]]:
    mine, theirs = Counter(block), Counter(text)
    places = {line: at for at, line in enumerate(text) if theirs[line] == 1}
    return longest_rising([(at, places[line]) for at, line in enumerate(block) if mine[line] == 1 and line in places])


def _extend(found: dict[int, int], block: Shown, text: Sequence[str], at: int, there: int, step: int) -> None:
    """Lines side by side with one that is found, up to the next that is."""
    taken = set(found.values())
    while 0 <= at + step < len(block) and 0 <= there + step < len(text):
        at, there = at + step, there + step
        if at in found or there in taken or block[at] != text[there]:
            return
        found[at] = there


def _between(
    found: dict[int, int], block: Shown, text: Sequence[str], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """The nearest equal lines for those between two that are found."""
    is_above = start < 0 and end < len(block)
    step = -1 if is_above else 1
    there = found[end] if is_above else found.get(start, -1)
    last = -1 if is_above else found.get(end, len(text))
    for at in range(start + 1, end)[::step]:
        near = next((n for n in range(there + step, last, step) if text[n] == block[at]), None)
        if near is not None:
            yield at, near
            there = near
