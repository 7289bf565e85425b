"""In: a change. Out: the first line that would lose signs that few can type, or its indentation."""

from collections.abc import Iterator
from math import gcd

from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, width_of
from redraft.edit.words.hints import speaks_of
from redraft.laws.change import Broken, Change, likeness

_PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
_DOTS = "\u2026"
_ALIKE = 0.5  # of what two lines are made of that are versions
_BEGINNING = 5  # characters by which a line is told as the version of one of the file
_OPEN = (",", "=", "+", "\\", "|", "&", "?")  # what lines end in that others go on


def flattened(change: Change) -> Broken | None:
    """None where no new line has plain signs in the place of typographic ones, or stands between the file's depths."""
    if change.answer.is_faithful or speaks_of("quotes", change.words):
        return None
    flat = next(filter(None, (_flat(change, gap) for gap in change.gaps)), None)
    if flat or speaks_of("indents", change.words):
        return flat
    return _spaced(change) or _odd(change)


def _flat(change: Change, gap: LineChange) -> Broken | None:
    for at in gap.gone:
        plain = _plain(change.before[at])
        versions = (line for line in change.came(gap) if _plain(line) == line and likeness(plain, line) >= _ALIKE)
        if plain != change.before[at] and any(versions):
            what = f"{change.old_line(at)}, would lose its typographic signs"
            return Broken("envelope", f"{what}: show the line with them, or say that they go")
    return None


def _plain(line: str) -> str:
    return line.translate(_PLAIN).replace(_DOTS, "...")


def _odd(change: Change) -> Broken | None:
    """A new line whose indentation is no multiple of the step that all lines of the file are indented by."""
    step = gcd(*(width_of(line) for line in change.before if line.startswith(" ") and line.strip()))
    if step < 2:
        return None
    for gap in change.gaps:
        old = {bare(line)[:_BEGINNING] for line in change.went(gap)}
        for at in _begun(change, gap):
            width = width_of(change.after[at])
            if width % step and change.after[at][0] == " " and bare(change.after[at])[:_BEGINNING] in old:
                what = f"would be indented by {width}, where all others are by multiples of {step}"
                return _indented(change, at, what)
    return None


def _spaced(change: Change) -> Broken | None:
    """A new line that begins with spaces where all indented lines of the file begin with tabs."""
    if {line[0] for line in change.before if line[:1] in (" ", "\t") and line.strip()} != {"\t"}:
        return None
    for at in (at for gap in change.gaps for at in _begun(change, gap)):
        if change.after[at].startswith("  ") and change.after[at].strip():
            return _indented(change, at, "would be indented by spaces, where all others are by tabs")
    return None


def _indented(change: Change, at: int, how: str) -> Broken:
    return Broken("envelope", f"{change.new_line(at)}, {how}: indent the answer as the file is")


def _begun(change: Change, gap: LineChange) -> Iterator[int]:
    """The lines that come, but for the file's first, and those that may be lined up with something above."""
    return (at for at in gap.come if at and not _goes_on(change.after[at - 1].rstrip()))


def _goes_on(above: str) -> bool:
    """Whether the line below one may be lined up with something in it."""
    return above.endswith(_OPEN) or any(above.count(one) > above.count(other) for one, other in ("()", "[]"))
