"""In: a file, an answer, and the texts that it may mean. Out: which line is in doubt, and what settles it, in words."""

import re
from collections.abc import Sequence
from itertools import pairwise, repeat, takewhile

from msgspec import Struct

from redraft.edit.align.likeness import head, overlap, quoted, tokens
from redraft.edit.alike import WHICH, new_line, of_several
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import is_telling, width_of
from redraft.edit.text.signs import differing
from redraft.edit.text.standing import standing

_TAG = re.compile(r"\d{1,6}#[A-Z]{2}:")
_NOTE = re.compile(r"(?i)\W*(?:please )?(?:add|insert|put|paste|place) (?:this|these|the (?:following|above|below))\b")
_LINE = re.compile(r"lines? \d[\d, -]*(?:and \d+ )?of the (?:answer|file\b)")
_ALIKE = 0.5  # of what two lines are made of: one may be the other's new version
_NEW = "show the new lines"
_GIVE = "give the change as SEARCH/REPLACE"
_MORE = "show more of the lines around it, as the file has them"
_SHOW = "show it if it stays, or with a '-' in a diff if it goes"


class _Text(Struct, frozen=True):
    """A text that an answer may mean, beside the file: `changes` lead from the file to it."""

    lines: Sequence[str]
    old: Sequence[str]
    changes: Sequence[LineChange]

    @staticmethod
    def of(original: str, text: str) -> "_Text":
        old, new = split_lines(original), split_lines(text)
        found = line_changes(old, new)
        ends = [change.after_start for change in found[1:]]
        return _Text(new, old, [*map(_slid, found, [*ends, len(new)], repeat(new))])

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
        line = f"below line {(self.in_file(known) or 0) + 1} of the file, {quoted(self.lines[known])}"
        return line if above == known else f"among the new lines {line}"

    def version(self, number: int) -> str | None:
        """The new line that may be the new version of a line of the file which goes, None where none is like it."""
        change = next((each for each in self.changes if each.start <= number < each.end), None)
        return None if change is None else _version(self.old[number], self.come(change))

    def come(self, change: LineChange) -> list[str]:
        return [line for line in self.lines[change.after_start : change.after_end] if line.strip()]

    def left_out(self, change: LineChange) -> int | None:
        """The first line, but for brackets, that a change takes out of the file without a new version."""
        new = self.come(change)
        lines = (at for at in range(change.start, change.end) if is_telling(self.old[at]))
        return next((at for at in lines if _version(self.old[at], new) is None), None)

    def _is_kept(self, at: int) -> bool:
        return bool(self.lines[at].strip()) and self.in_file(at) is not None


def _slid(change: LineChange, bound: int, new: Sequence[str]) -> LineChange:
    """New lines as far down as they read the same, so that a closing line is told as the old one above them."""
    step = 0
    if change.start == change.end:
        while change.after_end + step < bound and new[change.after_start + step] == new[change.after_end + step]:
            step += 1
    start, after, end = change.start + step, change.after_start + step, change.after_end + step
    return LineChange(start, change.end + step, after, end)


def doubt(original: str, update: str, texts: Sequence[str]) -> str:
    """Where the two likeliest texts differ, or the first change of the only one, and what to add to the answer."""
    if tagged := line_tags(original, update):
        return tagged
    if not texts:
        return "the answer has no place in the file: show a line of the file beside each change"
    first = _Text.of(original, texts[0])
    if len(texts) < 2:
        return _alone(first, update)
    between = _between(first, _Text.of(original, texts[1]), update)
    return between if between.startswith(WHICH) else f"the answer can be read in several ways: {between}"


def line_tags(original: str, update: str) -> str:
    """What is wrong with an answer whose lines have tags in front that the file does not have; "" where none has."""
    found = [at for at, line in enumerate(update.split("\n"), 1) if _TAG.match(line)]
    if not found or any(map(_TAG.match, original.split("\n"))):
        return ""
    lines = f"lines {found[0]}-{found[-1]}" if len(found) > 1 else f"line {found[0]}"
    return f"{lines} of the answer start with line tags, such as {quoted(_tag(update))}: remove them"


def located(message: str, update: str) -> str:
    """A message with the number of the answer's line that it quotes, where it names no line of answer or file."""
    if _LINE.search(message):
        return message
    answer = update.split("\n")
    texts = {text for line in answer for text in (line.strip(), line.strip()[1:].strip()) if quoted(text) in message}
    for text in sorted(texts, key=lambda text: (message.index(quoted(text)), text)):
        where = standing(answer, text)
        if where is not None:
            return message.replace(quoted(text), f"{quoted(text)} (line {where.number} of the answer)", 1)
    return message


def _tag(update: str) -> str:
    return next((match[0] for line in update.split("\n") if (match := _TAG.match(line))), "")


def _alone(text: _Text, update: str) -> str:
    """A text that is not sure enough, though there is no other."""
    if not text.changes:
        new = new_line(text.old, update)
        has = "all that the answer shows" if new is None else f"no {_shown(new, update)}"
        return f"the file has {has}, and it is not clear what is to change: {_NEW if new is None else _GIVE}"
    change = next((each for each in text.changes if text.left_out(each) is not None), text.changes[0])
    out, gone = text.left_out(change), _first(text.old, change.start, change.end)
    come = _first(text.lines, change.after_start, change.after_end)
    if gone is None and come is None:
        what = "a blank line comes" if change.start == change.end else "a blank line goes"
        return f"it is not clear whether {what} {text.place(change.after_start)}: {_GIVE}"
    if gone is None:
        return _comes(text, come or 0, update)
    held = next((at for at in range(gone, change.end) if text.version(at) is not None), None)
    if come is None:
        out = gone if out is None else out
        return f"it is not clear whether {_of_file(text, out)}, is to go: {_settled(text.old[out], update)}"
    if held is None:
        what = f"{_shown(text.lines[come], update)} takes the place of {_of_file(text, gone)}"
        return f"it is not clear whether {what}: {_GIVE}"
    if out is not None:
        return f"it is not clear whether {_of_file(text, out)}, is to go: {_settled(text.old[out], update)}"
    line, new = text.old[held], text.version(held) or ""
    if alike := of_several(text.old, held, _shown(new, update), update):
        return alike
    if line.strip() == new.strip():
        depth = f"{width_of(new)} instead of {width_of(line)}"
        return f"it is not clear whether {_of_file(text, held)}, is to be indented by {depth}: {_GIVE}"
    return f"it is not clear whether {_of_file(text, held)}, becomes {_shown(new, update, line)}: {_GIVE}"


def _comes(text: _Text, come: int, update: str) -> str:
    """A new line that takes the place of none."""
    new = _shown(text.lines[come], update)
    if _NOTE.match(text.lines[come]):
        return f"{new} reads like a note to you and not like code: take it out of the answer's code"
    if _is_below_known(text, come, update):
        return f"it is not sure enough that {new} goes {text.place(come)}: give it as SEARCH/REPLACE"
    return f"the place of a new line is not clear: {new} may go {text.place(come)}: {_MORE}, or {_GIVE}"


def _of_file(text: _Text, number: int) -> str:
    return f"line {number + 1} of the file, {quoted(text.old[number])}"


def _settled(line: str, update: str) -> str:
    """What settles whether a line stays."""
    return _GIVE if _stands(line, update) else _SHOW


def _stands(line: str, update: str) -> bool:
    return line.strip() in {each.strip() for each in update.split("\n")}


def _version(old: str, new: Sequence[str]) -> str | None:
    """The likest of new lines, None where none is like the old one; one that defines the same is."""
    bare, name = old.strip(), head(old.strip())
    same = (line for line in new if line.strip() == bare)
    named = (line for line in new if name.kind == "definition" and head(line.strip()) == name)
    if (found := next(same, None) or next(named, None)) is not None:
        return found
    about = tokens(old.strip())
    best = max(new, key=lambda line: overlap(about, tokens(line.strip())), default=None)
    return best if best is not None and overlap(about, tokens(best.strip())) >= _ALIKE else None


def _is_below_known(text: _Text, come: int, update: str) -> bool:
    """Whether the answer shows a new line right below the line of the file that it may go below."""
    shown = [line.strip() for line in update.split("\n") if line.strip()]
    above = next((line.strip() for line in reversed(text.lines[:come]) if line.strip()), "")
    return any((one, other) == (above, text.lines[come].strip()) for one, other in pairwise(shown))


def _between(one: _Text, other: _Text, update: str) -> str:
    """The first line in which two texts differ, as far as blank lines alone are not all."""
    found = line_changes(one.lines, other.lines)
    telling = [change for change in found if _is_telling(change, one, other)] or found or [LineChange(0, 0, 0, 0)]
    change = next((each for each in telling if not _is_held(each, one, other, update)), telling[0])
    mine, yours = _first(one.lines, change.start, change.end), _first(other.lines, change.after_start, change.after_end)
    if mine is None and yours is None:
        return f"with or without a blank line {one.place(change.start)}; {_GIVE}"
    if mine is None or yours is None:
        return _more(one, mine, other, update) if mine is not None else _more(other, yours or 0, one, update)
    held, kept = one.in_file(mine), other.in_file(yours)
    if held is None and kept is None:
        return _spelled(one, mine, other.lines[yours], update)
    if held is not None and kept is not None:
        return _stays(held, other, update) if held not in _kept(other) else _stays(kept, one, update)
    if held is not None:
        return _becomes(one, held, other.lines[yours], update)
    return _becomes(other, kept or 0, one.lines[mine], update)


def _becomes(text: _Text, number: int, new: str, update: str) -> str:
    """A line of the file that stays in one text and has a new version in another one."""
    line = f"line {number + 1} of the file, {quoted(text.old[number])},"
    if alike := of_several(text.old, number, _shown(new, update), update):
        return alike
    if signs := differing(new, text.old[number]):
        what = f"{_shown(new, update)} differs from line {number + 1} of the file only in {signs}"
        return f"{what}: copy it from the file, or say that it changes"
    elsewhere = next((at for at, each in enumerate(text.lines) if each.strip() == new.strip()), None)
    other = (
        None if elsewhere is None else next((c for c in text.changes if c.after_start <= elsewhere < c.after_end), None)
    )
    if other is not None and other.end > other.start and new.strip() != text.old[number].strip():
        there = f"line {other.start + 1}, {quoted(text.old[other.start])}"
        return f"{_shown(new, update)} takes the place of {line} or of {there}; {_GIVE}"
    return f"{line} stays, or becomes {_shown(new, update, text.old[number])}; {_GIVE}"


def _more(text: _Text, at: int, other: _Text, update: str) -> str:
    """A line that one of two texts has and the other has not, there at least."""
    line, number = text.lines[at], text.in_file(at)
    if number is not None:
        return _stays(number, other, update)
    elsewhere = next((here for here, each in enumerate(other.lines) if each.strip() == line.strip()), None)
    new = f"{_shown(line, update)} comes {text.place(at)},"
    if elsewhere is None:
        return f"{new} or is left out; {_GIVE}"
    if (there := other.in_file(elsewhere)) is not None:
        return f"{new} or is line {there + 1} of the file; {_GIVE}"
    if text.place(at) == other.place(elsewhere):
        return f"{new} or a few lines lower; {_MORE}"
    return f"{new} or {other.place(elsewhere)}; {_MORE}"


def _stays(number: int, other: _Text, update: str) -> str:
    """A line of the file that is not in the other text, or has a new version there."""
    line, new = _of_file(other, number), other.version(number)
    if new is not None:
        return f"{line}, stays, or becomes {_shown(new, update, other.old[number])}; {_GIVE}"
    return f"{line}, stays or goes; {_settled(other.old[number], update)}"


def _spelled(one: _Text, at: int, other: str, update: str) -> str:
    line = one.lines[at]
    if line.strip() == other.strip():
        where = standing(update.split("\n"), line)
        of_answer = f" (line {where.number} of the answer)" if where else ""
        return f"a new line{of_answer} is {line!r} or {other!r}; indent the lines of the answer as the file does"
    return f"{_shown(line, update)} or {_shown(other, update)} comes {one.place(at)}; {_GIVE}"


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


def _is_held(change: LineChange, one: _Text, other: _Text, update: str) -> bool:
    """Whether two texts differ there in a line of the file that the answer shows as it is: others tell more."""
    lines = [*one.lines[change.start : change.end], *other.lines[change.after_start : change.after_end]]
    first = next((line for line in lines if line.strip()), "")
    return _stands(first, update) and first.strip() in {line.strip() for line in one.old}


def _kept(text: _Text) -> set[int]:
    """The lines of the file that stay."""
    gone = {at for change in text.changes for at in range(change.start, change.end)}
    return {*range(len(text.old))} - gone
