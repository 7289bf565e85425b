"""What an update accounts for: right outputs are clean, damage far from the edit is seen, in words one can act on."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from programs import edits
from redraft.apply import load
from redraft.edit.answer.answer import parse
from redraft.edit.guard.account import Evidence
from redraft.edit.guard.check import account, check

FILE = """import os
import sys


def first():
    return os.name


def second(value):
    total = value * 2
    return total


def third():
    return sys.path


def last():
    return 4
"""
SKETCH = (
    "# ... existing code ...\ndef second(value):\n    total = value * 3\n    return total\n# ... existing code ...\n"
)
RIGHT = FILE.replace("* 2", "* 3")


@given(edits())
def test_a_right_output_is_clean(edit: tuple[str, str, str]) -> None:
    before, after, update = edit
    assume(update)
    assert account(before, parse(update, before.split("\n"), "a.py").blocks).judge(after).is_clean


@given(edits(), st.data())
def test_a_line_dropped_changed_or_doubled_far_from_the_edit_is_seen(
    edit: tuple[str, str, str], data: st.DataObject
) -> None:
    before, after, update = edit
    assume(update)
    old, lines = before.split("\n"), after.split("\n")
    shared = next((n for n, (a, b) in enumerate(zip(old, lines, strict=False)) if a != b), 0)
    assume(shared > 8)
    at = data.draw(st.integers(0, shared - 7))
    assume(lines[at].strip())
    dropped, doubled = lines[:at] + lines[at + 1 :], lines[: at + 1] + lines[at:]
    changed = [*lines[:at], lines[at] + " # x", *lines[at + 1 :]]
    for damaged in (dropped, doubled, changed):
        assert check(before, update, "\n".join(damaged), path="a.py").status != "applied"


@given(edits())
def test_the_merge_is_right_or_refused(edit: tuple[str, str, str]) -> None:
    before, after, update = edit
    assume(update)
    result = load(readers="merge").apply(before, update, path="a.py")
    if result.status in ("applied", "no_change"):
        assert [line for line in (result.output or "").split("\n") if line] == [
            line for line in after.split("\n") if line
        ]
    else:
        assert result.message


@pytest.mark.parametrize(
    ("output", "status", "words"),
    [
        (RIGHT.replace("import sys\n", ""), "unrelated_change", "line 2 of the file is gone"),
        (RIGHT.replace("sys.path", "sys.argv"), "unrelated_change", "line 15 of the new file is neither"),
        (
            RIGHT.replace("    return os.name\n", "    return os.name\n" * 2),
            "unrelated_change",
            "line 7 of the new file",
        ),
        (RIGHT.replace("    return total\n", ""), "unrelated_change", "do not follow each other"),
        (FILE.replace("return 4", "return 5"), "unrelated_change", "total = value * 3"),
        (RIGHT.partition("def last")[0], "truncated", "after its line 15: 'return sys.path'"),
        (RIGHT.partition("def third")[0], "truncated", "after its line"),
        (RIGHT, "applied", ""),
    ],
)
def test_messages_name_the_line(output: str, status: str, words: str) -> None:
    verdict = check(FILE, SKETCH, output, path="a.py")
    assert verdict.status == status, verdict
    assert words in verdict.message
    assert "\n" not in verdict.message


def test_a_line_that_the_sketch_moves_is_accounted_for() -> None:
    update = "import sys\nimport os\n# ... existing code ...\n"
    assert check(FILE, update, FILE.replace("import os\nimport sys", "import sys\nimport os")).status == "applied"


def test_a_line_that_the_sketch_shows_elsewhere_is_lost_all_the_same() -> None:
    file = "def one():\n    save(1)\n    return total\n\n\ndef two():\n    save(2)\n    return total\n"
    update = "# ... existing code ...\ndef two():\n    save(3)\n    return total\n"
    right = file.replace("save(2)", "save(3)")
    assert check(file, update, right, path="a.py").status == "applied"
    assert check(file, update, right.replace("    return total\n", "", 1), path="a.py").status == "unrelated_change"


def test_a_context_line_without_its_comment_is_the_same_line() -> None:
    file = FILE.replace("* 2\n", "* 2  # twice\n")
    update = SKETCH.replace("total = value * 3\n    return", "total = value * 2\n    log(total)\n    return")
    output = file.replace("    return total\n", "    log(total)\n    return total\n")
    assert check(file, update, output).status == "applied"


def test_without_an_update_anything_may_change() -> None:
    assert check(FILE, "", FILE.replace("os", "posix"), path="a.py").status == "applied"
    assert check(FILE, "", FILE.partition("def last")[0], path="a.py").status == "truncated"


@given(st.text(alphabet="ab\n #.-+@", max_size=60), st.text(alphabet="ab\n #.-+@", max_size=60), st.text(max_size=40))
def test_any_texts_are_judged(original: str, update: str, output: str) -> None:
    assert isinstance(account(original, parse(update, original.split("\n")).blocks).judge(output), Evidence)


FLAT = "a = 1\nb = 2\nc = 3\nd = 4\n"


@pytest.mark.parametrize(
    ("update", "output"),
    [
        ("# ...\nN = 1\n# ...\n", "a = 1\nN = 1\nd = 4\n"),
        ("b = 2\nN = 1\nc = 3\n", "a = 1\nb = 2\nN = 1\nc = 3\nb = 2\nN = 1\nc = 3\nd = 4\n"),
        ("```diff\n-b = 2\n```", "a = 1\n"),
        ("# ...\ndef f():\n    return 2\n# ...\n", "def f():\n    return 2\n"),
    ],
)
def test_neighbours_are_not_lost_and_runs_stand_once(update: str, output: str) -> None:
    file = "def f():\n    return 1\n\n\ndef g():\n    return 1\n" if "def" in update else FLAT
    assert check(file, update, output, path="a.py").status in ("unrelated_change", "truncated")


def test_the_tail_of_a_file_may_be_deleted() -> None:
    update = "```diff\n@@ -1,4 +1,3 @@\n a = 1\n b = 2\n \n-c = 3\n```"
    assert check("a = 1\nb = 2\n\nc = 3\n", update, "a = 1\nb = 2\n\n").status == "applied"
