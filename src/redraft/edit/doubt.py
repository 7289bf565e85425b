"""In: a file, an answer, and the texts that it may mean. Out: which line is in doubt, and what settles it, in words."""

import re
from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.align.likeness import quoted
from redraft.edit.alike import WHICH, new_line, of_several
from redraft.edit.possible import Text
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import stripped, width_of
from redraft.edit.text.signs import differing
from redraft.edit.text.standing import standing

_TAG = re.compile(r"\d{1,6}#[A-Z]{2}:")
_NOTE = re.compile(r"(?i)\W*(?:please )?(?:add|insert|put|paste|place) (?:this|these|the (?:following|above|below))\b")
_LINE = re.compile(r"lines? \d[\d, -]*(?:and \d+ )?of the (?:answer|file\b)")
_UNCLEAR = "it is not clear whether"
_NEW = "show the new lines"
_GIVE = "give the change as SEARCH/REPLACE"
_MORE = "show more of the lines around it, as the file has them"
_SHOW = "show it if it stays, or with a '-' in a diff if it goes"


def doubt(original: str, update: str, texts: Sequence[str]) -> str:
    """Where the two likeliest texts differ, or the first change of the only one, and what to add to the answer."""
    if tagged := line_tags(original, update):
        return tagged
    if not texts:
        return "the answer has no place in the file: show a line of the file beside each change"
    first = Text.of(original, texts[0])
    if len(texts) < 2:
        return _alone(first, update)
    between = _between(first, Text.of(original, texts[1]), update)
    return between if between.startswith(WHICH) else f"the answer can be read in several ways: {between}"


def line_tags(original: str, update: str) -> str:
    """What is wrong with an answer whose lines have tags in front that the file does not have; "" where none has."""
    found = [(at, match[0]) for at, line in enumerate(update.split("\n"), 1) if (match := _TAG.match(line))]
    if not found or any(map(_TAG.match, original.split("\n"))):
        return ""
    (first, tag), (last, _) = found[0], found[-1]
    lines = f"lines {first}-{last}" if first < last else f"line {first}"
    return f"{lines} of the answer start with line tags, such as {quoted(tag)}: remove them"


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


def _alone(text: Text, update: str) -> str:
    """A text that is not sure enough, though there is no other."""
    if not text.changes:
        new = new_line(text.old, update)
        has = "all that the answer shows" if new is None else f"no {_shown(new, update)}"
        return f"the file has {has}, and it is not clear what is to change: {_NEW if new is None else _GIVE}"
    change = next((each for each in text.changes if text.left_out(each) is not None), text.changes[0])
    gone, come = _first(text.old, change.start, change.end), _first(text.lines, change.after_start, change.after_end)
    if gone is not None:
        return _goes(text, change, gone, come, update)
    if come is not None:
        return _comes(text, come, update)
    what = "a blank line comes" if change.start == change.end else "a blank line goes"
    return f"{_UNCLEAR} {what} {text.place(change.after_start)}: {_GIVE}"


def _goes(text: Text, change: LineChange, gone: int, come: int | None, update: str) -> str:
    """What may become of lines of the file, the first of which is given, where a line comes or none."""
    held = next((at for at in range(gone, change.end) if text.version(at) is not None), None)
    if come is not None and held is None:
        return f"{_UNCLEAR} {_shown(text.lines[come], update)} takes the place of {_of_file(text, gone)}: {_GIVE}"
    out = text.left_out(change)
    if out is not None or held is None:
        out = gone if out is None else out
        return f"{_UNCLEAR} {_of_file(text, out)}, is to go: {_settled(text.old[out], update)}"
    line, new = text.old[held], text.version(held) or ""
    if alike := of_several(text.old, held, _shown(new, update), update):
        return alike
    if line.strip() == new.strip():
        depth = f"{width_of(new)} instead of {width_of(line)}"
        return f"{_UNCLEAR} {_of_file(text, held)}, is to be indented by {depth}: {_GIVE}"
    return f"{_UNCLEAR} {_of_file(text, held)}, becomes {_shown(new, update, line)}: {_GIVE}"


def _comes(text: Text, come: int, update: str) -> str:
    """A new line that takes the place of none."""
    new = _shown(text.lines[come], update)
    if _NOTE.match(text.lines[come]):
        return f"{new} reads like a note to you and not like code: take it out of the answer's code"
    if _is_below_known(text, come, update):
        return f"it is not sure enough that {new} goes {text.place(come)}: give it as SEARCH/REPLACE"
    return f"the place of a new line is not clear: {new} may go {text.place(come)}: {_MORE}, or {_GIVE}"


def _of_file(text: Text, number: int) -> str:
    return f"line {number + 1} of the file, {quoted(text.old[number])}"


def _settled(line: str, update: str) -> str:
    """What settles whether a line stays."""
    return _GIVE if _stands(line, update) else _SHOW


def _stands(line: str, update: str) -> bool:
    return _standing(line, update.split("\n")) >= 0


def _is_below_known(text: Text, come: int, update: str) -> bool:
    """Whether the answer shows a new line right below the line of the file that it may go below."""
    above = next(filter(None, map(str.strip, reversed(text.lines[:come]))), "")
    return (above, text.lines[come].strip()) in pairwise(stripped(update.split("\n")))


def _between(one: Text, other: Text, update: str) -> str:
    """The first line in which two texts differ, as far as blank lines alone are not all."""
    change = _difference(one, other, update)
    mine, yours = _first(one.lines, change.start, change.end), _first(other.lines, change.after_start, change.after_end)
    if mine is not None and yours is not None:
        return _either(one, mine, other, yours, update)
    if mine is not None:
        return _more(one, mine, other, update)
    if yours is not None:
        return _more(other, yours, one, update)
    return f"with or without a blank line {one.place(change.start)}; {_GIVE}"


def _difference(one: Text, other: Text, update: str) -> LineChange:
    """The first difference of two texts that tells the most."""
    found = line_changes(one.lines, other.lines)
    telling = [change for change in found if _is_telling(change, one, other)] or found or [LineChange(0, 0, 0, 0)]
    return next((each for each in telling if not _is_held(each, one, other, update)), telling[0])


def _either(one: Text, mine: int, other: Text, yours: int, update: str) -> str:
    """Two lines that stand in the same place."""
    held, kept = one.in_file(mine), other.in_file(yours)
    if held is not None and kept is not None:
        return _stays(held, other, update) if held not in _kept(other) else _stays(kept, one, update)
    if held is not None:
        return _becomes(one, held, other.lines[yours], update)
    if kept is not None:
        return _becomes(other, kept, one.lines[mine], update)
    return _spelled(one, mine, other.lines[yours], update)


def _becomes(text: Text, number: int, new: str, update: str) -> str:
    """A line of the file that stays in one text and has a new version in another one."""
    line = f"line {number + 1} of the file, {quoted(text.old[number])},"
    if alike := of_several(text.old, number, _shown(new, update), update):
        return alike
    if signs := differing(new, text.old[number]):
        what = f"{_shown(new, update)} differs from line {number + 1} of the file only in {signs}"
        return f"{what}: copy it from the file, or say that it changes"
    elsewhere = _standing(new, text.lines)
    other = next((each for each in text.changes if each.after_start <= elsewhere < each.after_end), None)
    if other is not None and other.end > other.start and new.strip() != text.old[number].strip():
        there = f"line {other.start + 1}, {quoted(text.old[other.start])}"
        return f"{_shown(new, update)} takes the place of {line} or of {there}; {_GIVE}"
    return f"{line} stays, or becomes {_shown(new, update, text.old[number])}; {_GIVE}"


def _more(text: Text, at: int, other: Text, update: str) -> str:
    """A line that one of two texts has and the other has not, there at least."""
    line, number = text.lines[at], text.in_file(at)
    if number is not None:
        return _stays(number, other, update)
    elsewhere = _standing(line, other.lines)
    new = f"{_shown(line, update)} comes {text.place(at)},"
    if elsewhere < 0:
        return f"{new} or is left out; {_GIVE}"
    if (there := other.in_file(elsewhere)) is not None:
        return f"{new} or is line {there + 1} of the file; {_GIVE}"
    if text.place(at) == other.place(elsewhere):
        return f"{new} or a few lines lower; {_MORE}"
    return f"{new} or {other.place(elsewhere)}; {_MORE}"


def _stays(number: int, other: Text, update: str) -> str:
    """A line of the file that is not in the other text, or has a new version there."""
    line, new = _of_file(other, number), other.version(number)
    if new is not None:
        return f"{line}, stays, or becomes {_shown(new, update, other.old[number])}; {_GIVE}"
    return f"{line}, stays or goes; {_settled(other.old[number], update)}"


def _spelled(one: Text, at: int, other: str, update: str) -> str:
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


def _standing(line: str, lines: Sequence[str]) -> int:
    """Where a line stands first, whatever its indentation; -1 for nowhere."""
    return next((at for at, each in enumerate(lines) if each.strip() == line.strip()), -1)


def _is_telling(change: LineChange, one: Text, other: Text) -> bool:
    mine, yours = one.lines[change.start : change.end], other.lines[change.after_start : change.after_end]
    return stripped(mine) != stripped(yours)


def _is_held(change: LineChange, one: Text, other: Text, update: str) -> bool:
    """Whether two texts differ there in a line of the file that the answer shows as it is: others tell more."""
    lines = [*one.lines[change.start : change.end], *other.lines[change.after_start : change.after_end]]
    first = next(filter(str.strip, lines), "")
    return _stands(first, update) and _standing(first, one.old) >= 0


def _kept(text: Text) -> set[int]:
    """The lines of the file that stay."""
    return {*range(len(text.old))}.difference(*(range(change.start, change.end) for change in text.changes))
