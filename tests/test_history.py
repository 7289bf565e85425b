"""What was written is listed, taken back and made again; of many writers at once each that wrote can be undone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_line import done, refusal
from redraft.cli import run
from redraft.errors import RedraftError, RefusedError
from redraft.files.journal import Journal
from redraft.files.read import read
from redraft.files.undo import log, redo, undo
from redraft.files.write import Change, replace

MANY = """
import os, sys
from pathlib import Path
import redraft
from redraft.changes import answer
editor = redraft.load(readers="merge")
editor.apply("x = 1\\n", "x = 2\\n")  # all is imported before the start
children, gate = [], os.pipe()
for number in range(int(sys.argv[1])):
    if (child := os.fork()) == 0:
        os.close(gate[1]); os.read(gate[0], 1)
        text = f"In `shop.py`:\\n\\n```python\\ndef part_{number}():\\n    return {number} + 1\\n```\\n"
        done = answer.apply_answer(".", text, editor=editor)
        os._exit(0 if done.written else 3)
    children.append(child)
os.close(gate[1])
print(*(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("writers", [6, 20, 50])
def test_many_writers_at_once_are_all_written_in_turn_and_undone_in_turn(writers: int, folder: Path) -> None:
    start = "\n\n".join(f"def part_{number}():\n    return {number}\n" for number in range(writers))
    Path("shop.py").write_text(start)
    told = subprocess.run([sys.executable, "-c", MANY, str(writers)], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["0"] * writers, told.stderr
    for number in range(writers):
        assert f"return {number} + 1\n" in Path("shop.py").read_text()
    journal, path, seen = Journal(), Path("shop.py"), []
    for _ in range(writers):
        seen.append(path.read_text())
        assert paths(undo(journal, path, folder)) == [path.resolve()]
    assert path.read_text() == start
    with pytest.raises(RedraftError, match="nothing to undo"):
        undo(journal, path, folder)
    for text in reversed(seen):
        redo(journal, path, folder)
        assert path.read_text() == text
    assert sorted(each.name for each in folder.iterdir()) == ["shop.py"]


def paths(changes: list[Change]) -> list[Path]:
    return [file.path for file, _ in changes]


def write(path: Path, data: bytes) -> None:
    change = [(read(path), data)]
    with Journal().changing(change) as entry:
        replace(change)
        Journal().settle(entry, entry.files)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.sampled_from(["write", "undo", "redo"]), max_size=14))
def test_undo_and_redo_walk_the_history_as_in_an_editor(folder: Path, steps: list[str]) -> None:
    path = folder / f"{os.urandom(6).hex()}.txt"
    path.write_bytes(b"0")
    done, undone = [b"0"], list[bytes]()
    for number, step in enumerate(steps, 1):
        if step == "write":
            write(path, b"%d" % number)
            done, undone = [*done, b"%d" % number], []
        elif step == "undo" and len(done) > 1:
            undo(Journal(), path, folder)
            undone.append(done.pop())
        elif step == "redo" and undone:
            redo(Journal(), path, folder)
            done.append(undone.pop())
        elif step == "redo":
            with pytest.raises(RedraftError, match=r"nothing to redo|has changed since the change was taken back"):
                redo(Journal(), path, folder)
        assert path.read_bytes() == done[-1]
    listed = [each for each in log(Journal(), path, folder) if not each.is_undone]
    assert len(listed) == len(done) - 1
    assert [each.number for each in listed] == sorted({each.number for each in listed}, reverse=True)


def test_a_change_is_undone_by_its_number_and_one_behind_another_is_refused(folder: Path) -> None:
    one, two = folder / "one.txt", folder / "two.txt"
    for path in (one, two):
        path.write_bytes(b"old")
        write(path, b"new")
    write(two, b"newer")
    assert paths(undo(Journal(), None, folder, number=1)) == [one]
    assert (one.read_bytes(), two.read_bytes()) == (b"old", b"newer")
    with pytest.raises(RefusedError, match=r"redraft changed .*two.txt again since; .*: redraft undo 3"):
        undo(Journal(), None, folder, number=2)
    with pytest.raises(RedraftError, match="no change number 4"):
        undo(Journal(), None, folder, number=4)


def test_the_commands(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text("x = 1\ny = 1\n")
    assert done(capfd, "log")[1] == "redraft has written nothing here that it knows of\n"
    for number in (2, 3):
        Path("u.md").write_text(f"```python\nx = {number}\ny = 1\n```\n")
        done(capfd, "apply", "a.py", "-u", "u.md", "--readers", "merge")
    assert [line.split()[0] for line in done(capfd, "log")[0].splitlines()] == ["2", "1"]
    assert "changed since" in done(capfd, "log", "a.py")[0].splitlines()[1]
    assert run(["undo", "1"]) == 3
    assert "take that back first: redraft undo 2\n" in capfd.readouterr().err
    assert done(capfd, "undo", "2")[1] == "a.py: the old version is back\n"
    assert done(capfd, "undo", "2")[1] == "nothing written: it is undone already\n"
    assert done(capfd, "log")[0].split()[0] == "2"
    assert "(undone)" in done(capfd, "log")[0].splitlines()[0]
    assert done(capfd, "redo")[1] == "a.py: the new version is back\n"
    assert Path("a.py").read_text() == "x = 3\ny = 1\n"
    assert done(capfd, "redo", "2")[1] == "nothing written: it is not undone\n"
    done(capfd, "undo", "a.py", "2")
    done(capfd, "undo", "a.py")
    assert Path("a.py").read_text() == "x = 1\ny = 1\n"
    assert "no change number 7" in refusal(capfd, "undo", "7")
    assert "undo takes a FILE and a number" in refusal(capfd, "undo", "a.py", "b.py")
    assert "nothing to redo" in refusal(capfd, "redo", "u.md")
    assert "nothing to redo: no change number 7" in refusal(capfd, "redo", "7")
    assert "redo takes a FILE and a number" in refusal(capfd, "redo", "0")


def test_a_number_stays_the_same_after_each_undo_and_redo_and_is_not_given_again(folder: Path) -> None:
    files = [folder / name for name in ("a.py", "b.py", "c.py", "d.py")]
    for path in files:
        path.write_bytes(b"old")
        write(path, b"new")
    assert [each.number for each in log(Journal(), None, folder)] == [4, 3, 2, 1]
    for number in (3, 2):
        assert paths(undo(Journal(), None, folder, number=number)) == [files[number - 1]]
    assert [path.read_bytes() for path in files] == [b"new", b"old", b"old", b"new"]
    assert paths(redo(Journal(), None, folder, number=3)) == [files[2]]
    assert [(each.number, each.is_undone) for each in log(Journal(), None, folder)] == [
        (4, False),
        (3, False),
        (2, True),
        (1, False),
    ]
    undo(Journal(), None, folder, number=4)
    for path in (Journal().folder / "entries").iterdir():
        path.unlink()
    write(files[0], b"newer")
    assert [each.number for each in log(Journal(), None, folder)] == [5]


def test_entries_of_versions_without_numbers_are_given_some_the_oldest_the_lowest(folder: Path) -> None:
    path = folder / "a.py"
    path.write_bytes(b"0")
    for text in (b"1", b"2", b"3"):
        write(path, text)
    journal = Journal()
    for entry in (journal.folder / "entries").iterdir():
        stored = json.loads(entry.read_bytes())
        (kept,) = stored["files"]
        del stored["number"], kept["made"]
        entry.write_text(json.dumps(stored))
    (journal.folder / "number").unlink()
    assert [each.number for each in log(journal, None, folder)] == [3, 2, 1]
    write(path, b"4")
    assert [each.number for each in log(journal, None, folder)] == [4, 3, 2, 1]
    undo(journal, path, folder)
    undo(journal, None, folder, number=3)
    assert path.read_bytes() == b"2"
    assert [each.number for each in log(journal, None, folder)] == [4, 3, 2, 1]


def test_an_undone_creation_takes_its_folders_along_where_they_are_empty_and_its_own(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "here").mkdir()
    answer = "".join(f"Create `{path}`:\n\n```python\nx = 1\n```\n\n" for path in ("util/net/a.py", "here/b.py"))
    Path("u.md").write_text(answer)
    done(capfd, "apply", "-u", "u.md", "--readers", "merge")
    assert "util/net/a.py: would be removed" in done(capfd, "undo", "--dry-run")[1]
    assert "util/net/a.py: removed" in done(capfd, "undo")[1]
    assert not (folder / "util").exists()
    assert list((folder / "here").iterdir()) == []
    assert "util/net/a.py: the new version is back" in done(capfd, "redo")[1]
    (folder / "util" / "mine.txt").write_text("mine")
    done(capfd, "undo")
    assert [path.name for path in (folder / "util").iterdir()] == ["mine.txt"]
