"""The set of failing calls: put together from references; and what the matchers of agents make of calls."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from matchers import MATCHERS
from matchers import systems as matching

from git_repository import Repository
from redraft.calls.repair import repair_call
from redraft.calls.spell import CLAUDE
from redraft.data.clones import blob_hash
from redraft.data.mine import PERMISSIVE, is_reserved
from redraft.edit.exact.steps import Replacement
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import outcome
from redraft.measure.accuracy.systems import read_systems
from redraft.measure.cases import case_of
from redraft.measure.report.calls import calls
from redraft.measure.sets.calls import TO_REFUSE, TO_REPAIR, FailingCall, make, read_calls
from redraft.measure.sets.named import find_manifest

BEFORE = "import os\n\n\ndef total(items):\n    return sum(items)\n"
AFTER = BEFORE.replace("sum(items)", "round(sum(items), 2)")


def call(folder: Path, **changed: object) -> FailingCall:
    """One of a clone: its old text is less indented than the file."""
    made = Repository(folder / "acme" / "shop")
    commits = [made.commit({"shop.py": text}) for text in (BEFORE, AFTER)]
    blobs = [made.git("rev-parse", f"{at}:shop.py") for at in commits]
    text = json.dumps({"file_path": "shop.py", "old_string": "return sum(items)", "new_string": "return 1"})
    fields: dict[str, Any] = {
        "slip": "shift", "agent": CLAUDE, "old": [{"ref": "b5", "cut": 4}], "new": ["return 1"], "replace_all": False,
        "cut": 0, "call": [], "call_blob": blob_hash(text.encode(), blobs[0]),
        "expected": [{"ref": "b1-4"}, "    return 1\n"],
        "expected_blob": blob_hash(BEFORE.replace("sum(items)", "1").encode(), blobs[0]),
    }  # fmt: skip
    return FailingCall("0", "acme/shop", commits[1], "shop.py", *blobs, "python", "MIT", **fields | changed)


def test_calls_are_put_together_from_their_manifest(tmp_path: Path) -> None:
    one = call(tmp_path)
    (task,) = make([one], tmp_path)
    assert json.loads(task.update)["old_string"] == "return sum(items)"
    assert (task.original, task.abilities) == (BEFORE, (TO_REPAIR, CLAUDE))
    assert repair_call(task.original, task.update, path=task.path).output == task.expected
    (refused,) = make([replace(one, expected=[], expected_blob="")], tmp_path)
    assert (refused.expected, refused.abilities) == (BEFORE, (TO_REFUSE, CLAUDE))


@pytest.mark.parametrize("changed", [{"cut": 1}, {"new": ["return 2"]}, {"expected": ["x"]}, {"call": ["x"]}])
def test_a_call_that_is_another_is_named(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(RedraftError, match="0: its text hashes to"):
        list(make([replace(call(tmp_path), **changed)], tmp_path))


@pytest.mark.parametrize("name", ["calls", "calls-dev"])
def test_the_sets_are_of_repositories_that_may_be_used(name: str) -> None:
    found = read_calls(find_manifest(name))
    other = read_calls(find_manifest("calls" if name == "calls-dev" else "calls-dev"))
    assert len(found) >= 300
    assert not any(is_reserved(one.repository) for one in found)
    assert {one.license for one in found} <= PERMISSIVE
    assert len({one.slip for one in found}) == 30
    assert len({one.before_blob for one in found}) == len(found)
    assert not {one.repository for one in found} & {one.repository for one in other}
    share = sum(not one.expected for one in found) / len(found)
    assert 0.2 < share < 0.3


TWICE = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"
TEXT = f"{TWICE}\n\ndef c():\n    y = 2\n    return y\n"
CALLS = {
    "letter for letter": ("    y = 2", "    y = 3", {*MATCHERS}),
    "indented otherwise": ("  y = 2\n  return y", "  y = 3\n  return y", {*MATCHERS} - {"exact", "aider", "difflib"}),
    "less indented": ("y = 2\nreturn y", "y = 3\nreturn y", {"aider", "gemini"}),
    "twice": ("    x = 1", "    x = 5", set()),
    "nowhere": ("zebra = 5\nhorse = 6", "zebra = 7", set()),
}


@pytest.mark.parametrize("name", CALLS)
def test_matchers_do_what_their_agents_do(name: str) -> None:
    old, new, right = CALLS[name]
    step = Replacement(old, new, 1, "a.py", is_piece=True, is_call=True)
    made = {each: matcher(TEXT, step) for each, matcher in MATCHERS.items()}
    if name == "twice":
        first = TEXT.replace(old, new, 1)
        assert {each for each, text in made.items() if text == first} >= {"aider", "cline", "codex"}
        assert made["exact"] is None
        assert made["gemini"] is None
        return
    if name == "nowhere":
        assert set(made.values()) == {None}
        return
    expected = TEXT.replace("y = 2", "y = 3")
    if name == "letter for letter":
        assert {each for each, text in made.items() if text == expected} == right
    else:
        assert made["exact"] is None
        assert made["gemini"] == expected


def test_the_tables_count_what_is_repaired_refused_and_wrong() -> None:
    call = '{"file_path": "a.py", "old_string": "  x = 1\\n  return x", "new_string": "  x = 2\\n  return x"}'
    fields = {"path": "a.py", "original": TEXT, "update": call, "style": "equal places, shifted"}
    twice = case_of({**fields, "id": "1", "expected": TEXT, "abilities": [TO_REFUSE, CLAUDE]})
    once = case_of(
        {**fields, "id": "2", "original": TEXT[20:], "expected": "", "abilities": [TO_REPAIR, CLAUDE], "style": "shift"}
    )
    found = [
        outcome(case, system.name, system.answer(case.request))
        for case in (twice, once)
        for system in (*read_systems("repair"), *(each for each in matching() if each.name == "cline"))
    ]
    systems, slips = calls(found)
    assert systems.rows[0][:3] == ["repair", "0 (0.0%)", "0 (0.0%)"]
    assert [row[5] for row in systems.rows] == ["0 (0.0%)", "1 (100.0%)"]
    assert slips.rows[0][2:] == ["1 / 0", "0 / 1"]
    assert asdict(slips)["header"] == ["slip", "calls", "repair", "cline"]
