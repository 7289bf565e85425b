"""Sentences are read without runs that no reader could use; all else of them stays."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds import Kind, kinds

from redraft.edit.answer.answer import parse
from redraft.edit.text.legible import legible

RUNS = [kind for kind in kinds() if kind.name.startswith("run of ")]


@given(st.lists(st.sampled_from(["word", " ", "\n", "`a    = 1`", "\t", "é" * 150, "a" * 190])).map("".join))
def test_only_long_runs_are_cut(text: str) -> None:
    cut = legible(text)
    assert re.search(r"\S{201}|[ \t]{41}|\n{4}", cut) is None
    assert cut.split()[:1] == [word[:200] for word in text.split()[:1]]
    if re.search(r"\S{201}|[ \t]{41}|\n{4}", text) is None:
        assert cut == text
    assert legible(cut) == cut


@pytest.mark.parametrize("kind", RUNS, ids=lambda kind: kind.name)
def test_the_sentences_of_an_answer_hold_no_long_run(kind: Kind) -> None:
    request = kind.of(32_000)
    answer = parse(request.update, request.original.split("\n"), request.path)
    said = (answer.prose, answer.after, *(block.prose for block in answer.blocks))
    assert all(re.search(r"[^\W\d_]{201}|\d{201}|[ \t]{41}", each) is None for each in said)
