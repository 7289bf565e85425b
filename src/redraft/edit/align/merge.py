"""In: the lines of a file, and one block of an answer. Out: where its lines belong, or why they belong nowhere."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from redraft.edit.align.likeness import TELLING, Index, form, index, nearest, quoted
from redraft.edit.align.paths import best_paths
from redraft.edit.align.paths_table import Shape
from redraft.edit.align.plan import Hunk, Plan, plan
from redraft.edit.align.splice import Patch, apply, as_shown, patches
from redraft.edit.answer.block import Block
from redraft.edit.outline import outline
from redraft.edit.text.lines import is_telling


def aligned(lines: tuple[str, ...], block: Block, path: str) -> tuple[tuple[Patch, ...], ...] | str:
    """The patches for one block, in the one or two ways that are best; or the reason why there are none."""
    found = _index(lines, path)
    planned = plan(block, found)
    if not planned.hunks:
        return ((),)
    if block.explicit and (shown := _as_shown(planned, found)) is not None:
        return (shown,)
    if block.explicit and (absent := _absent(planned, found)):
        return absent
    paths = best_paths(planned.rows, Shape.of(lines, found.indents))
    if paths is None:
        return f"the sketch cannot be aligned with the {len(lines)} lines of the file"
    first, last = (patches(planned, steps, lines, block) for steps in paths)
    known = [sum(patch.gain for patch in way) for way in (first, last)]
    ways: tuple[tuple[Patch, ...], ...] = (first, last)
    if _texts(lines, first) == _texts(lines, last) or known[0] >= known[1] + TELLING:
        ways = (first,)
    elif known[1] >= known[0] + TELLING:
        ways = (last,)
    kept = [_unless_lost(way, planned, lines, block.explicit) for way in ways]
    placed = tuple(way for way in kept if not isinstance(way, str))
    return placed or next(way for way in kept if isinstance(way, str))


# The blocks of an answer, and each of them read in several ways, are aligned with the same few texts.
@lru_cache(maxsize=16)
def _index(lines: tuple[str, ...], path: str) -> Index:
    return index(lines, outline(lines, path).scopes())


def _as_shown(planned: Plan, found: Index) -> tuple[Patch, ...] | None:
    """The patches of a diff whose hunks all stand in the file at one place each, in whatever order they come."""
    patched: list[Patch] = []
    for hunk in planned.hunks:
        shown = as_shown(hunk, found)
        if shown is None:
            return None
        patched += shown
    patched.sort(key=lambda patch: patch.start)
    return None if any(above.end > below.start for above, below in pairwise(patched)) else tuple(patched)


def _absent(planned: Plan, found: Index) -> str:
    """Why a diff cannot be placed: it removes a line that the file does not have."""
    for line in (line for hunk in planned.hunks for line in hunk.lines if line.kind == "removed"):
        text = line.text.strip()
        if is_telling(text) and text not in found.texts and form(text) not in found.forms:
            return f"the answer removes {quoted(text)}, which is not in the file{nearest(text, found.lines)}"
    return ""


def _texts(lines: Sequence[str], found: Sequence[Patch]) -> list[str]:
    return [text for text, _ in apply(lines, found)]


def _unless_lost(
    found: tuple[Patch, ...], planned: Plan, lines: Sequence[str], explicit: bool
) -> tuple[Patch, ...] | str:
    """The patches, unless there is one that nothing ties to its place: no line of the file, no end of it."""
    # The header of a diff's hunk says no more than that the hunk begins.
    written = any(row.marker and row.virtual is None for row in planned.rows) and not explicit
    for number, patch in enumerate(found):
        rows = [at for at, place in enumerate(planned.places) if place is not None and place[0] == number]
        inside = all(planned.rows[at].virtual is None for at in (rows[0] - 1, rows[-1] + 1))
        if lines and not patch.gain and (inside or not written):
            missing = _telling(patch.hunk)
            what = f"{quoted(missing)} and what the answer shows around it is not in the file{nearest(missing, lines)}"
            return f"{what}; show a line of the file above or below it, or say where it goes"
    return found


def _telling(hunk: Hunk) -> str:
    return next((line.text for line in hunk.lines if is_telling(line.text)), hunk.lines[0].text)
