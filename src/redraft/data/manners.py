"""In: a file before and after an edit, and a style. Out: the sketch of that edit, in the styles of any chat model."""

from collections.abc import Sequence
from itertools import groupby
from random import Random

from redraft.data.anchors import Places, is_telling
from redraft.data.languages import comment, extension
from redraft.data.lazy import is_marker
from redraft.data.markers import Markers
from redraft.data.pieces import Changed, Elided, Shown, pieces
from redraft.data.prose import around_blocks, around_deletions, around_pairs
from redraft.data.sketch import STYLES, Pieces, Writer, is_code, is_sayable, sketch, write, written
from redraft.data.slips import indented, other_indentation, slipped
from redraft.data.wordings import RareMarkers
from redraft.edit.align.spelling import lead_of
from redraft.edit.merge.read import read
from redraft.edit.text.changes import line_changes, split_lines

_NOTES = ("removed: {line}", "deleted: {line}", "REMOVED {line}", "({count} removed)", "removed {count} here")
_LONGEST_QUOTE = 60
_EQUAL = 0.1  # a margin between readings that tells nothing
# What a comment looks like there depends on the place, or there are none.
_NO_NOTES = frozenset(("html", "vue", "jsx", "tsx", "json", "md", "php"))


def sketch_in(before: str, after: str, style: str, seed: int, path: str) -> str | None:
    """The update for one edit in one of ALL_STYLES, the same for the same arguments; None when it cannot say it.

    Manifests of cases name styles: what these write must not change.
    """
    if style in STYLES:
        return sketch(before, after, style, seed, path)
    return write(before, after, style, seed, path, _WRITERS[style])


def ambiguous(before: str, after: str, seed: int, path: str) -> str | None:
    """A sketch with one line of context a side that fits in several places; None where that is not certain.

    It is where lines are inserted between lines that are not unique, so that no line tells the place, and where the
    deterministic reader finds two placements that are equally good and give different files.
    """
    old, new = split_lines(before), split_lines(after)
    edit = Changed(old, new, line_changes(old, new), path)
    near = {n for hunk in edit.hunks for n in (hunk.start - 1, hunk.end) if 0 <= n < len(old)}
    found = pieces(edit, near)
    if not old or not edit.hunks or not is_sayable(found, edit, edges=True):
        return None
    places = Places(old)
    if not any(isinstance(piece, Shown) and _is_lost(piece, places) for piece in found):
        return None
    text = "\n".join(written(edit, found, Markers(Random(f"ambiguous {seed} {path}"), path))) + "\n"
    reading = read(before, text, path)
    return text if len(reading.candidates) > 1 and reading.margin < _EQUAL else None


def _is_lost(piece: Shown, places: Places) -> bool:
    """Whether a piece only inserts lines, and shows no unchanged line that stands once in the file."""
    number, lost = piece.start, True
    for sign, _ in piece.signed:
        lost = lost and sign != "-" and (sign == "+" or not places.is_unique(number, number + 1))
        number += sign != "+"
    return lost


def _dedented(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    prose = rng.random() < 0.5
    if not is_sayable(found, edit, edges=not prose):
        return None
    shown = [piece.lines for piece in found if isinstance(piece, Shown)]
    if all(dedent(lines) == lines for lines in shown):
        return None
    if prose:
        return around_blocks(["\n".join(dedent(lines)) for lines in shown], edit.path, rng)
    markers, lines = Markers(rng, edit.path), list[str]()
    for piece in found:
        if isinstance(piece, Elided):
            lines.append(markers.write(edit.before, piece.start, piece.end).lstrip())
        else:
            lines += dedent(piece.lines)
    return "\n".join(lines)


def dedent(lines: Sequence[str]) -> list[str]:
    """The lines without the indentation that all of them share; blank lines do not count."""
    leads = [lead_of(line) for line in lines if line.strip()]
    shared = min(leads, key=len, default="")
    while not all(lead.startswith(shared) for lead in leads):
        shared = shared[:-1]
    return [line.removeprefix(shared) for line in lines]


def _pairs(edit: Changed, kept: set[int], rng: Random) -> str | None:
    shown = [piece for piece in pieces(edit, kept) if isinstance(piece, Shown)]
    olds = [[line for sign, line in piece.signed if sign != "+"] for piece in shown]
    if not all(old and piece.lines and is_code([*old, *piece.lines]) for old, piece in zip(olds, shown, strict=True)):
        return None
    pairs = [("\n".join(old), "\n".join(piece.lines)) for old, piece in zip(olds, shown, strict=True)]
    return around_pairs(pairs, edit.path, rng)


def _announced(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    deleted = (edit.before[h.start : h.end] for h in edit.hunks if h.after_end == h.after_start)
    gone = [[line.strip() for line in lines if is_telling(line)] for lines in deleted]
    if not any(gone) or not is_sayable(found, edit, edges=True):
        return None
    markers = Markers(rng, edit.path)
    if extension(edit.path) not in _NO_NOTES and rng.random() < 0.5:
        return _noted(edit, found, markers, rng)
    ends = [(lines[0], lines[-1]) for lines in gone if lines]
    if any("`" in line or len(line) > _LONGEST_QUOTE for pair in ends for line in pair):
        return None
    return around_deletions("\n".join(written(edit, found, markers)), ends, edit.path, rng)


def _noted(edit: Changed, found: Pieces, markers: Markers, rng: Random) -> str:
    """The sketch with a comment in the place of lines that go away."""
    lines = list[str]()
    for piece in found:
        if isinstance(piece, Elided):
            lines.append(markers.write(edit.before, piece.start, piece.end))
            continue
        runs = [(sign, [line for _, line in run]) for sign, run in groupby(piece.signed, key=lambda pair: pair[0])]
        for number, (sign, run) in enumerate(runs):
            around = {other for other, _ in runs[max(0, number - 1) : number + 2]}
            if sign != "-":
                lines += run
            elif "+" not in around and any(map(is_telling, run)):
                lines.append(_note(run, edit.path, rng))
    return "\n".join(lines)


def _note(gone: Sequence[str], path: str, rng: Random) -> str:
    """A comment that says that lines are gone, and is no marker."""
    opening, closing = comment(path)
    first = next((line for line in gone if line.strip()), "")
    count = "1 line" if len(gone) == 1 else f"{len(gone)} lines"
    alone = sum(bool(line.strip()) for line in gone) == 1 and is_telling(first)
    quotable = alone and len(first.strip()) <= _LONGEST_QUOTE and not (closing and closing in first)
    texts = [text.format(line=first.strip(), count=count) for text in _NOTES[0 if quotable else 3 :]]
    notes = [f"{opening} {text} {closing}".rstrip() for text in texts]
    return lead_of(first) + rng.choice([note for note in notes if not is_marker(note)])


def _off(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    if not is_sayable(found, edit, edges=True):
        return None
    markers, units = Markers(rng, edit.path), other_indentation(found, rng)
    slips = slipped(edit.before, found, edit.path, rng)
    if units and (slips is None or rng.random() < 0.4):
        return "\n".join(indented(written(edit, found, markers), *units))
    return None if slips is None else "\n".join(written(edit, slips, markers))


def _worded(edit: Changed, kept: set[int], rng: Random) -> str | None:
    found = pieces(edit, kept)
    if not is_sayable(found, edit, edges=True):
        return None
    return "\n".join(written(edit, found, RareMarkers(rng, edit.path)))


_WRITERS: dict[str, Writer] = {
    "dedented": _dedented,
    "pairs": _pairs,
    "announced": _announced,
    "off": _off,
    "worded": _worded,
}
MORE_STYLES = tuple(_WRITERS)
ALL_STYLES = (*STYLES, *MORE_STYLES)
