"""Sentences that say nothing of any code change nothing of what an answer does."""

import json
from pathlib import Path

import pytest

from redraft.edit.request import Request
from redraft.edit.words.framing import without_courtesies
from redraft.reading import merged

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "short.jsonl").read_text().splitlines()]
BEFORE = (
    "Hi.",
    "Sure!",
    "Certainly! Here's the change.",
    "Great question.",
    "I'll help you with that.",
    "You need to change two files.",
    "Here is the updated code:",
    "To do this, make the following change:",
    "I've made the change.",
    "Based on your request, here is the change:",
)
AFTER = (
    "Hope this helps!",
    "Let me know if you want tests for it.",
    "This keeps everything else as it was.",
    "Enjoy!",
    "That's all that needs to change.",
    "Only this part needs to be updated.",
    "Nothing else needs to be imported.",
    "Want me to do the same elsewhere?",
    "That should do it.",
)
MORE = (
    "You already have:|Add this function:|Change this to:|Replace this with:|I removed it.|Here is the complete file:"
)


def written(case: dict[str, str], update: str) -> tuple[str, str | None]:
    result = merged(Request(case["original"], update, "", case["path"]))
    return result.status, result.output if result.status == "applied" else None


@pytest.mark.parametrize("said", [*BEFORE, *AFTER])
def test_a_courtesy_changes_nothing(said: str) -> None:
    for case in CASES[::5]:
        update = case["update"].rstrip("\n") + "\n"
        more = f"{said}\n\n{update}" if said in BEFORE else f"{update}\n{said}\n"
        assert written(case, more) == written(case, update), case["id"]


@pytest.mark.parametrize("said", MORE.split("|"))
def test_what_says_something_stays(said: str) -> None:
    assert without_courtesies(f"Sure! {said}\n") == f"{said}\n"


def test_the_name_of_the_file_itself_says_nothing() -> None:
    assert without_courtesies("Here are the edits for `src/a.py`:\n", "src/a.py").strip() == ""
    assert without_courtesies("Here are the edits for `src/b.py`:\n", "src/a.py").strip() != ""
