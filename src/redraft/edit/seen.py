"""In: a file, what was asked, and the reading of an answer. Out: what tells how sure one can be of a candidate."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.read import Candidate, Reading
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known, comment_body, sayings
from redraft.edit.words.hints import speaks_of

_TIE = 0.3  # a margin of costs that decides nothing
_FAR = 3.0  # costs, and margins of costs, that are as good as any greater ones
_MANY = 3.0  # counts likewise
_WORD = re.compile(r"[A-Za-z_]\w{2,}")
_QUOTED = re.compile(r"`([^`\n]{2,80})`")


@dataclass(frozen=True)
class _Edit:
    """A file and what an answer may make of it."""

    original: str
    text: str

    @cached_property
    def before(self) -> list[str]:
        return self.original.split("\n")

    @cached_property
    def after(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def changes(self) -> list[LineChange]:
        return line_changes(self.before, self.after)

    @cached_property
    def gone(self) -> list[str]:
        """The lines that go and tell anything."""
        return [line for each in self.changes for line in self.before[each.start : each.end] if is_telling(line)]


def seen(original: str, reading: Reading, taken: Candidate, instruction: str = "") -> dict[str, float]:
    """Features of one candidate of the reading, by name; small numbers, 0 where there is nothing of the kind."""
    edit = _Edit(original, taken.text)
    found = _of_reading(reading, taken) | _of_text(edit, reading.answer) | _of_shown(edit, reading.answer)
    return found | _of_words(edit, reading.answer, taken, instruction)


def _of_reading(reading: Reading, taken: Candidate) -> dict[str, float]:
    bare = float(not reading.answer.prose.strip())
    cost, margin = min(max(taken.cost, 0.0), _FAR), min(reading.margin, _FAR)
    return {
        "cost": cost,
        "margin": margin,
        "alone": float(len(reading.candidates) == 1),
        "tie": float(reading.margin < _TIE),
        "bare": bare,
        "bare cost": bare * cost,
        "bare margin": bare * margin,
        "diff": float(any("hunks" in choice for choice in taken.choices)),
        "lines": float(any(choice.startswith("lines") for choice in taken.choices)),
        "left out": float(any(choice.startswith("left out") for choice in taken.choices)),
        "as told": min(_MANY, float(sum(choice == "as told" for choice in taken.choices))),
        "diff by lines": float(any(choice == "lines of a diff" for choice in taken.choices)),
        "doubt": max((block.doubt for block in reading.answer.blocks), default=0.0),
    }


def _of_text(edit: _Edit, answer: Answer) -> dict[str, float]:
    before, after, changes = edit.before, edit.after, edit.changes
    new = [line for change in changes for line in after[change.after_start : change.after_end] if is_telling(line)]
    shown = {line.text.strip() for block in answer.blocks for line in block.lines}
    return {
        "nothing": float(not changes),
        "places": min(_MANY, len(changes) / 3),
        "missing": min(_MANY, _missing(after, answer) / 2),
        "comments": min(_MANY, sum(map(_is_comment, edit.gone)) / 2),
        "asides": min(_MANY, sum(map(_is_comment, new)) / 2),
        "retold": min(_MANY, sum(map(_is_retold, _pairs(before, after, changes))) / 2),
        "size": min(_MANY, log1p(sum(map(_size, changes))) / 2),
        "gone": min(_MANY, log1p(len(edit.gone))),
        "not shown": min(_MANY, sum(line.strip() not in shown for line in new) / 2),
    }


def _of_shown(edit: _Edit, answer: Answer) -> dict[str, float]:
    """How much an answer shows to be found again by."""
    file = set(map(str.strip, edit.before))
    shown = [line for block in answer.blocks for line in block.lines]
    telling = [line.text.strip() for line in shown if is_telling(line.text)]
    return {
        "markers": min(_MANY, sum(line.kind == "marker" for line in shown) / 2),
        "known": sum(text in file for text in telling) / max(1, len(telling)),
        "shown": min(_MANY, log1p(len(telling)) / 2),
    }


def _of_words(edit: _Edit, answer: Answer, taken: Candidate, instruction: str) -> dict[str, float]:
    """What the sentences speak of beside the blocks."""
    known = Known(frozenset(map(str.strip, edit.before)))
    said = [*sayings(answer.prose, known), *sayings(instruction, known)]
    spoken = _words((answer.prose, instruction))
    gone = [edit.before[c.start : c.end] for c in edit.changes if not _written(edit.after, c)]
    quoted = {text for text in _QUOTED.findall(answer.prose) if text in edit.original and text not in edit.text}
    return {
        "unsaid": min(_MANY, sum(any(map(is_telling, lines)) and not _words(lines) & spoken for lines in gone)),
        "nothing taken": float(speaks_of("removal", answer.prose) and not edit.gone),
        "nothing taken as asked": float(speaks_of("removal", instruction) and not edit.gone),
        "quoted and gone": min(_MANY, len(quoted) / 2),
        "replacing": min(_MANY, sum(saying.verb == "replace" for saying in said) / 2),
        "adding": min(_MANY, sum(saying.verb == "add" for saying in said) / 2),
        "orders": float(bool(taken.orders)),
        "told": min(_MANY, sum(bool(saying.places) for saying in said) / 2),
        "mute": float(bool(answer.prose.strip()) and not _names(edit.original, answer.prose)),
    }


def _names(original: str, prose: str) -> set[str]:
    """Words of the file in a text that are no words of everyday language: `parse_row`, `Store`, MAX."""
    there = set(_WORD.findall(original))
    return {word for word in _WORD.findall(prose) if word in there and not (word.islower() and "_" not in word)}


def _words(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for word in _WORD.findall(text)}


def _written(after: Sequence[str], change: LineChange) -> bool:
    """Whether a change brings lines that are not blank."""
    return any(line.strip() for line in after[change.after_start : change.after_end])


def _size(change: LineChange) -> int:
    return change.end - change.start + change.after_end - change.after_start


def _missing(after: Sequence[str], answer: Answer) -> int:
    """Lines of code of the answer that the text does not have."""
    shown = {line.text.strip() for block in answer.blocks for line in block.lines if line.kind == "code"}
    return len({text for text in shown if is_telling(text)} - {line.strip() for line in after})


def _pairs(before: Sequence[str], after: Sequence[str], changes: Sequence[LineChange]) -> Iterator[tuple[str, str]]:
    for each in changes:
        yield from zip(before[each.start : each.end], after[each.after_start : each.after_end], strict=False)


def _is_comment(line: str) -> bool:
    return comment_body(line.strip()) is not None


def _is_retold(pair: tuple[str, str]) -> bool:
    """Whether a line is the same but for signs and spaces, or a comment in other words."""
    old, new = pair
    return (_is_comment(old) and _is_comment(new)) or _bare(old) == _bare(new)


def _bare(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum() or sign in "()[]{}")
