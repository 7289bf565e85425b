"""In: a file's lines and replacements of ranges of them. Out: the new lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, order=True)
class Patch:
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
    """Lines go, and with them the blank lines below that part them from what follows, if there are some above, too."""
    above = start == 0 or not lines[start - 1].strip()
    stop = end
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    if stop == len(lines) or not above:
        while stop == len(lines) and start and not lines[start - 1].strip():
            start -= 1
        return Patch(start, stop if stop == len(lines) else end, ())
    return Patch(start, stop, ())
