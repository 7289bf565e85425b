"""In: the lines of a file, and one block of an answer. Out: where its lines belong, or why they belong nowhere."""

from collections.abc import Sequence
from functools import lru_cache

from redraft.edit.align.candidates import Index, index
from redraft.edit.align.likeness import TELLING, nearest, quoted
from redraft.edit.align.paths import best_paths
from redraft.edit.align.paths_table import Shape
from redraft.edit.align.plan import Hunk, Plan, plan
from redraft.edit.align.splice import Patch, apply, patches
from redraft.edit.answer.block import Block
from redraft.edit.outline import outline
from redraft.edit.text.lines import is_telling

Patches = tuple[Patch, ...]


def aligned(lines: tuple[str, ...], block: Block, path: str) -> tuple[Patches, ...] | str:
    """The patches for one block, in the one or two ways that are best; or the reason why there are none."""
    found = _index(lines, path)
    planned = plan(block, found)
    if not planned.hunks:
        return ((),)
    paths = best_paths(planned.rows, Shape.of(lines, found.indents))
    if paths is None:
        return f"the sketch cannot be aligned with the {len(lines)} lines of the file"
    first, last = (patches(planned, steps, lines, block) for steps in paths)
    ways = _better(first, last, lines)
    lost = [_lost(way, planned, lines, block.explicit) for way in ways]
    return tuple(way for way, why in zip(ways, lost, strict=True) if not why) or lost[0]


def _better(first: Patches, last: Patches, lines: Sequence[str]) -> tuple[Patches, ...]:
    """Of two ways the one that keeps more of what is known; both where that is as much."""
    more = sum(patch.gain for patch in first) - sum(patch.gain for patch in last)
    if more >= TELLING or _texts(lines, first) == _texts(lines, last):
        return (first,)
    return (last,) if more <= -TELLING else (first, last)


# The blocks of an answer, and each of them read in several ways, are aligned with the same few texts.
@lru_cache(maxsize=16)
def _index(lines: tuple[str, ...], path: str) -> Index:
    return index(lines, outline(lines, path).scopes())


def _texts(lines: Sequence[str], found: Sequence[Patch]) -> list[str]:
    return [text for text, _ in apply(lines, found)]


def _lost(found: Patches, planned: Plan, lines: Sequence[str], explicit: bool) -> str:
    """What to say of a patch that nothing ties to its place: no line of the file, no end of it; "" where none is so."""
    # The header of a diff's hunk says no more than that the hunk begins.
    written = any(row.marker and row.virtual is None for row in planned.rows) and not explicit
    for number, patch in enumerate(found):
        rows = [at for at, place in enumerate(planned.places) if place is not None and place[0] == number]
        inside = all(planned.rows[at].virtual is None for at in (rows[0] - 1, rows[-1] + 1))
        if lines and not patch.gain and (inside or not written):
            missing = _telling(patch.hunk)
            what = f"{quoted(missing)} and what the answer shows around it is not in the file{nearest(missing, lines)}"
            return f"{what}; show a line of the file above or below it, or say where it goes"
    return ""


def _telling(hunk: Hunk) -> str:
    return next((line.text for line in hunk.lines if is_telling(line.text)), hunk.lines[0].text)
