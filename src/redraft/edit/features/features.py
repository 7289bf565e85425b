"""In: a file, what was asked, and the reading of an answer. Out: what tells how sure one can be of a candidate."""

from math import log1p

from redraft.edit.answer.answer import Answer
from redraft.edit.features.doubts import of_doubts
from redraft.edit.features.edit import Edit, alike, most
from redraft.edit.features.hand import of_hand
from redraft.edit.features.place import of_place
from redraft.edit.features.said import of_said
from redraft.edit.features.twice import of_twice
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling
from redraft.edit.words import comment_body

_TIE = 0.3  # a margin of costs that decides nothing
_FAR = 3.0  # costs, and margins of costs, that are as good as any greater ones
_COSTS = {"little": 0.05, "some": 0.5, "much": 1.2}  # steps, since costs are no straight measure of doubt
_MARGINS = {"half": 0.6, "one": 0.95}
_REWORDED = 0.4  # likeness of comments that are versions of each other
_WAYS = ("lines", "declarations", "whole file", "going on", "head", "left out", "in place")
_TOLD = ("as told", "in")


def features(original: str, reading: Reading, taken: Candidate, instruction: str = "") -> dict[str, float]:
    """Features of one candidate of the reading, by name; small numbers, 0 where there is nothing of the kind."""
    edit, answer = Edit(original, taken.text), reading.answer
    is_told = any(_is_way(choice, way) for choice in taken.choices for way in _TOLD)
    found = _of_reading(reading, taken, is_told) | _of_change(edit, answer) | of_twice(edit)
    found |= of_place(edit, answer, is_told, bool(taken.orders)) | of_said(edit, answer, instruction)
    return found | of_hand(edit, answer, taken) | of_doubts(taken)


def _of_reading(reading: Reading, taken: Candidate, is_told: bool) -> dict[str, float]:
    bare = float(not reading.answer.is_talk)
    cost, margin = min(max(taken.cost, 0.0), _FAR), min(reading.margin, _FAR)
    ways = {way: float(any(_is_way(choice, way) for choice in taken.choices)) for way in _WAYS}
    return {
        "cost": cost,
        **{f"cost: {name}": float(cost > least) for name, least in _COSTS.items()},
        "margin": margin,
        **{f"margin: {name}": float(margin > least) for name, least in _MARGINS.items()},
        "candidates": len(reading.candidates) / 2,
        "tie": float(margin < _TIE),
        "tie told": float(margin < _TIE and is_told),
        "bare": bare,
        "bare margin": bare * margin,
        **{f"way: {way}": is_taken for way, is_taken in ways.items()},
        "way: diff": float(any("hunks" in choice for choice in taken.choices)),
        "way: diff by lines": float("lines of a diff" in taken.choices),
        "orders": float(bool(taken.orders)),
        "blocks": most(log1p(len(reading.answer.blocks))),
        "doubt": max((block.doubt for block in reading.answer.blocks), default=0.0),
    }


def _is_way(choice: str, way: str) -> bool:
    return choice == way or choice.startswith(f"{way} ")


def _of_change(edit: Edit, answer: Answer) -> dict[str, float]:
    changed = sum(each.end - each.start + each.after_end - each.after_start for each in edit.changes)
    pairs = list(edit.pairs())
    return {
        "nothing": float(not edit.changes),
        "one place": float(len(edit.changes) == 1),
        "missing": most(_missing(edit, answer) / 2),
        "size": most(log1p(changed) / 2),
        "gone": most(log1p(len(edit.gone))),
        "comments": most(sum(map(_is_comment, edit.gone)) / 2),
        "asides": most(sum(map(_is_comment, edit.new)) / 2),
        "comments reworded": most(
            sum(_is_comment(a) and _is_comment(b) and alike(a, b) >= _REWORDED for a, b in pairs)
        ),
        "comment for code": most(sum(_is_comment_for_code(edit, each) for each in edit.changes)),
        "separators lost": most(sum(old.strip().rstrip(",;") == new.strip() for old, new in pairs)),
    }


def _missing(edit: Edit, answer: Answer) -> int:
    """Lines of code of the answer that the text does not have."""
    shown = {*map(str.strip, answer.code)}
    return len({text for text in shown if is_telling(text)} - {line.strip() for line in edit.after})


def _is_comment_for_code(edit: Edit, change: LineChange) -> bool:
    """Whether nothing but comments come where code goes."""
    old, new = ([line for line in lines if is_telling(line)] for lines in (edit.old(change), edit.come(change)))
    return bool(new) and all(map(_is_comment, new)) and not all(map(_is_comment, old))


def _is_comment(line: str) -> bool:
    return comment_body(line.strip()) is not None
