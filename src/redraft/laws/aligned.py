"""In: a change. Out: lines of the file that the answer writes under or above a new one in the same columns."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from redraft.edit.answer.block import Line
from redraft.edit.text.lines import width_of
from redraft.laws.change import Change, Place, stretch

_STOP = re.compile(r"(?<= )\S")
_WIDE = re.compile(r"(?<=  )\S")


def realigned(change: Change) -> dict[int, str]:
    """The lines of the new text that the answer aligns with a new one, as the answer does.

    Nothing of a column of which the answer does not show all lines: the others would stand beside it.
    """
    found: dict[int, str] = {}
    for at in sorted(change.touched & change.shown.keys()):
        for column in _columns(change, change.shown[at]):
            rows = {row: change.standing[row] for row in column if row in change.standing}
            if _is_all(change, rows):
                found |= {
                    there: _respelled(change, row, there) for row, there in rows.items() if there not in change.touched
                }
    return {at: text for at, text in found.items() if text != change.after[at]}


def _columns(change: Change, place: Place) -> Iterator[list[Place]]:
    """The runs of lines around a line of the answer in which a word begins in the same column as in it."""
    lines = change.answer.blocks[place.block].lines
    for stop in _stops(lines[place.line], _STOP):
        has_stop = partial(_has_stop, lines, stop)
        first, last = stretch(place.line, place.line, len(lines), has_stop)
        if last > first and any(stop in _stops(line, _WIDE) for line in lines[first : last + 1]):
            yield [Place(place.block, line) for line in range(first, last + 1)]


def _has_stop(lines: Sequence[Line], stop: int, at: int) -> bool:
    return stop in _stops(lines[at], _STOP)


def _stops(line: Line, sign: re.Pattern[str]) -> Sequence[int]:
    """The columns in which words of a line of code begin, the first word apart."""
    if line.kind != "code":
        return ()
    return [match.start() for match in sign.finditer(line.text, width_of(line.text) + 1)]


def _is_all(change: Change, rows: dict[Place, int]) -> bool:
    """Whether the lines stand side by side, and those above and below are shown or of another depth."""
    if not rows:
        return False
    first, last = min(rows.values()), max(rows.values())
    beside = [at for at in (first - 1, last + 1) if 0 <= at < len(change.after) and change.after[at].strip()]
    is_shown = all(at in change.shown or width_of(change.after[at]) != width_of(change.after[first]) for at in beside)
    return last - first == len(rows) - 1 and is_shown


def _respelled(change: Change, row: Place, at: int) -> str:
    """A line of the text with the spaces within that the answer has, where nothing else differs."""
    text, shown = change.after[at], change.line(row).text.strip()
    return text[: width_of(text)] + shown if text.split() == shown.split() else text
