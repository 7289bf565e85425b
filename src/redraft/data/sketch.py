"""In: a file before and after an edit, and a style. Out: the sketch of that edit as a chat model would write it."""

import re
from collections.abc import Callable, Sequence
from random import Random

from redraft.data.anchors import Places, context
from redraft.data.enclosing import block, headers
from redraft.data.lazy import is_marker
from redraft.data.markers import Markers
from redraft.data.pieces import Changed, Elided, Shown, pieces
from redraft.data.prose import around_blocks, around_diff
from redraft.edit.text.changes import line_changes, split_lines

LONGEST_BLOCK = 80

Pieces = Sequence[Elided | Shown]
Writer = Callable[[Changed, set[int], Random], str | None]
_FENCE = re.compile(r"\s*(?:```|~~~)")
_DIFF_HEADER = re.compile(r"--- |\+\+\+ ")


def sketch(before: str, after: str, style: str, seed: int, path: str) -> str | None:
    """The update for one edit in one of STYLES, the same for the same arguments; None when it would be ambiguous."""
    return write(before, after, style, seed, path, _STYLES[style])


def write(before: str, after: str, style: str, seed: int, path: str, writer: Writer) -> str | None:
    """The update that `writer` makes of the edit, with as much context as gives every hunk one place; or None."""
    old, new = split_lines(before), split_lines(after)
    edit = Changed(old, new, line_changes(old, new), path)
    if not old or not edit.hunks or before.endswith("\n") != after.endswith("\n"):
        return None
    rng = Random(f"{style} {seed} {path}")
    # Text that ends in a blank line or a lone bracket is for those styles that have a marker to follow it.
    firm = style in ("blocks", "plain") or rng.random() < 0.7
    kept = context(old, edit.hunks, rng.choice((1, 2, 2, 3, 3)), firm)
    if kept is None:
        return None
    text = writer(edit, kept, rng)
    return None if text is None else text + "\n"


def _hunks(edit: Changed, kept: set[int], rng: Random) -> str | None:
    return _marked(edit, pieces(edit, kept), rng)


def _headers(edit: Changed, kept: set[int], rng: Random) -> str | None:
    places = Places(edit.before)
    found = {number for hunk in edit.hunks for number in headers(edit.before, hunk)}
    return _marked(edit, pieces(edit, kept | {n for n in found if places.is_unique(n, n + 1)}), rng)


def _function(edit: Changed, kept: set[int], rng: Random) -> str | None:
    blocks = [found for hunk in edit.hunks if (found := block(edit.before, hunk))]
    whole = {number for found in blocks if len(found) <= LONGEST_BLOCK for number in found}
    return _marked(edit, pieces(edit, kept | whole), rng) if whole else None


def _blocks(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    if not is_sayable(found, edit, edges=False):
        return None
    markers = Markers(rng, edit.path) if rng.random() < 0.5 else None
    blocks = []
    for number, piece in enumerate(found):
        if isinstance(piece, Shown):
            around = found[max(0, number - 1) : number + 2] if markers else [piece]
            blocks.append("\n".join(written(edit, around, markers)))
    return around_blocks(blocks, edit.path, rng)


def _plain(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    if not is_sayable(found, edit, edges=False):
        return None
    first, last = isinstance(found[0], Elided), isinstance(found[-1], Elided)
    return "\n".join(written(edit, found[first : len(found) - last], Markers(rng, edit.path)))


def _diff(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    signed = [sign + line for piece in found if isinstance(piece, Shown) for sign, line in piece.signed]
    if any(_FENCE.match(line[1:]) or _DIFF_HEADER.match(line) for line in signed):
        return None
    numbers = rng.choice(("right", "wrong", "none", "bare"))
    lines = [f"--- a/{edit.path}", f"+++ b/{edit.path}"] if rng.random() < 0.5 else []
    drift = 0
    for piece in found:
        if isinstance(piece, Shown):
            off = rng.randint(-9, 9) if numbers == "wrong" else 0
            lines.append(_hunk_header(piece, drift, off, numbers))
            lines += [sign + line for sign, line in piece.signed]
            drift += len(piece.lines) - sum(sign != "+" for sign, _ in piece.signed)
    return around_diff("\n".join(lines), edit.path, rng)


def _hunk_header(piece: Shown, drift: int, off: int, numbers: str) -> str:
    if numbers in ("none", "bare"):
        return "@@ ... @@" if numbers == "none" else "@@"
    start = max(1, piece.start + 1 + off)
    old = sum(sign != "+" for sign, _ in piece.signed)
    return f"@@ -{start},{old} +{max(1, start + drift)},{len(piece.lines)} @@"


def _marked(edit: Changed, found: Pieces, rng: Random) -> str | None:
    if not is_sayable(found, edit, edges=True):
        return None
    return "\n".join(written(edit, found, Markers(rng, edit.path)))


def written(edit: Changed, found: Pieces, markers: Markers | None) -> list[str]:
    """The lines shown, and where `markers` are given one for each elided stretch."""
    lines: list[str] = []
    for piece in found:
        if isinstance(piece, Shown):
            lines += piece.lines
        elif markers:
            lines.append(markers.write(edit.before, piece.start, piece.end))
    return lines


def is_sayable(found: Pieces, edit: Changed, edges: bool) -> bool:
    """Whether deletions show between context lines, and no shown line could be taken for a marker or a fence.

    `edges`: the start and the end of the file can be told, because markers stand where they are elided.
    """
    shown = [line for piece in found if isinstance(piece, Shown) for line in piece.lines]
    if not shown or not is_code(shown):
        return False
    first, last = edit.hunks[0], edit.hunks[-1]
    for hunk, at_edge in ((first, first.start == 0), (last, last.end == len(edit.before))):
        if at_edge and hunk.end > hunk.start and (not edges or hunk.after_end == hunk.after_start):
            return False
    return True


def is_code(lines: Sequence[str]) -> bool:
    """Whether no line could be taken for a marker or a fence."""
    return not any(_FENCE.match(line) or is_marker(line) for line in lines)


_STYLES: dict[str, Writer] = {
    "hunks": _hunks,
    "headers": _headers,
    "function": _function,
    "blocks": _blocks,
    "plain": _plain,
    "diff": _diff,
}
STYLES = tuple(_STYLES)
