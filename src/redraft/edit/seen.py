"""In: a file, what was asked, and the reading of an answer. Out: what tells how sure one can be of a candidate."""

from collections.abc import Iterator, Sequence

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.read import Candidate, Reading
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known, comment_body, sayings

_TIE = 0.3  # a margin of costs that decides nothing
_FAR = 3.0  # costs, and margins of costs, that are as good as any greater ones
_MANY = 3.0  # counts likewise


def seen(original: str, reading: Reading, taken: Candidate, instruction: str = "") -> dict[str, float]:
    """Features of one candidate of the reading, by name; small numbers, 0 where there is nothing of the kind."""
    found = _of_reading(reading, taken) | _of_text(original, reading.answer, taken.text)
    return found | _of_words(original, reading.answer, taken, instruction)


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
    }


def _of_text(original: str, answer: Answer, text: str) -> dict[str, float]:
    before, after = original.split("\n"), text.split("\n")
    changes = line_changes(before, after)
    gone = [line for change in changes for line in before[change.start : change.end] if is_telling(line)]
    new = [line for change in changes for line in after[change.after_start : change.after_end] if is_telling(line)]
    return {
        "nothing": float(not changes),
        "places": min(_MANY, len(changes) / 3),
        "missing": min(_MANY, _missing(after, answer) / 2),
        "comments": min(_MANY, sum(map(_is_comment, gone)) / 2),
        "asides": min(_MANY, sum(map(_is_comment, new)) / 2),
        "retold": min(_MANY, sum(map(_is_retold, _pairs(before, after, changes))) / 2),
    }


def _of_words(original: str, answer: Answer, taken: Candidate, instruction: str) -> dict[str, float]:
    """What the sentences speak of beside the blocks."""
    known = Known(frozenset(map(str.strip, original.split("\n"))))
    said = [*sayings(answer.prose, known), *sayings(instruction, known)]
    return {
        "orders": float(bool(taken.orders)),
        "told": min(_MANY, sum(bool(saying.places) for saying in said) / 2),
    }


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
