"""What users of an apply tool rely on: small files with a sketch each, the status it gets, and the new file."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from redraft.apply import Redraft
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.measure.score.small import Conforming, conforming
from redraft.result import Result

FOLDER = Path(__file__).parent / "conformance"
# What the reader still does wrong: a case that comes right, or is refused, has to leave this list.
WRONG = (
    "attached: a comment that is not shown stays with its line",
    "attached: a head without what the class implements, and a variable under a longer name",  # as the answer shows it
    "attached: documentation above annotations that are not all shown",
    "bash: a condition that is shown without its other branch",  # a second `fi`, which its grammar lets pass
    "css2: a property without its value shows where the new one goes",  # above one that is not shown
    "java2: members shown without this",  # as the answer shows them
    "javascript3: what comes begins with the line below it, without its comma",  # commas of context are taken over
    "leftover: a call that gets one more word",  # the old call stays beside it
    "markdown3: one of two lists, told by the line above it",
    "presented: a head below the end of its comment",
    "retold: a name that is misspelled on the way",
    "retold2: names of locals come from memory",  # as the answer shows them
    "slips: a short name in a line that only leads to the change",  # as the answer shows it
    "slips: letters lost in a name below the change",  # as the answer shows them
    "slips6: a statement is held by braces as in the file",  # as the answer shows it
    "slips6: one line that stands as in the file already among lines to the left of theirs",  # indented too deep
    "slips6: what a line shows goes for the others, too, where words say so",
    "typescript2: a constant is declared anew below the old one",
)
LEAST_WRITTEN = 0.72  # of the edits that can be made; the others are refused in doubt


def cases() -> list[Conforming]:
    return list(conforming(FOLDER))


def marked() -> Iterator[ParameterSet]:
    for case in cases():
        open_marks = [pytest.mark.xfail(strict=True, raises=AssertionError)] if case.name in WRONG else []
        yield pytest.param(case, id=case.name, marks=open_marks)


@pytest.mark.parametrize("case", list(marked()))
def test_an_edit_is_right_or_refused(case: Conforming) -> None:
    result = applied(case)
    if case.status in WRITTEN and case.output is None and result.status not in WRITTEN:
        return
    assert result.status == case.status, f"{result.message}\n{result.output}"
    if case.status == "applied":
        assert result.output == (case.expected if case.output is None else case.output)
    elif case.status == "no_change":
        assert result.output == case.original
    else:
        assert case.expected.strip() in result.message


def test_few_edits_are_refused_in_doubt() -> None:
    statuses = [applied(case).status for case in cases() if case.output is None and case.status in WRITTEN]
    assert sum(status in WRITTEN for status in statuses) >= LEAST_WRITTEN * len(statuses)


def applied(case: Conforming) -> Result:
    editor = Redraft() if case.output is None else Redraft.of(Scripted(case.output), find_template("chat"))
    return editor.apply(case.original, case.update, path=case.path)


def test_there_are_many_cases_in_many_languages() -> None:
    assert len(cases()) >= 250
    assert len({case.path.rpartition(".")[2] for case in cases()}) >= 15
    assert min(Counter(case.status for case in cases()).values()) >= 5
