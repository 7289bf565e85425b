"""In: edits with what is right of each, and a system. Out: `Score`, how many are right, wrong in silence, refused."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Request
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.accuracy.systems import System
from redraft.measure.cases import Case
from redraft.measure.score.small import Small
from redraft.result import Result

SURE = 0.9  # a confidence at which hardly anything may be wrong
Grade = Literal["right", "silent", "allowed", "refused"]


@dataclass(frozen=True)
class Asked:
    """An edit of a set, and what tells how good a result of it is."""

    set: str
    id: str
    request: Request
    grade: Callable[[Result], Grade]
    is_small: bool = False


@dataclass(frozen=True)
class Graded:
    asked: Asked
    result: Result
    grade: Grade
    seconds: float  # of the processor

    @property
    def is_sure(self) -> bool:
        """Whether it was written as all but certain."""
        return self.result.status in WRITTEN and (self.result.confidence or 0.0) >= SURE


@dataclass(frozen=True)
class Score:
    """What a system makes of a set.

    `right`: written as it should be, or refused where nothing can be written; `silent`: written otherwise, without a
    word; `allowed`: refused, where that is right, too; `refused`: refused though the answer is clear. Of `sure` that
    were written at 0.9 or more `sure_right` are right. `seconds` are those of the processor.
    """

    system: str
    set: str
    cases: int
    right: int
    silent: int
    allowed: int
    refused: int
    sure: int
    sure_right: int
    seconds: float


def small(name: str, cases: Iterable[Small]) -> list[Asked]:
    """Small cases are right byte for byte."""
    return [
        Asked(name, each.id, Request(each.original, each.update, path=each.path), partial(_of_small, each), True)
        for each in cases
    ]


def whole(name: str, cases: Iterable[Case], apart: bool = False) -> list[Asked]:
    """Edits of whole files are right as trees; tidy and careless answers may be taken apart, as sets of their own."""
    manner: dict[bool | None, str] = {True: f"{name}, tidy", False: f"{name}, careless"} if apart else {}
    return [Asked(manner.get(each.tidy, name), each.id, each.request, partial(_of_whole, each)) for each in cases]


def graded(system: System, asked: Iterable[Asked]) -> Iterator[Graded]:
    for each in asked:
        started = time.process_time()
        result = system.answer(each.request)
        seconds = time.process_time() - started
        yield Graded(each, result, each.grade(result), seconds)


def scores(system: str, found: Iterable[Graded]) -> list[Score]:
    """A score for each set, in the order in which they come."""
    sets: dict[str, list[Graded]] = defaultdict(list)
    for each in found:
        sets[each.asked.set].append(each)
    return [_score(system, name, members) for name, members in sets.items()]


def together(name: str, found: Iterable[Score]) -> Score:
    """One score of several sets by one system."""
    members = list(found)
    counts = ("cases", "right", "silent", "allowed", "refused", "sure", "sure_right")
    totals = {count: sum(getattr(each, count) for each in members) for count in counts}
    return Score(members[0].system, name, **totals, seconds=round(sum(each.seconds for each in members), 1))


def _score(system: str, name: str, members: list[Graded]) -> Score:
    counts = Counter[str](each.grade for each in members)
    sure = [each for each in members if each.is_sure]
    return Score(
        system,
        name,
        len(members),
        **{grade: counts[grade] for grade in get_args(Grade)},
        sure=len(sure),
        sure_right=sum(each.grade == "right" for each in sure),
        seconds=round(sum(each.seconds for each in members), 1),
    )


def _of_small(case: Small, result: Result) -> Grade:
    if result.status in WRITTEN:
        return "right" if result.output in case.right else "silent"
    if not case.right:
        return "right"
    return "allowed" if case.may_refuse else "refused"


def _of_whole(case: Case, result: Result) -> Grade:
    if result.status not in WRITTEN:
        return "refused"
    return "right" if best_grade(case, result.output).equal_as_trees else "silent"
