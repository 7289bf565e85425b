"""The set of failing calls: made from edits by slips; and what the matchers of agents make of calls."""

from dataclasses import asdict
from pathlib import Path

import pytest

from git_repository import Repository
from redraft.calls.repair import repair_call
from redraft.calls.spell import CLAUDE
from redraft.data.call_refusals import REFUSED, SLIPS
from redraft.data.edits import Edit
from redraft.data.mine import PERMISSIVE, is_reserved
from redraft.edit.exact.steps import Replacement
from redraft.measure.accuracy.matchers import MATCHERS
from redraft.measure.accuracy.outcome import outcome
from redraft.measure.accuracy.systems import read_systems
from redraft.measure.cases import case_of
from redraft.measure.report.calls import calls
from redraft.measure.sets.calls import TO_REFUSE, TO_REPAIR, FailingCall, choose, make, read_calls
from redraft.measure.sets.named import find_manifest

BEFORE = """\
import os


class Basket:
    def __init__(self, items=()):
        self.items = list(items)
        self.note = "none"

    def total(self):
        if len(self.items) < 1:
            return 0
        return sum(item.price for item in self.items)

    def count(self):
        if len(self.items) < 1:
            return 0
        return len(self.items)
"""
NEW = 'round(sum(i.price for i in self.items), 2 if "a" else 1)'
AFTER = BEFORE.replace("sum(item.price for item in self.items)", NEW)


def edit(folder: Path) -> Edit:
    """An edit of a clone."""
    made = Repository(folder / "acme" / "shop")
    made.commit({"shop.py": BEFORE, "LICENSE": "permission is hereby granted, free of charge"})
    commit = made.commit({"shop.py": AFTER})
    blobs = [made.git("rev-parse", f"{at}:shop.py") for at in ("HEAD~1", "HEAD")]
    return Edit("acme/shop", commit, "shop.py", *blobs, BEFORE, AFTER, "python", "MIT")


def test_calls_are_made_again_from_their_manifest(tmp_path: Path) -> None:
    found: list[FailingCall] = []
    one = edit(tmp_path)
    for seed in range(12):
        found += choose([one], 1, 1, seed)
    tasks = [*make(found, tmp_path)]
    assert len({one.slip for one in found}) >= 1
    for task, listed in zip(tasks, found, strict=True):
        result = repair_call(task.original, task.update, path=task.path)
        kind = TO_REFUSE if listed.slip in REFUSED else TO_REPAIR
        assert task.abilities == (kind, listed.agent)
        assert result.output in ((None,) if kind == TO_REFUSE else (task.expected, None))


@pytest.mark.parametrize("name", ["calls", "calls-dev"])
def test_the_sets_are_of_repositories_that_may_be_used(name: str) -> None:
    found = read_calls(find_manifest(name))
    other = read_calls(find_manifest("calls" if name == "calls-dev" else "calls-dev"))
    assert len(found) >= 300
    assert not any(is_reserved(one.repository) for one in found)
    assert {one.license for one in found} <= PERMISSIVE
    assert {one.slip for one in found} == {*SLIPS}
    assert len({one.before_blob for one in found}) == len(found)
    assert not {one.repository for one in found} & {one.repository for one in other}
    share = sum(one.slip in REFUSED for one in found) / len(found)
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
        for system in read_systems("repair,cline")
    ]
    systems, slips = calls(found)
    assert systems.rows[0][:3] == ["repair", "0 (0.0%)", "0 (0.0%)"]
    assert [row[5] for row in systems.rows] == ["0 (0.0%)", "1 (100.0%)"]
    assert slips.rows[0][2:] == ["1 / 0", "0 / 1"]
    assert asdict(slips)["header"] == ["slip", "calls", "repair", "cline"]
