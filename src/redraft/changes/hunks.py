"""In: a file and the result of an edit. Out: the hunks of the change, each with how sure it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp

from redraft.changes.change import lines_of
from redraft.edit.decide import Weighed
from redraft.edit.text.changes import LineChange, line_changes
from redraft.result import Result

# How much of the doubt about a file leaves a hunk that all other candidates have, too: benchmarks/hunk_confidence.py.
_SHARED = 0.75
_Made = tuple[int, int, tuple[str, ...]]


@dataclass(frozen=True)
class Hunk:
    """Lines `start:end` of the file become lines `after_start:after_end` of the new one, both counted from 0.

    `confidence` is the chance that this hunk is right, at least that of the file.
    """

    start: int
    end: int
    after_start: int
    after_end: int
    confidence: float


def hunks(original: str, result: Result) -> list[Hunk]:
    """In order; none where nothing was produced. Only a newline ends a line."""
    if result.output is None:
        return []
    new, sure = lines_of(result.output), result.confidence or 0.0
    rivals = list(_rivals(original, result.weighed))
    found = []
    for change in line_changes(lines_of(original), new):
        shared = _SHARED * _share(_made(change, new), rivals) if sure else 0.0
        confidence = round(sure + (1 - sure) * shared, 4)
        found.append(Hunk(change.start, change.end, change.after_start, change.after_end, confidence))
    return found


def _rivals(original: str, weighed: Sequence[Weighed]) -> Iterator[tuple[float, set[_Made]]]:
    """What each candidate that was not taken changes, and how much it counts: less, the more speaks against it."""
    old = [_bare(line) for line in lines_of(original)]
    for each in weighed[1:]:
        new = [_bare(line) for line in lines_of(each.candidate.text)]
        weight = exp(min(0.0, weighed[0].candidate.cost - each.candidate.cost))
        yield weight, {_made(change, new) for change in line_changes(old, new)}


def _share(made: _Made, rivals: Sequence[tuple[float, set[_Made]]]) -> float:
    """The share of the other candidates that make the same change."""
    total = sum(weight for weight, _ in rivals)
    return sum(weight for weight, changes in rivals if made in changes) / total if total else 0.0


def _made(change: LineChange, new: Sequence[str]) -> _Made:
    return change.start, change.end, tuple(map(_bare, new[change.after_start : change.after_end]))


def _bare(line: str) -> str:
    """A line without what ends it: candidates have newlines alone, and no byte-order mark."""
    return line.rstrip("\r\n").removeprefix("\ufeff")
