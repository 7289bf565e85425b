"""Claude Code's hooks, by their documented JSON on standard input: an edit that fails is answered by one that works."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FILE = "def total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items) / len(items)\n"
NOT_FOUND = "<tool_use_error>String to replace not found in file.\nString:   return sum(items)</tool_use_error>"
EDIT = {"old_string": "def total(items):\n\treturn sum(items)", "new_string": "def total(items):\n\treturn fsum(items)"}
RIGHT = FILE.replace("sum(items)", "fsum(items)")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(FILE)
    return tmp_path


def hooked(folder: Path, **event: Any) -> dict[str, Any] | None:
    """What the hook prints for an event, as Claude Code starts it."""
    common = {"session_id": "s", "transcript_path": str(folder / "t.jsonl"), "cwd": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "redraft", "agents", "hook"],
        input=json.dumps(common | event),
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else None


def call(folder: Path, **given: Any) -> dict[str, Any]:
    return {"file_path": str(folder / "shop.py"), **given}


def failed(folder: Path, **given: Any) -> dict[str, Any]:
    return {
        "hook_event_name": "PostToolBatch",
        "tool_calls": [
            {"tool_name": "Read", "tool_input": {"file_path": "x"}, "tool_use_id": "a", "tool_response": "1\tx"},
            {
                "tool_name": "Edit",
                "tool_input": call(folder, **given),
                "tool_use_id": "b",
                "tool_response": NOT_FOUND,
            },
        ],
    }


def test_before_the_call_its_texts_become_those_of_the_file(shop: Path) -> None:
    event = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": call(shop, **EDIT)}
    said = hooked(shop, **event)
    assert said is not None
    assert said["hookEventName"] == "PreToolUse"
    assert "permissionDecision" not in said
    new = said["updatedInput"]
    assert new["file_path"] == str(shop / "shop.py")
    assert FILE.replace(new["old_string"], new["new_string"], 1) == RIGHT


def test_after_the_batch_the_model_is_told_the_call_that_works(shop: Path) -> None:
    said = hooked(shop, **failed(shop, **EDIT))
    assert said is not None
    assert said["hookEventName"] == "PostToolBatch"
    told, _, line = said["additionalContext"].rpartition("\n")
    new = json.loads(line)
    assert "one common shift of indentation" in told
    assert FILE.replace(new["old_string"], new["new_string"], 1) == RIGHT
    assert (shop / "shop.py").read_text() == FILE


def test_so_it_is_after_a_failure(shop: Path) -> None:
    event = {"hook_event_name": "PostToolUseFailure", "tool_name": "Edit", "tool_input": call(shop, **EDIT)}
    said = hooked(shop, **event, tool_use_id="a", error="String to replace not found in file.", is_interrupt=False)
    assert said is not None
    assert "fsum" in said["additionalContext"]


def test_quotes_of_prose_become_those_of_the_file(shop: Path) -> None:
    """Claude Code finds the old text in spite of them, and would write those of the new one."""
    (shop / "shop.py").write_text('print("x")\n')
    given = call(shop, old_string="print(\u201cx\u201d)", new_string="print(\u201cy\u201d)")
    said = hooked(shop, hook_event_name="PreToolUse", tool_name="Edit", tool_input=given)
    assert said is not None
    new = said["updatedInput"]
    assert 'print("x")\n'.replace(new["old_string"], new["new_string"]) == 'print("y")\n'


def test_equal_texts_are_called_so(shop: Path) -> None:
    said = hooked(shop, **failed(shop, old_string="x = 1", new_string="x = 1"))
    assert said is not None
    assert said["additionalContext"].endswith("the old and the new text are the same")


def test_equal_places_are_told_apart(shop: Path) -> None:
    said = hooked(shop, **failed(shop, old_string="(items)", new_string="(all)"))
    assert said is not None
    assert "stands 5 times in the file" in said["additionalContext"]
    assert "line 1 alone" in said["additionalContext"]


@pytest.mark.parametrize(
    "event",
    [
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}},
        {"hook_event_name": "Stop"},
        {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "shop.py", **EDIT}},
        {"hook_event_name": "PreToolUse", "tool_name": "MultiEdit", "tool_input": {"file_path": "shop.py", **EDIT}},
        {"hook_event_name": "PostToolBatch", "tool_calls": "none"},
        {"hook_event_name": "PostToolUseFailure", "tool_name": "Edit", "tool_input": {"file_path": "gone.py", **EDIT}},
        {"hook_event_name": "PostToolUseFailure", "tool_name": "Edit", "tool_input": {"file_path": "shop.py"}},
        {},
    ],
)
def test_it_is_silent_about_all_else(shop: Path, event: dict[str, Any]) -> None:
    assert hooked(shop, **event) is None


def test_it_is_silent_about_calls_that_work(shop: Path) -> None:
    works = call(shop, old_string="sum(items)", new_string="max(items)")
    assert hooked(shop, hook_event_name="PreToolUse", tool_name="Edit", tool_input=works) is None
    done = [{"tool_name": "Edit", "tool_input": works, "tool_use_id": "a", "tool_response": {"filePath": "shop.py"}}]
    assert hooked(shop, hook_event_name="PostToolBatch", tool_calls=done) is None


def test_what_is_no_event_stops_nobody(shop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "redraft", "agents", "hook"], input="{", capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
