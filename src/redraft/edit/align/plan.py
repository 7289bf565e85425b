"""In: a block of a sketch and the index of the original. Out: its hunks, and the rows to align."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, repeat

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.beside import beside_anchors
from redraft.edit.align.candidates import Index, candidates, in_scope, scopes
from redraft.edit.align.likeness import TELLING, indent, weight
from redraft.edit.align.paths_table import Gaps, Row
from redraft.edit.answer.block import Block, Line
from redraft.edit.text.lines import is_telling, without_numbers

_OUT_OF_SCOPE = 200
_LEFTOVER, _LEFTOVER_AT_END, _LEFTOVER_AFTER_CONTEXT = 200, 300, 30
_SKIPPED, _SKIPPED_BESIDE_NEW = 10, 127
_NOT_REMOVED, _NOT_CONTEXT = 60, 40
_EDGE = 600
_DIRECTIVE = re.compile(r"\s*(?:\{\{|\{%|<%|#(?:if|ifdef|ifndef|elif|else|endif)\b)")  # of templates, preprocessors
_OPENER = re.compile(r".*[:{(\[,>=]\s*(?:(?://|#).*)?")

Matches = Sequence[tuple[int, int]]


class Hunk(Struct, frozen=True):
    """A run of sketch lines without a marker, from line `first` of the block; blank ends are counted only."""

    lines: tuple[Line, ...]
    first: int
    blank_before: int
    blank_after: int


class Plan(Struct, frozen=True):
    """Rows to align, and for each the hunk and the line of it (None for markers)."""

    rows: tuple[Row, ...]
    places: tuple[tuple[int, int] | None, ...]
    hunks: tuple[Hunk, ...]


def plan(block: Block, found: Index) -> Plan:
    """Cuts a block at its markers; a virtual marker stands at an end that has none."""
    lines = block.lines
    pieces = _cut(lines, found)
    matches = _matches(lines, found)
    rows: list[Row] = []
    places: list[tuple[int, int] | None] = []
    hunks: list[Hunk] = []
    for at, piece in enumerate(pieces):
        if isinstance(piece, Hunk):
            rows += _code_rows(piece, block, matches, found)
            places += [(len(hunks), offset) for offset in range(len(piece.lines))]
            hunks.append(piece)
        else:
            rows.append(_marker_row(pieces, at, found))
            places.append(None)
    return Plan(tuple(rows), tuple(places), tuple(hunks))


def _matches(lines: Sequence[Line], found: Index) -> dict[str, Matches]:
    """The candidate lines for each text; lines that a diff adds have none."""
    counts = Counter(line.text.strip() for line in lines if not line.added)
    return {
        text: candidates(text, found, counts[text.strip()] == 1)
        for text in {line.text for line in lines if line.kind != "marker" or not _is_break(line, found)}
    }


def _cut(lines: Sequence[Line], found: Index) -> list[Hunk | Line | None]:
    """Hunks and markers in turn; None is a virtual marker."""
    pieces: list[Hunk | Line | None] = []
    at = 0
    for is_break, run in groupby(lines, lambda line: _is_break(line, found)):
        part = [*run]
        if is_break:
            pieces += part
        elif hunk := _trimmed(part, at):
            pieces.append(hunk)
        at += len(part)
    begins = [] if pieces and isinstance(pieces[0], Line) else [None]
    return [*begins, *pieces, *([None] if pieces and isinstance(pieces[-1], Hunk) else [])]


def _is_break(line: Line, found: Index) -> bool:
    return line.kind == "marker" and line.text.strip() not in found.texts


def _trimmed(lines: Sequence[Line], start: int) -> Hunk | None:
    """Lines from line `start` of a block on without blank ones at their ends; None where all are blank."""
    if not any(line.text.strip() for line in lines):
        return None
    solid = [at for at, line in enumerate(lines) if not line.is_blank]
    first, last = solid[0], solid[-1] + 1
    return Hunk(tuple(lines[first:last]), start + first, first, len(lines) - last)


def _gaps(hunk: Hunk | None, found: Index) -> Gaps:
    """What each line of the original costs to delete: much where it lies outside of the hunk's scope."""
    lowest = _lowest(hunk) if hunk else 0
    costs = map(_gone, found.lines, found.indents, repeat(lowest))
    return Gaps.of(costs, (width is None for width in found.indents))


def _gone(line: str, width: int | None, lowest: int) -> int:
    """What a line costs to delete; the indentation of a directive tells nothing of its scope."""
    if width is None:
        return 1
    return 10 if width >= lowest or _DIRECTIVE.match(line) else _OUT_OF_SCOPE


def _edges(hunk: Hunk, found: Index, is_faithful: bool) -> set[int]:
    """Lines at the ends of a hunk that the original has, too: they are context, and hardly a copy of it.

    Those of a faithful sketch are all context; of others the first one that tells its place is.
    """
    forward = _edge(hunk, range(len(hunk.lines)), found)
    backward = _edge(hunk, range(len(hunk.lines) - 1, -1, -1), found)
    if is_faithful:
        return {at for edge in (forward, backward) for at in edge}
    return {edge[-1] for edge in (forward, backward) if edge and weight(hunk.lines[edge[-1]].text.strip()) >= TELLING}


def _edge(hunk: Hunk, offsets: range, found: Index) -> list[int]:
    """Lines from an end of a hunk to the first one that tells its place; without one those that hold a word."""
    edge: list[int] = []
    for offset in offsets:
        line, text = hunk.lines[offset], hunk.lines[offset].text.strip()
        if line.kind != "code" or line.added or text not in found.texts:
            break
        edge.append(offset)
        if weight(text) >= TELLING:
            return edge
    return [offset for offset in edge if is_telling(hunk.lines[offset].text)]


def _code_rows(hunk: Hunk, block: Block, matches: dict[str, Matches], found: Index) -> list[Row]:
    gaps, edges = _gaps(hunk, found), _edges(hunk, found, block.is_faithful)
    beside = beside_anchors([line.text for line in hunk.lines], found)
    inside = scopes([line.text for line in hunk.lines])
    rows = [_code_row(line, block.explicit, gaps, matches) for line in hunk.lines]
    rows = [replace(row, matches=in_scope(row.matches, scope, found)) for row, scope in zip(rows, inside, strict=True)]
    rows = [replace(row, unmatched=_EDGE) if offset in edges else row for offset, row in enumerate(rows)]
    if not block.explicit:
        gains = [{**beside.get(at, {}), **dict(row.matches)} for at, row in enumerate(rows)]
        rows = [replace(row, matches=sorted(gain.items())) for row, gain in zip(rows, gains, strict=True)]
    return [replace(rows[0], opening=indent(hunk.lines[0].text)), *rows[1:]]


def _code_row(line: Line, explicit: bool, gaps: Gaps, matches: dict[str, Matches]) -> Row:
    if line.added:
        return Row(gaps)
    unmatched = _NOT_REMOVED if line.kind == "removed" else _NOT_CONTEXT if explicit and line.text.strip() else 0
    return Row(gaps, matches[line.text], unmatched, marker=line.kind == "marker")


def _marker_row(pieces: Sequence[Hunk | Line | None], at: int, found: Index) -> Row:
    before = next((piece for piece in reversed(pieces[:at]) if isinstance(piece, Hunk)), None)
    after = next((piece for piece in pieces[at + 1 :] if isinstance(piece, Hunk)), None)
    gaps = _gaps(before, found)
    marker = pieces[at]
    if isinstance(marker, Line):
        width = _intended_indent(marker, before, after, found)
        if before is None or width is None:
            return Row(gaps, marker=True, content=False)
        cost = _LEFTOVER_AFTER_CONTEXT if _ends_known(before, found) else _LEFTOVER
        return Row(gaps, marker=True, content=False, deep=(width, cost), within=width if after else -1)
    is_new = before is None or not _is_version(before.lines[-1].text.strip(), found)
    is_marked = any(isinstance(piece, Line) for piece in pieces)
    skipped = _SKIPPED_BESIDE_NEW if is_new and is_marked else _SKIPPED
    deep = _end_of_block(before, found) if before else (None, 0)
    return Row(gaps, marker=True, content=False, virtual=skipped, deep=deep)


def _is_version(text: str, found: Index) -> bool:
    """Whether the original has a line, or has it once with other numbers."""
    return text in found.texts or len(found.masked.get(without_numbers(text), ())) == 1


def _end_of_block(hunk: Hunk, found: Index) -> tuple[int | None, int]:
    """A snippet that ends in a new line is whole, so that deeper lines go; after known context, or below a line that
    opens something, they may stay.
    """
    if _opens(hunk.lines[-1].text, found):
        return None, 0
    return _lowest(hunk), _LEFTOVER_AFTER_CONTEXT if _ends_known(hunk, found) else _LEFTOVER_AT_END


def _ends_known(hunk: Hunk, found: Index) -> bool:
    last = hunk.lines[-1].text.strip()
    return last in found.texts and weight(last) >= TELLING


def _intended_indent(marker: Line, before: Hunk | None, after: Hunk | None, found: Index) -> int | None:
    """None where a marker's indent cannot be meant: not deeper than the line that opens its body, or at the margin."""
    width = indent(marker.text)
    if before is None or width is None or marker.text.startswith("@@") or (after is None and _is_open(before)):
        return None
    last = indent(before.lines[-1].text) or 0
    following = (indent(after.lines[0].text) or 0) if after else width
    opens = last >= width and _opens(before.lines[-1].text, found)
    return None if opens or (last > width and following > width) else max(width, _lowest(before))


def _is_open(hunk: Hunk) -> bool:
    """Whether a hunk ends inside of braces that it opens: what follows is the rest of a body."""
    text = "".join(line.text for line in hunk.lines if line.kind != "removed")
    return text.count("{") > text.count("}")


def _lowest(hunk: Hunk) -> int:
    return min((width for line in hunk.lines if (width := indent(line.text)) is not None), default=0)


def _opens(text: str, found: Index) -> bool:
    """Whether deeper lines follow a line, as it looks or as the original shows."""
    widths = ((found.indents[at], found.indents[at + 1 : at + 2]) for at in found.texts.get(text.strip(), []))
    return bool(_OPENER.fullmatch(text)) or any(
        own is not None and next_[:1] > (own,) for own, next_ in widths if None not in next_
    )
