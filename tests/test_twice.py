"""New files through every door and format; the same answer twice is applied once, with one exit code in all formats."""

from pathlib import Path

import pytest

import redraft
from redraft.cli import run
from redraft.mcp.workspace import Edit, Workspace

FILE = "import os\n\n\ndef total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return total(items) / 2\n"
OLD, NEW = "    return sum(items)", "    return sum(item.price for item in items)"
MEAN = "def mean(items):\n    return total(items) / 2\n"
EDITS = {
    "a function": f"```python\ndef total(items):\n{NEW}\n```\n",
    "SEARCH/REPLACE": f"shop.py\n<<<<<<< SEARCH\n{OLD}\n=======\n{NEW}\n>>>>>>> REPLACE\n",
    "a deletion by SEARCH/REPLACE": f"shop.py\n<<<<<<< SEARCH\n{MEAN}=======\n>>>>>>> REPLACE\n",
    "a diff": f"```diff\n--- a/shop.py\n+++ b/shop.py\n@@ -4,2 +4,2 @@\n def total(items):\n-{OLD}\n+{NEW}\n```\n",
    "a deletion by diff": "```diff\n--- a/shop.py\n+++ b/shop.py\n@@ -7,3 +7,1 @@\n \n-"
    + MEAN.replace("\n", "\n-", 1)
    + "```\n",
    "a patch": f"*** Begin Patch\n*** Update File: shop.py\n@@ def total(items):\n-{OLD}\n+{NEW}\n*** End Patch\n",
    "a tool call": f'{{"old_string": "{OLD}", "new_string": "{NEW}"}}',
}
MADE = {
    "words": "New file `notes.py`:\n\n```python\nnote = 1\n```\n",
    "Aider's block": "notes.py\n```python\n<<<<<<< SEARCH\n=======\nnote = 1\n>>>>>>> REPLACE\n```\n",
    "a diff": "```diff\n--- /dev/null\n+++ b/notes.py\n@@ -0,0 +1 @@\n+note = 1\n```\n",
    "a patch": "*** Begin Patch\n*** Add File: notes.py\n+note = 1\n*** End Patch\n",
    "a tool call": '{"name": "write_file", "arguments": {"path": "notes.py", "content": "note = 1\\n"}}',
}
MOVED = {"a deletion": "Delete `shop.py`.", "a new name": "Rename `shop.py` to `store.py`."}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("shop.py").write_text(FILE)
    return tmp_path / "work"


def contents() -> dict[str, str]:
    return {path.name: path.read_text() for path in Path().iterdir()}


def applied_twice(answer: str, *where: str) -> dict[str, str]:
    """What the folder holds after the first time, which is what it holds after the second."""
    Path("../answer.md").write_text(answer)
    call = ["apply", *where, "-u", "../answer.md", "--readers", "merge"]
    before = contents()
    assert run(call) == 0
    after = contents()
    assert after != before
    assert run(call) == 0
    assert contents() == after
    assert run(["undo"]) == 0
    assert contents() == before
    return after


@pytest.mark.parametrize("form", EDITS)
def test_the_same_edit_twice_is_done_once(form: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert applied_twice(EDITS[form], "shop.py")["shop.py"] != FILE
    assert "shop.py: no change: " in capfd.readouterr().err


@pytest.mark.parametrize("form", MADE)
@pytest.mark.parametrize("where", [("notes.py",), ("--root", ".")])
def test_a_new_file_is_made_once(form: str, where: tuple[str, ...], folder: Path) -> None:
    assert applied_twice(MADE[form], *where)["notes.py"] == "note = 1\n"


@pytest.mark.parametrize("form", MOVED)
def test_a_file_goes_once(form: str, folder: Path) -> None:
    assert "shop.py" not in applied_twice(MOVED[form], "--root", ".")


def test_code_alone_makes_a_file_only_where_that_is_asked_for(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("../answer.md").write_text("```python\nnote = 1\n```\n")
    call = ["apply", "notes.py", "-u", "../answer.md", "--readers", "merge"]
    assert run(call) == 1
    assert "there is no file notes.py; if the answer is to make it, say --new" in capfd.readouterr().err
    assert run([*call, "--new"]) == 0
    assert contents()["notes.py"] == "note = 1\n"
    Path("../answer.md").write_text("```python\nnote = 1\n# ... existing code ...\n```\n")
    assert run(["apply", "more.py", "-u", "../answer.md", "--readers", "merge", "--new"]) == 1
    assert not Path("more.py").exists()


def test_a_new_file_brings_its_folders_and_undo_takes_them_back(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("../answer.md").write_text("```python\nnote = 1\n```\n")
    call = ["apply", "sub/deep/notes.py", "-u", "../answer.md", "--readers", "merge"]
    assert run(call) == 1
    assert "there is no file sub/deep/notes.py; if the answer is to make it, say --new" in capfd.readouterr().err
    assert not Path("sub").exists()
    assert run([*call, "--new"]) == 0
    assert Path("sub/deep/notes.py").read_text() == "note = 1\n"
    assert run(["undo"]) == 0
    assert not Path("sub").exists()
    Path("lost").symlink_to("nowhere")
    for path in ("lost/notes.py", "lost", "../answer.md/notes.py"):
        assert run(["apply", path, *call[2:], "--new"]) == 1
    assert not Path("nowhere").exists()


def test_an_agent_makes_a_file_only_where_it_says_so(folder: Path) -> None:
    workspace = Workspace(folder, redraft.load(readers="merge"))
    (outcome,) = workspace.edit([Edit("notes.py", "note = 1\n")])
    assert (outcome.status, outcome.written) == ("error", False)
    (outcome,) = workspace.edit([Edit("notes.py", "note = 1\n", is_new=True)])
    assert (outcome.status, outcome.written) == ("applied", True)
    assert Path("notes.py").read_text() == "note = 1\n"
    (outcome,) = workspace.edit([Edit("../notes.py", "note = 1\n", is_new=True)])
    assert outcome.status == "error"


def test_another_answer_that_is_refused_stays_refused(folder: Path) -> None:
    applied = EDITS["a deletion by SEARCH/REPLACE"]
    other = applied.replace("/ 2", "/ 4")
    for answer, code in ((applied, 0), (other, 3), (applied, 0)):
        Path("../answer.md").write_text(answer)
        assert run(["apply", "shop.py", "-u", "../answer.md", "--readers", "merge"]) == code
