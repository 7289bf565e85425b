"""Gate: what an edit costs in forwards beyond the prompt's, on cases written for the project. Needs no clock."""

import json
from pathlib import Path
from statistics import mean

from redraft.edit.merge import merge
from redraft.edit.prompt import Part, Prompt, Source
from redraft.engines.scripted import Scripted

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "forwards.jsonl").read_text().splitlines()]


def forwards(case: dict[str, str], sources: tuple[Source, ...]) -> int:
    chunks = list(Scripted(case["expected"]).generate(Prompt((Part(case["original"] + case["update"]),), sources)))
    assert "".join(chunk.text for chunk in chunks) == case["expected"] != case["original"]
    return sum(chunk.forwards for chunk in chunks) - 1


def plain_sources(case: dict[str, str]) -> tuple[Source, ...]:
    return Source("original", (Part(case["original"]),)), Source("update", (Part(case["update"]),))


def test_at_most_four_forwards_an_edit_from_original_and_update() -> None:
    assert len(CASES) >= 30
    assert mean(forwards(case, plain_sources(case)) for case in CASES) <= 4


def test_at_most_two_forwards_an_edit_with_the_merge_as_prediction() -> None:
    def sources(case: dict[str, str]) -> tuple[Source, ...]:
        merged = merge(case["original"], case["update"], case["path"]).text
        prediction = () if merged is None else (Source("prediction", (Part(merged),)),)
        return *prediction, *plain_sources(case)

    assert mean(forwards(case, sources(case)) for case in CASES) <= 2
