"""`redraft repair`: a call goes in and comes out working; the file is written where that is asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import done, refusal
from redraft.calls.spell import AGENTS
from redraft.changes.change import unified
from redraft.cli import run

FILE = "def total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items) / len(items)\n"
NEW = FILE.replace("sum(items)", "fsum(items)")
EDIT = {"old_string": "def total(items):\n  return sum(items)", "new_string": "def total(items):\n  return fsum(items)"}
PATCH = "*** Begin Patch\n*** Update File: shop.py\n@@\n-  return sum(items)\n+  return fsum(items)\n*** End Patch\n"


@pytest.fixture(autouse=True)
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))
    (tmp_path / "shop.py").write_text(FILE)
    (tmp_path / "call.json").write_text(json.dumps({"file_path": "shop.py", **EDIT}))
    (tmp_path / "patch.txt").write_text(PATCH)
    return tmp_path


def made(call: dict[str, Any]) -> str:
    assert FILE.count(call["old_string"]) == 1
    return FILE.replace(call["old_string"], call["new_string"])


def test_a_call_comes_out_in_its_own_words(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, said = done(capfd, "repair", "-c", "call.json")
    assert made(json.loads(out)) == NEW
    assert said == "redraft: repaired, lines 1-2: first line without its indentation\n"
    assert (shop / "shop.py").read_text() == FILE
    out, _ = done(capfd, "repair", "shop.py", "-c", "patch.txt")
    assert out.startswith("*** Begin Patch\n*** Update File: shop.py\n")
    assert "-    return sum(items)\n+    return fsum(items)\n" in out


@pytest.mark.parametrize("agent", AGENTS)
def test_it_comes_out_in_the_words_that_are_asked_for(
    agent: str, shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out, _ = done(capfd, "repair", "-c", "call.json", "--as", agent)
    (shop / "again.txt").write_text(out)
    again, said = done(capfd, "repair", "shop.py", "-c", "again.txt")
    assert again == out
    assert "works as it is" in said
    done(capfd, "apply", "shop.py", "-u", "again.txt", "--readers", "merge")
    assert (shop / "shop.py").read_text() == NEW


def test_the_file_is_written_and_comes_back(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert done(capfd, "repair", "-c", "call.json", "--write")[1].splitlines()[-1] == "shop.py: written"
    assert (shop / "shop.py").read_text() == NEW
    done(capfd, "undo")
    assert (shop / "shop.py").read_text() == FILE


def test_what_is_refused_writes_nothing(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (shop / "call.json").write_text('{"file_path": "shop.py", "old_string": "(items)", "new_string": "(all)"}')
    assert run(["repair", "-c", "call.json", "--write"]) == 3
    out, said = capfd.readouterr()
    assert out == ""
    assert "stands 5 times in the file" in said
    assert (shop / "shop.py").read_text() == FILE
    assert run(["repair", "-c", "call.json", "--json"]) == 3
    record = json.loads(capfd.readouterr().out)
    assert (record["status"], record["call"], record["edits"]) == ("refused", None, [])
    assert [place["lines"] for place in record["places"]] == [[1, 1], [2, 2], [5, 5]]


def test_many_calls_give_a_record_each(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"id": 1, "call": {"file_path": "shop.py", **EDIT}},
        {"id": 2, "path": "shop.py", "original": FILE, "call": PATCH},
        {"id": 3, "path": "gone.py", "call": EDIT},
        {"id": 4, "path": "shop.py", "call": {"old_string": "x = 1", "new_string": "x = 2"}},
    ]
    (shop / "calls.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n")
    out, _ = done(capfd, "repair", "--batch", "calls.jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert [(one["id"], one["status"]) for one in records] == [
        *((1, "repaired"), (2, "repaired"), (3, "error"), (4, "refused"), (None, "error")),
    ]
    assert made(json.loads(records[0]["call"])) == NEW


def test_a_call_that_is_cut_off_or_about_a_file_that_is_not_here_is_called_that(
    shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = json.dumps({"file_path": "shop.py", **EDIT})
    for end in (1, 10, len(whole) // 2):
        (shop / "cut.json").write_text(whole[:-end])
        assert "the call is cut off: its JSON does not end" in refusal(capfd, "repair", "-c", "cut.json")
    (shop / "gone.json").write_text(whole.replace("shop.py", "/no/such/shop.py"))
    said = refusal(capfd, "repair", "-c", "gone.json")
    assert "there is no file /no/such/shop.py: name the FILE here, or the folder of its project with --root" in said
    assert done(capfd, "repair", "shop.py", "-c", "gone.json")[1].startswith("redraft: repaired")
    assert done(capfd, "repair", "--root", ".", "-c", "gone.json")[1].startswith("redraft: repaired")
    (shop / "gone.json").write_text(whole.replace("shop.py", "/no/such/other.py"))
    assert "there is no file /no/such/other.py: " in refusal(capfd, "repair", "--root", str(shop), "-c", "gone.json")


def test_of_many_places_it_is_said_how_many_are_shown(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [f"def f{number}():\n    return 0\n\n\n" for number in range(5)]
    (shop / "many.py").write_text("".join(lines))
    (shop / "call.json").write_text(json.dumps({"file_path": "many.py", "old_string": "return 0", "new_string": "1"}))
    assert run(["repair", "-c", "call.json"]) == 3
    said = capfd.readouterr().err
    assert "stands 5 times in the file" in said
    assert said.split("\n")[0].endswith("; the first 3:")
    assert said.count(", with what tells it from the others:") == 3


def test_a_diff_of_an_absolute_path_has_one_slash() -> None:
    diff = unified("a\n", "b\n", "/tmp/x.py")
    assert diff.startswith("--- a/tmp/x.py\n+++ b/tmp/x.py\n")
