"""Gate: what an edit costs in forwards beyond the prompt's, on cases written for the project. Needs no clock."""

from pathlib import Path
from statistics import mean

from redraft.measure.cases import read_cases
from redraft.measure.speed.forwards import count_forwards

CASES = read_cases(Path(__file__).parent / "cases" / "forwards.jsonl")


def test_the_cases_are_edits() -> None:
    assert len(CASES) >= 30
    assert all(case.expected != case.request.original for case in CASES)


def test_at_most_four_forwards_an_edit_from_original_and_update() -> None:
    assert mean(count_forwards(case, merged=False) for case in CASES) <= 4


def test_at_most_two_forwards_an_edit_with_the_merge_as_prediction() -> None:
    assert mean(map(count_forwards, CASES)) <= 2
