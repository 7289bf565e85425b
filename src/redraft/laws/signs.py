"""In: a change. Out: the first line that would lose signs that few can type, or its indentation."""

from math import gcd

from redraft.edit.align.likeness import overlap, quoted, tokens
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, width_of
from redraft.edit.words.hints import speaks_of
from redraft.laws.change import Broken, Change

_PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
_DOTS = "\u2026"
_ALIKE = 0.5  # of what two lines are made of that are versions
_BEGINNING = 5  # characters by which a line is told as the version of one of the file
_OPEN = (",", "=", "+", "\\", "|", "&", "?")  # what lines end in that others go on


def flattened(change: Change) -> Broken | None:
    """None where no new line has plain signs in the place of typographic ones, or stands between the file's depths."""
    if change.answer.is_faithful or speaks_of("quotes", change.answer.prose + change.said):
        return None
    return next(filter(None, (_flat(change, gap) for gap in change.gaps)), None) or _odd(change)


def _flat(change: Change, gap: LineChange) -> Broken | None:
    for at in range(gap.start, gap.end):
        old = change.before[at]
        if (plain := _plain(old)) == old:
            continue
        for line in change.after[gap.after_start : gap.after_end]:
            if _plain(line) == line and overlap(tokens(plain.strip()), tokens(line.strip())) >= _ALIKE:
                return Broken(
                    "envelope",
                    f"line {at + 1} of the file, {quoted(old)}, would lose its typographic signs: show the line with"
                    " them, or say that they go",
                )
    return None


def _plain(line: str) -> str:
    return line.translate(_PLAIN).replace(_DOTS, "...")


def _odd(change: Change) -> Broken | None:
    """A new line whose indentation is no multiple of the step that all lines of the file are indented by."""
    if found := _spaced(change):
        return found
    step = gcd(*(width_of(line) for line in change.before if line.startswith(" ") and line.strip()))
    if step < 2 or speaks_of("indents", change.answer.prose + change.said):
        return None
    for gap in change.gaps:
        old = {bare(line)[:_BEGINNING] for line in change.before[gap.start : gap.end]}
        for at in range(max(1, gap.after_start), gap.after_end):
            line, above = change.after[at], change.after[at - 1].rstrip()
            if width_of(line) % step and bare(line)[:_BEGINNING] in old and not _goes_on(above) and line[0] == " ":
                return Broken(
                    "envelope",
                    f"line {at + 1} of the new file, {quoted(line)}, would be indented by {width_of(line)}, where all"
                    f" others are by multiples of {step}: indent the answer as the file is",
                )
    return None


def _spaced(change: Change) -> Broken | None:
    """A new line that begins with spaces where all indented lines of the file begin with tabs."""
    depths = {line[0] for line in change.before if line[:1] in (" ", "\t") and line.strip()}
    if depths != {"\t"} or speaks_of("indents", change.answer.prose + change.said):
        return None
    for gap in change.gaps:
        for at in range(max(1, gap.after_start), gap.after_end):
            line = change.after[at]
            if line.startswith("  ") and line.strip() and not _goes_on(change.after[at - 1].rstrip()):
                return Broken(
                    "envelope",
                    f"line {at + 1} of the new file, {quoted(line)}, would be indented by spaces, where all others are"
                    " by tabs: indent the answer as the file is",
                )
    return None


def _goes_on(above: str) -> bool:
    """Whether the line below one may be lined up with something in it."""
    return above.endswith(_OPEN) or any(above.count(one) > above.count(other) for one, other in ("()", "[]"))
