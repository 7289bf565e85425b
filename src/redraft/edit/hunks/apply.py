"""In: a file and hunks, or a file before and after. Out: the new file, or the hunks that make it.

A hunk is written under `@@ ... @@`: lines that go begin with `-`, lines that come with `+`, lines around them with a
space. It has its place by its lines alone. `@@ ... @@` without any line says that nothing changes.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from redraft.edit.align.likeness import quoted
from redraft.edit.align.spelling import lead_of
from redraft.edit.hunks.indentation import Shift, best_shift, unspaced
from redraft.edit.hunks.parse import Hunk, parse
from redraft.edit.hunks.place import HunkError, Lookup, Place, least_key, places
from redraft.edit.text.changes import LineChange, line_changes, signed, split_lines
from redraft.edit.text.endings import Endings

__all__ = ["CONTEXT", "Hunk", "HunkError", "apply", "parse", "write"]

CONTEXT = 3  # lines around a change, more where they stand several times
_OPENING = "@@ ... @@\n"


class _Edit(Struct, frozen=True):
    """What a hunk does: the file's lines that it shows or takes away, and new lines by how many lines stand above."""

    shown: frozenset[int]
    gone: frozenset[int]
    new: dict[int, list[str]]


def apply(original: str, hunks: Sequence[Hunk]) -> str:
    """The file with all hunks in it; context and all other lines stay byte for byte, as does the end of the file.

    Raises HunkError for a hunk without exactly one place, and for two that touch the same lines.
    """
    # Hunks without a carriage return are written as if the file had none.
    if "\r" in original and not any("\r" in line.text for hunk in hunks for line in hunk.lines):
        endings = Endings.of(original)
        return endings.restored(_applied(endings.text, hunks))
    return _applied(original, hunks)


def _applied(original: str, hunks: Sequence[Hunk]) -> str:
    out = apply_lines(split_lines(original), hunks)
    return "\n".join(out) + "\n" * (bool(out) and (original.endswith("\n") or not original))


def apply_lines(lines: Sequence[str], hunks: Sequence[Hunk]) -> list[str]:
    """The same for lines without their ends."""
    found = {number: hunk for number, hunk in enumerate(hunks, 1) if hunk.changes}
    known = {lead_of(line) for line in lines if line.strip()}
    edits = {number: _edit(found[number], place, lines, known) for number, place in places(found, lines).items()}
    _refuse_overlaps(edits, lines)
    gone = {at for edit in edits.values() for at in edit.gone}
    new = {above: texts for edit in edits.values() for above, texts in edit.new.items()}
    out = list(new.get(0, ()))
    for at, line in enumerate(lines):
        out += [line] * (at not in gone)
        out += new.get(at + 1, ())
    return out


def _edit(hunk: Hunk, place: Place, lines: Sequence[str], known: set[str]) -> _Edit:
    shift = _shift(hunk, place, lines, known)
    shown: set[int] = set()
    gone: set[int] = set()
    new: dict[int, list[str]] = defaultdict(list)
    count = 0
    for line in hunk.lines:
        if line.added:
            new[place.above(hunk, count)].append(_moved(shift, line.text))
            continue
        at = place.lines[count]
        if at is not None:
            (gone if line.kind == "removed" else shown).add(at)
        count += 1
    return _Edit(frozenset(shown), frozenset(gone), new)


def _shift(hunk: Hunk, place: Place, lines: Sequence[str], known: set[str]) -> Shift:
    pairs = [(line, lines[at]) for line, at in zip(hunk.old, place.lines, strict=True) if at is not None]
    same = [(line, there) for line, there in pairs if line.text.strip() and unspaced(line.text) == unspaced(there)]
    gone = [(lead_of(line.text), lead_of(there)) for line, there in same if line.kind == "removed"]
    kept = [(lead_of(line.text), lead_of(there)) for line, there in same if line.kind == "code"]
    return best_shift(gone, kept, [lead_of(line.text) for line in hunk.lines if line.added], known)


def _moved(shift: Shift, text: str) -> str:
    return shift(lead_of(text)) + text.lstrip() if text.strip() else text


def _refuse_overlaps(edits: Mapping[int, _Edit], lines: Sequence[str]) -> None:
    """Two hunks may show the same line, but neither may change what the other shows or changes."""
    gone = {at: number for number, edit in edits.items() for at in edit.gone}
    new: dict[int, int] = {}
    for number, edit in edits.items():
        for at in sorted(edit.shown | edit.gone):
            if (other := gone.get(at, number)) != number:
                one, two = sorted((number, other))
                raise HunkError(
                    f"changes {one} and {two} of the diff overlap in line {at + 1} of the file: {quoted(lines[at])}"
                )
        for above in edit.new:
            if new.setdefault(above, number) != number:
                raise HunkError(
                    f"changes {new[above]} and {number} of the diff both add lines below line {above} of the file"
                )


def write(before: str, after: str, context: int = CONTEXT) -> str:
    """The hunks that turn one text into another, each with so much context that it stands in `before` once.

    Equal texts are a header alone. A final newline more or less is no change, and `after` gets the one of `before`.
    """
    old, new = split_lines(before), split_lines(after)
    text = _Text(Lookup(old), "\r" in before)
    spans = _joined(_around([change], context, len(old)) for change in line_changes(old, new))
    spans = _joined(text.widened(span.changes, max(context, 1)) for span in spans)
    return "".join(_OPENING + "".join(_spelled(span, old, new)) for span in spans) or _OPENING


class _Span(Struct, frozen=True):
    """Lines `start:end` of the file before, and the changes within."""

    start: int
    end: int
    changes: tuple[LineChange, ...]


class _Text(Struct, frozen=True):
    """The lines before, and how much of them it takes to tell a place."""

    lookup: Lookup
    has_returns: bool

    def widened(self, changes: Sequence[LineChange], least: int) -> _Span:
        """Changes and as many lines around as make them stand once.

        One at least: `--- a` and `+++ a` right above the next header would be a diff's.
        """
        total = len(self.lookup.lines)
        widths = range(least, max(least, total) + 1)
        at = bisect_left(widths, True, key=lambda width: self._tells(_around(changes, width, total)))
        return _around(changes, widths[at], total)

    def _tells(self, span: _Span) -> bool:
        shown = self.lookup.lines[span.start : span.end]
        if self.has_returns and not any("\r" in line for line in shown):
            return False
        return not self.lookup.lines or len(list(islice(self.lookup.find(shown, least_key(shown)), 2))) == 1


def _around(changes: Sequence[LineChange], width: int, total: int) -> _Span:
    return _Span(max(changes[0].start - width, 0), min(changes[-1].end + width, total), tuple(changes))


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Spans that touch become one."""
    found: list[_Span] = []
    for span in spans:
        if found and found[-1].end >= span.start:
            last = found.pop()
            span = _Span(last.start, span.end, (*last.changes, *span.changes))
        found.append(span)
    return found


def _spelled(span: _Span, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    return (f"{sign}{text}\n" for sign, text in signed(old, new, span.changes, span.start, span.end))
