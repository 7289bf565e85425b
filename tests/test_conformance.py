"""What users of an apply tool rely on: small files with a sketch each, the status it gets, and the new file."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from redraft.apply import Redraft
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.result import Result

FOLDER = Path(__file__).parent / "conformance"
# What the reader still does wrong: a case that comes right has to leave this list.
WRONG = (
    "css2: a rule replaced without markers",
    "html: a tracking snippet cut out of the head",
    "leftover: a version that stands once",
)
LEAST_WRITTEN = 0.69  # of those that are read right; the others are refused in doubt
SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """`output`: what a model writes; without it the merge reads the update. `expected`: the new file, or words of the
    refusal."""

    name: str
    path: str
    original: str
    update: str
    output: str | None
    status: str
    expected: str


def cases(folder: Path = FOLDER) -> Iterator[Case]:
    for file in sorted(folder.glob("*.txt")):
        head, *sections = file.read_text(encoding="utf-8").split("\n@@@ ")
        for section in sections:
            name, _, body = section.partition("\n")
            original, *parts = SECTION.split(body)
            texts = dict(zip(parts[::2], parts[1::2], strict=True))
            (status,) = texts.keys() - {"update", "output"}
            expected = texts[status].rstrip("\n") + "\n"
            path = head.strip().removeprefix("path: ")
            yield Case(f"{file.stem}: {name}", path, original, texts["update"], texts.get("output"), status, expected)


def marked() -> Iterator[ParameterSet]:
    for case in cases():
        open_marks = [pytest.mark.xfail(strict=True, raises=AssertionError)] if case.name in WRONG else []
        yield pytest.param(case, id=case.name, marks=open_marks)


@pytest.mark.parametrize("case", list(marked()))
def test_an_edit_is_right_or_refused(case: Case) -> None:
    result = applied(case)
    if case.output is not None or case.status not in WRITTEN:
        assert result.status == case.status, f"{result.message}\n{result.output}"
    if case.status == "applied":
        assert result.output == (case.expected if case.output is None else case.output)
    elif case.status == "no_change":
        assert result.output == case.original
    else:
        assert case.expected.strip() in result.message


def test_few_right_edits_are_refused_in_doubt() -> None:
    found = [(case, applied(case)) for case in cases() if case.output is None and case.status in WRITTEN]
    right = [(case, result) for case, result in found if result.output == case.expected or case.status == "no_change"]
    assert sum(result.status == case.status for case, result in right) >= LEAST_WRITTEN * len(right)


def applied(case: Case) -> Result:
    editor = Redraft() if case.output is None else Redraft.of(Scripted(case.output), find_template("chat"))
    return editor.apply(case.original, case.update, path=case.path)


def test_there_are_many_cases_in_many_languages() -> None:
    assert len(list(cases())) >= 250
    assert len({case.path.rpartition(".")[2] for case in cases()}) >= 15
    assert min(Counter(case.status for case in cases()).values()) >= 5
