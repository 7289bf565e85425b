"""In: a file's lines and replacements of ranges of them. Out: the new lines."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.align import splice
from redraft.edit.merge.common.written import first_below, last_above
from redraft.edit.text.lines import width_of

_CLOSER = re.compile(r"\s*(?:[)}\]]|end\b|</)")


class Patch(Struct, frozen=True, order=True):
    """Lines `start:end` of the file become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def patched(lines: Sequence[str], patches: Iterable[Patch]) -> tuple[str, ...] | None:
    """The file with all patches in it, in whatever order they come; None where two of them overlap.

    Several insertions at one place stand in the order in which they are given.
    """
    ordered = sorted(patches, key=lambda patch: (patch.start, patch.end))
    if any(above.end > below.start for above, below in pairwise(ordered)):
        return None
    out: list[str] = []
    at = 0
    for patch in ordered:
        out += [*lines[at : patch.start], *patch.lines]
        at = patch.end
    return (*out, *lines[at:])


def taken_out(lines: Sequence[str], start: int, end: int) -> Patch:
    """Lines go, and with them blank lines on one side, if there are some on both: the wider gap stays.

    Where what follows closes what they stand in, or is the end of the file, the blank lines above go; those below where
    the line above opens it, and at the start of the file.
    """
    top, stop = last_above(lines, start) + 1, first_below(lines, end)
    if stop == len(lines) or not start:
        return Patch(top, stop, ())
    if top == start and top:
        return Patch(start, stop if width_of(lines[top - 1]) < width_of(lines[start]) else end, ())
    closes = stop == end and _CLOSER.match(lines[stop]) is not None
    return Patch(top, end, ()) if closes or start - top < stop - end else Patch(start, stop, ())


def with_way(lines: tuple[str, ...], way: Sequence[splice.Patch], start: int = 0) -> tuple[str, ...]:
    """The lines with the patches of an alignment, which count lines from `start` on."""
    patches = [Patch(start + each.start, start + each.end, each.texts) for each in way]
    return patched(lines, patches) or lines


def least_dropped(ways: Sequence[tuple[splice.Patch, ...]]) -> tuple[tuple[splice.Patch, ...], ...]:
    """The ways to align lines that drop the fewest of the file's unsaid."""
    counts = [sum(patch.deleted for patch in way) for way in ways]
    return tuple(way for way, count in zip(ways, counts, strict=True) if count == min(counts))
