"""In: a file, an answer, and the texts that it may mean. Out: which line is in doubt, and what settles it, in words."""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from msgspec import Struct

from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import width_of
from redraft.edit.text.signs import differing

_TAG = re.compile(r"\d{1,6}#[A-Z]{2}:")
_NOTE = re.compile(r"(?i)\W*(?:please )?(?:add|insert|put|paste|place) (?:this|these|the (?:following|above|below))\b")
_SHOW = "show the lines above and below it in the answer, or say what is to become of it"


class _Text(Struct, frozen=True):
    """A text that an answer may mean, beside the file: `changes` lead from the file to it."""

    lines: Sequence[str]
    old: Sequence[str]
    changes: Sequence[LineChange]

    @staticmethod
    def of(original: str, text: str) -> "_Text":
        old, new = split_lines(original), split_lines(text)
        return _Text(new, old, line_changes(old, new))

    def in_file(self, at: int) -> int | None:
        """The line of the file that stands there, None for a new one."""
        if any(change.after_start <= at < change.after_end for change in self.changes):
            return None
        above = [*takewhile(lambda change: change.after_end <= at, self.changes)]
        return at + (above[-1].end - above[-1].after_end if above else 0)

    def place(self, at: int) -> str:
        """Where a line stands, by the line of the file above it."""
        above = next((here for here in range(at - 1, -1, -1) if self.lines[here].strip()), None)
        known = next((here for here in range(at - 1, -1, -1) if self._is_kept(here)), None)
        if above is None or known is None:
            return "at the top of the file"
        return f"below line {(self.in_file(known) or 0) + 1} of the file, {quoted(self.lines[known])}"

    def _is_kept(self, at: int) -> bool:
        return bool(self.lines[at].strip()) and self.in_file(at) is not None


def doubt(original: str, update: str, texts: Sequence[str]) -> str:
    """Where the two likeliest texts differ, or the first change of the only one, and what to add to the answer."""
    if tagged := line_tags(original, update):
        return tagged
    if not texts:
        return "the answer has no place in the file: show a line of the file beside each change"
    first = _Text.of(original, texts[0])
    if len(texts) < 2:
        return _alone(first, update)
    return f"the answer can be read in several ways: {_between(first, _Text.of(original, texts[1]), update)}"


def line_tags(original: str, update: str) -> str:
    """What is wrong with an answer whose lines have tags in front that the file does not have; "" where none has."""
    found = [at for at, line in enumerate(update.split("\n"), 1) if _TAG.match(line)]
    if not found or any(map(_TAG.match, original.split("\n"))):
        return ""
    lines = f"lines {found[0]}-{found[-1]}" if len(found) > 1 else f"line {found[0]}"
    return f"{lines} of the answer start with line tags, such as {quoted(_tag(update))}: remove them"


def _tag(update: str) -> str:
    return next((match[0] for line in update.split("\n") if (match := _TAG.match(line))), "")


def _alone(text: _Text, update: str) -> str:
    """A text that is not sure enough, though there is no other."""
    if not text.changes:
        return "the file has all that the answer shows, and it is not clear what is to change: show the new lines"
    change = text.changes[0]
    gone, come = _first(text.old, change.start, change.end), _first(text.lines, change.after_start, change.after_end)
    if gone is None and come is None:
        return "the answer changes blank lines alone, and it is not clear which: show the lines above and below them"
    if gone is None:
        assert come is not None
        new = _shown(text.lines[come], update)
        if _NOTE.match(text.lines[come]):
            return f"{new} reads like a note to you and not like code: take it out of the answer's code"
        if _is_below_known(text, come, update):
            where = f"{new} goes {text.place(come)}"
            return f"it is not sure enough that {where}: give it as SEARCH/REPLACE with the lines around it"
        what = f"{new} may go {text.place(come)}"
        return f"the place of a new line is not clear: {what}: show the line of the file that stands above it"
    line = f"line {gone + 1} of the file, {quoted(text.old[gone])},"
    if come is None:
        return f"it is not clear whether {line} is to go: {_SHOW}"
    if text.old[gone].strip() == text.lines[come].strip():
        depth = f"{width_of(text.lines[come])} instead of {width_of(text.old[gone])}"
        return f"it is not clear whether {line} is to be indented by {depth}: give the change as SEARCH/REPLACE"
    return f"it is not clear whether {line} becomes {_shown(text.lines[come], update, text.old[gone])}: {_SHOW}"


def _is_below_known(text: _Text, come: int, update: str) -> bool:
    """Whether the answer shows a new line right below the line of the file that it may go below."""
    shown = [line.strip() for line in update.split("\n") if line.strip()]
    above = next((line.strip() for line in reversed(text.lines[:come]) if line.strip()), "")
    return any((one, other) == (above, text.lines[come].strip()) for one, other in pairwise(shown))


def _between(one: _Text, other: _Text, update: str) -> str:
    """The first line in which two texts differ, as far as blank lines alone are not all."""
    found = line_changes(one.lines, other.lines)
    telling = (change for change in found if _is_telling(change, one, other))
    change = next(telling, found[0] if found else LineChange(0, 0, 0, 0))
    mine, yours = _first(one.lines, change.start, change.end), _first(other.lines, change.after_start, change.after_end)
    if mine is None and yours is None:
        return f"a blank line more or less {one.place(change.start)}; show the lines above and below it in the answer"
    if mine is None or yours is None:
        return _more(one, mine, other, update) if mine is not None else _more(other, yours or 0, one, update)
    held, kept = one.in_file(mine), other.in_file(yours)
    if held is None and kept is None:
        return _spelled(one, mine, other.lines[yours], update)
    if held is not None and kept is not None:
        return _stays(held, one.lines[mine]) if held not in _kept(other) else _stays(kept, other.lines[yours])
    if held is not None:
        return _becomes(one, held, other.lines[yours], update)
    return _becomes(other, kept or 0, one.lines[mine], update)


def _becomes(text: _Text, number: int, new: str, update: str) -> str:
    """A line of the file that stays in one text and has a new version in another one."""
    line = f"line {number + 1} of the file, {quoted(text.old[number])},"
    if signs := differing(new, text.old[number]):
        what = f"{_shown(new, update)} differs from line {number + 1} of the file only in {signs}"
        return f"{what}: copy it from the file, or say that it changes"
    elsewhere = next((at for at, each in enumerate(text.lines) if each.strip() == new.strip()), None)
    other = (
        None if elsewhere is None else next((c for c in text.changes if c.after_start <= elsewhere < c.after_end), None)
    )
    if other is not None and other.end > other.start and new.strip() != text.old[number].strip():
        there = f"line {other.start + 1}, {quoted(text.old[other.start])}"
        return f"{_shown(new, update)} takes the place of {line} or of {there}; show the lines above and below it"
    return f"{line} stays, or becomes {_shown(new, update, text.old[number])}; {_SHOW}"


def _more(text: _Text, at: int, other: _Text, update: str) -> str:
    """A line that one of two texts has and the other has not, there at least."""
    line, number = text.lines[at], text.in_file(at)
    if number is not None:
        return _stays(number, line)
    elsewhere = next((here for here, each in enumerate(other.lines) if each.strip() == line.strip()), None)
    if elsewhere is None or other.in_file(elsewhere) is not None:
        return f"{_shown(line, update)} comes {text.place(at)}, or is there already; show the lines around it"
    if text.place(at) == other.place(elsewhere):
        return f"{_shown(line, update)} comes {text.place(at)}, or a few lines lower; show the lines above and below it"
    return f"{_shown(line, update)} comes {text.place(at)}, or {other.place(elsewhere)}; show the line above it"


def _stays(number: int, line: str) -> str:
    place = f"line {number + 1} of the file, {quoted(line)}"
    return f"{place}, stays or goes; show it if it stays, or with a '-' in a diff if it goes"


def _spelled(one: _Text, at: int, other: str, update: str) -> str:
    line = one.lines[at]
    if line.strip() == other.strip():
        return f"a new line is {line!r} or {other!r}; indent the lines of the answer as the file does"
    return f"{_shown(line, update)} or {_shown(other, update)} comes {one.place(at)}; show the lines above and below it"


def _shown(line: str, update: str, old: str = "") -> str:
    """A new line, with its number in the answer where it stands there once; beside an old line that it only indents
    otherwise, how."""
    bare = line.strip()
    found = [at for at, each in enumerate(update.split("\n"), 1) if bare in (each.strip(), each.strip()[1:].strip())]
    number = f" (line {found[0]} of the answer)" if len(found) == 1 else ""
    return f"{line!r}{number}" if bare == old.strip() else f"{quoted(line)}{number}"


def _first(lines: Sequence[str], start: int, end: int) -> int | None:
    return next((at for at in range(start, end) if lines[at].strip()), None)


def _is_telling(change: LineChange, one: _Text, other: _Text) -> bool:
    mine, yours = one.lines[change.start : change.end], other.lines[change.after_start : change.after_end]
    return [line.strip() for line in mine if line.strip()] != [line.strip() for line in yours if line.strip()]


def _kept(text: _Text) -> set[int]:
    """The lines of the file that stay."""
    gone = {at for change in text.changes for at in range(change.start, change.end)}
    return {*range(len(text.old))} - gone
