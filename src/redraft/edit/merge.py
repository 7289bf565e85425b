"""In: a file's text and a sketch of its new version. Out: the merged text and each hunk's place, or why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from redraft.edit.align import Shape
from redraft.edit.hunks import Hunk, Plan, plan
from redraft.edit.likeness import index
from redraft.edit.path import best_paths
from redraft.edit.sketch import Block, blocks, path_comment
from redraft.edit.splice import Patch, apply, patches


@dataclass(frozen=True)
class Placed:
    """One hunk: half-open line ranges in the sketch's blocks, counted through, and in the original."""

    sketch: tuple[int, int]
    original: tuple[int, int]
    certainty: float


@dataclass(frozen=True)
class Merge:
    """The merged text, None where the sketch cannot be placed; `reason` says why, else it is empty."""

    text: str | None
    hunks: tuple[Placed, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class _State:
    """The text so far, and for each line the line of the original that it comes from."""

    lines: tuple[str, ...]
    sources: tuple[int | None, ...]


def merge(original: str, update: str, path: str = "") -> Merge:
    """Merges a lazy sketch into a file by lines; what the sketch does not touch stays byte for byte."""
    newline = "\r\n" if original.count("\n") == original.count("\r\n") > 0 else "\n"
    lines = tuple(original.removesuffix(newline).split(newline)) if original else ()
    state = _State(lines, tuple(range(len(lines))))
    sketched = blocks(update, path)
    if not sketched:
        return Merge(None, reason="the update holds no code")
    placed: list[Placed] = []
    counted = 0
    for block in sketched:
        bare = _without_title(block, state.lines, path)
        found = _place(state.lines, bare)
        if isinstance(found, str):
            return Merge(None, tuple(placed), found)
        counted += len(block.lines)
        placed += [_placed(patch, counted - len(bare.lines), state.sources, len(lines)) for patch in found]
        state = _patched(state, found)
    ends = newline if original.endswith(newline) or not original else ""
    return Merge(newline.join(state.lines) + ends if state.lines else "", tuple(placed))


def _without_title(block: Block, lines: Sequence[str], path: str) -> Block:
    """Models like to open a block with the file's path in a comment."""
    first = block.lines[0].text
    title = path_comment(first)
    same = not path or PurePosixPath(title).name == PurePosixPath(path).name
    if title and same and first not in lines and len(block.lines) > 1:
        return Block(block.lines[1:])
    return block


def _place(lines: tuple[str, ...], block: Block) -> tuple[Patch, ...] | str:
    """The patches for one block, or the reason why there are none."""
    found = index(lines)
    planned = plan(block, found)
    if not planned.hunks:
        return ()
    paths = best_paths(planned.rows, Shape.of(lines, found.indents))
    if paths is None:
        return f"the sketch cannot be aligned with the {len(lines)} lines of the file"
    first, last = (patches(planned, steps, lines, block.explicit) for steps in paths)
    if _texts(lines, first) == _texts(lines, last):
        return _unless_lost(first, planned, lines)
    return _ambiguous(first, last)


def _texts(lines: Sequence[str], found: Sequence[Patch]) -> list[str]:
    return [text for text, _ in apply(lines, found)]


def _unless_lost(found: tuple[Patch, ...], planned: Plan, lines: Sequence[str]) -> tuple[Patch, ...] | str:
    written = any(row.marker and row.virtual is None for row in planned.rows)
    if lines and not written and not any(patch.gain for patch in found):
        return f"no line of the sketch is in the file; looked for {_quoted(found[0].hunk)}"
    return found


def _ambiguous(first: Sequence[Patch], last: Sequence[Patch]) -> str:
    for one, other in zip(first, last, strict=True):
        if (one.start, one.end, one.lines) != (other.start, other.end, other.lines):
            if one.start == other.start:
                return f"{_quoted(one.hunk)} fits equally well in two ways at line {one.start + 1}"
            return f"{_quoted(one.hunk)} fits equally well at line {one.start + 1} and line {other.start + 1}"
    return "the sketch fits in several ways"


def _quoted(hunk: Hunk) -> str:
    text = next(line.text.strip() for line in hunk.lines if line.text.strip())
    return f"'{text if len(text) <= 60 else text[:57] + '...'}'"


def _placed(patch: Patch, counted: int, sources: Sequence[int | None], size: int) -> Placed:
    first = counted + patch.hunk.first
    before = next((source for source in reversed(sources[: patch.start]) if source is not None), -1)
    after = next((source for source in sources[patch.end :] if source is not None), size)
    certainty = min(1.0, patch.gain / 200) * (0.97 ** max(0, patch.deleted - 3))
    return Placed((first, first + len(patch.hunk.lines)), (before + 1, after), round(certainty, 3))


def _patched(state: _State, found: Sequence[Patch]) -> _State:
    lines = apply(state.lines, found)
    sources = tuple(None if source is None else state.sources[source] for _, source in lines)
    return _State(tuple(text for text, _ in lines), sources)
