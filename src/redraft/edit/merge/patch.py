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
