"""In: outcomes of instructed edits. Out: by kind of task and by task, which are right, wrong or not written."""

from collections.abc import Sequence
from functools import partial

from redraft.edit.guard.check import WRITTEN
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.columns import EDITS, NONE, Column, counted, share, typical
from redraft.measure.report.groups import by_system
from redraft.measure.report.table import Table
from redraft.measure.sets.named import INSTRUCTED

_GRADES = ("right", "wrong", "unchanged", "refused", "failed")


def instructed(outcomes: Sequence[Outcome]) -> list[Table]:
    """None where no outcome is of an instructed edit."""
    found = [one for one in outcomes if one.set == INSTRUCTED]
    return [_kinds(found), _tasks(found)] if found else []


def _kinds(outcomes: Sequence[Outcome]) -> Table:
    columns: tuple[Column, ...] = (
        EDITS,
        ("right", lambda found: share([_grade(one) == "right" for one in found])),
        *((grade, partial(_counted, grade)) for grade in _GRADES[1:]),
        ("seconds, median", typical(lambda one: one.seconds, "{:.1f}")),
        ("forwards, median", typical(lambda one: one.forwards, "{:,.0f}")),
        ("tokens a forward, median", typical(lambda one: one.completion_tokens / max(one.forwards, 1), "{:.1f}")),
    )
    names = sorted({kind for one in outcomes for kind in one.abilities})
    kinds = {"all": outcomes} | {kind: [one for one in outcomes if kind in one.abilities] for kind in names}
    return Table(
        "Instructed edits",
        "Right is a file that the task accepts, with its 95% interval; all else that is written is wrong, the file as "
        "it was is unchanged. What guards hold back is refused.",
        None,
        ["tasks", "system", *(name for name, _ in columns)],
        [
            [kind, system, *(cell(found) for _, cell in columns)]
            for kind, members in kinds.items()
            for system, found in by_system(members).items()
        ],
        names=2,
    )


def _tasks(outcomes: Sequence[Outcome]) -> Table:
    grades = {(one.id, one.system): _grade(one) for one in outcomes}
    systems = list(by_system(outcomes))
    rows = [
        [id_, *(grades.get((id_, name), NONE) for name in systems)] for id_ in dict.fromkeys(one.id for one in outcomes)
    ]
    return Table("Instructed edits by task", "What came of each.", None, ["task", *systems], rows)


def _grade(one: Outcome) -> str:
    if one.status == "no_change":
        return "unchanged"
    if one.status not in WRITTEN:
        return "failed" if one.status == "error" else "refused"
    return "right" if one.equal_as_trees else "wrong"


def _counted(grade: str, found: Sequence[Outcome]) -> str:
    return counted(found, lambda one: _grade(one) == grade)
