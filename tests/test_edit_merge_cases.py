"""Small files with a sketch each and what comes of it, in many languages."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from redraft.edit.merge import merge

FOLDER = Path(__file__).parent / "merge_cases"


@dataclass(frozen=True)
class Case:
    """`expected` is the merged file, or, where the merge refuses, words of the reason."""

    name: str
    path: str
    original: str
    update: str
    expected: str
    refused: bool


def cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.txt")):
        head, *sections = file.read_text(encoding="utf-8").split("\n@@@ ")
        for section in sections:
            name, _, body = section.partition("\n")
            original, _, rest = body.partition("=== update\n")
            refused = "=== refused\n" in rest
            update, _, expected = rest.partition("=== refused\n" if refused else "=== expected\n")
            path = head.strip().removeprefix("path: ")
            yield Case(f"{file.stem}: {name}", path, original, update, expected.rstrip("\n") + "\n", refused)


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_the_sketch_is_merged_or_refused(case: Case) -> None:
    merged = merge(case.original, case.update, case.path)
    if case.refused:
        assert merged.text is None
        assert case.expected.strip() in merged.reason
    else:
        assert merged.text == case.expected, merged.reason
        assert merged.reason == ""


def test_there_are_many_cases_in_many_languages() -> None:
    assert len(list(cases())) >= 60
    assert len({case.path for case in cases()}) >= 12
