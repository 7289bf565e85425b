"""In: a file, an answer and what was asked for. Out: the regions: stretches of lines that a model writes anew."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.outline.outline import outline
from redraft.edit.region.chain import Lines
from redraft.edit.region.mentions import mentioned
from redraft.edit.region.spots import Spot, spots

MARGIN = 3  # lines around a place
MOST = 8  # regions
ROOM = 2600  # characters of all regions; about 750 tokens
_LIKELY, _LITTLE = 0.8, 2200  # places of less weight are shown where all that is shown stays small
_LARGEST = 6000  # characters of the one region that may be alone
_SMALL = 900  # characters of a file that is shown whole
_CLOSE = 4  # lines between two regions that are rather one


class Region(Struct, frozen=True):
    """Lines `start:end` of the file."""

    start: int
    end: int


def select(lines: Sequence[str], answer: Answer, path: str, instruction: str = "") -> tuple[Region, ...]:
    """The regions in the order of the file; none where the answer tells no place, or one that is too large."""
    if sum(map(len, lines)) <= _SMALL:
        return (Region(0, len(lines)),) if lines else ()
    file, known = Lines(lines), outline(lines, path)
    found = [spot for block in answer.blocks for spot in spots(block, file, known, path)]
    found += mentioned(answer.prose, file, known, 1.0)
    if not found:
        found += mentioned(instruction, file, known, 0.5)
    return _fitting(lines, found)


def _fitting(lines: Sequence[str], found: Iterable[Spot]) -> tuple[Region, ...]:
    """The likeliest places that there is room for, with what stands around them."""
    best: list[Region] = []
    for spot in sorted(found, key=lambda spot: -spot.weight):
        more = _merged([*best, _around(lines, spot)])
        room = _LITTLE if spot.weight < _LIKELY and best else ROOM if best else _LARGEST
        if _size(lines, more) <= room and len(more) <= MOST:
            best = more
    return tuple(best)


def _around(lines: Sequence[str], spot: Spot) -> Region:
    """A place with lines around it, from one that is not blank to another: a model forgets blank ones at the ends."""
    start, end = max(0, spot.first - MARGIN), min(len(lines), spot.last + 1 + MARGIN)
    while start > 0 and not lines[start].strip():
        start -= 1
    while end < len(lines) and not lines[end - 1].strip():
        end += 1
    return Region(start, end)


def _merged(regions: Sequence[Region]) -> list[Region]:
    found: list[Region] = []
    for region in sorted(regions, key=lambda region: (region.start, region.end)):
        if found and region.start - found[-1].end <= _CLOSE:
            found[-1] = Region(found[-1].start, max(found[-1].end, region.end))
        else:
            found.append(region)
    assert all(one.end < other.start for one, other in pairwise(found))
    return found


def _size(lines: Sequence[str], regions: Iterable[Region]) -> int:
    return sum(len(line) + 1 for region in regions for line in lines[region.start : region.end])
