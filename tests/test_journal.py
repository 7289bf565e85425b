"""The journal brings back what was written, whoever is killed when, and stays small."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from redraft.errors import RedraftError, RefusedError
from redraft.files.journal import Journal
from redraft.files.read import new, read
from redraft.files.undo import undo
from redraft.files.write import Change, replace


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def write(journal: Journal, contents: dict[Path, bytes | None]) -> None:
    changes: list[Change] = [(read(p) if p.exists() else new(p), data) for p, data in contents.items()]
    with journal.changing(changes) as entry:
        replace(changes)
        journal.settle(entry, entry.files)


def paths(changes: list[Change]) -> list[Path]:
    return [file.path for file, _ in changes]


def test_changes_are_taken_back_one_after_the_other(journal: Journal, folder: Path) -> None:
    path = folder / "a.txt"
    for text in (b"1", b"2", b"3"):
        write(journal, {path: text})
    for text in (b"2", b"1"):
        assert paths(undo(journal, path, folder)) == [path]
        assert path.read_bytes() == text
    undo(journal, None, folder)
    assert not path.exists()
    with pytest.raises(RedraftError, match="nothing to undo: no change of"):
        undo(journal, None, folder)


def test_a_whole_answer_is_taken_back_or_one_of_its_files(journal: Journal, folder: Path) -> None:
    edited, made, gone = (folder / name for name in ("edited", "made", "gone"))
    for _ in range(2):
        edited.write_bytes(b"old")
        gone.write_bytes(b"was")
        gone.chmod(0o600)
        made.unlink(missing_ok=True)
        write(journal, {edited: b"new", made: b"fresh", gone: None})
    assert paths(undo(journal, edited, folder)) == [edited]
    assert (edited.read_bytes(), made.exists(), gone.exists()) == (b"old", True, False)
    assert set(paths(undo(journal, None, folder))) == {made, gone}
    assert (made.exists(), gone.read_bytes(), gone.stat().st_mode & 0o777) == (False, b"was", 0o600)


def test_a_file_that_changed_since_is_left(journal: Journal, folder: Path) -> None:
    one, two = folder / "one", folder / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    write(journal, {one: b"new 1", two: b"new 2"})
    two.write_bytes(b"theirs")
    with pytest.raises(RefusedError, match="two has changed since redraft wrote it; nothing was undone"):
        undo(journal, None, folder)
    assert (one.read_bytes(), two.read_bytes()) == (b"new 1", b"theirs")
    two.unlink()
    with pytest.raises(RefusedError, match="two has changed"):
        undo(journal, None, folder)


def test_an_undo_that_was_stopped_is_finished(journal: Journal, folder: Path) -> None:
    one, two = folder / "one", folder / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    write(journal, {one: b"new 1", two: b"new 2"})
    one.write_bytes(b"1")
    assert paths(undo(journal, None, folder)) == [two]
    write(journal, {one: b"again"})
    one.write_bytes(b"1")
    assert paths(undo(journal, None, folder)) == []
    with pytest.raises(RedraftError, match="nothing to undo"):
        undo(journal, None, folder)


def test_a_dry_run_leaves_all_as_it_is(journal: Journal, folder: Path) -> None:
    path = folder / "a"
    write(journal, {path: b"1"})
    assert paths(undo(journal, None, folder, dry_run=True)) == [path]
    assert path.read_bytes() == b"1"
    assert paths(undo(journal, None, folder)) == [path]


def test_only_changes_below_the_folder_are_meant(journal: Journal, folder: Path) -> None:
    path = folder / "a"
    write(journal, {path: b"1"})
    (folder / "inner").mkdir()
    with pytest.raises(RedraftError, match="nothing to undo"):
        undo(journal, None, folder / "inner")


def test_the_oldest_changes_go_when_the_journal_is_full(tmp_path: Path, folder: Path) -> None:
    journal = Journal(tmp_path / "small", limit=2_000)
    path = folder / "a"
    path.write_text(os.urandom(600).hex())
    for _ in range(6):
        write(journal, {path: os.urandom(600).hex().encode()})
    assert 2 <= len(list(journal.entries())) <= 3
    assert sum(kept.stat().st_size for kept in (tmp_path / "small" / "objects").iterdir()) <= 2_000
    write(journal, {path: os.urandom(5_000).hex().encode()})
    write(journal, {path: b"end"})
    assert len(list(journal.entries())) == 1
    undo(journal, path, folder)
    assert path.stat().st_size == 10_000


def test_the_same_contents_are_kept_once(journal: Journal, folder: Path) -> None:
    for name in "abc":
        (folder / name).write_bytes(b"same")
    write(journal, {folder / name: name.encode() for name in "abc"})
    assert len(list((journal.folder / "objects").iterdir())) == 1


def test_a_damaged_journal_is_named(journal: Journal, folder: Path) -> None:
    path = folder / "a"
    path.write_bytes(b"1")
    write(journal, {path: b"2"})
    (kept,) = (journal.folder / "objects").iterdir()
    kept.write_bytes(b"rubbish")
    with pytest.raises(RedraftError, match="damaged"):
        undo(journal, path, folder)
    (entry,) = (journal.folder / "entries").glob("*.json")
    for text in ("{", "[]", '{"files": [{"path": 1}]}', '{"files": 5}'):
        entry.write_text(text)
        with pytest.raises(RedraftError, match="nothing to undo"):
            undo(journal, path, folder)
    assert path.read_bytes() == b"2"


def test_a_folder_that_is_none_is_named(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "journal"):
        with (
            pytest.raises(RedraftError, match="cannot use the journal in"),
            Journal(place).changing([(new(folder / "a"), b"1")]),
        ):
            pass


KILLS = 200
KILLER = f"""
import os, random, signal, sys, time
from pathlib import Path
from redraft.changes.change import Change
from redraft.changes.write import write
from redraft.result import Result
from redraft.files.journal import Journal
from redraft.files.read import read
from redraft.files.undo import undo
folder = Path(sys.argv[1])
path = folder / "a.txt"
def text(n): return f"{{n}}\\n" * 20_000
path.write_text(text("start"))
def change(number, verify):
    write([Change("a.txt", read(path), Result("applied", text(number), 1.0, "merge", ""))], verify=verify)
started = time.perf_counter()
change("first", "sleep 0.005")
span = time.perf_counter() - started
chance, seen = random.Random(2), {{"old": 0, "new": 0}}
for kill in range({KILLS}):
    before = path.read_text()
    ready, told = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(told, b".")
            if kill % 2:
                undo(Journal(), path, folder)
            else:
                change(kill, "sleep 0.005" if kill % 4 else "exit 1")
        finally:
            os._exit(0)
    os.read(ready, 1)
    time.sleep(chance.random() * span * 1.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ready)
    os.close(told)
    after = path.read_text()
    lines = after.splitlines()
    assert len(lines) == 20_000 and len(set(lines)) == 1, kill
    seen["old" if after == before else "new"] += 1
    for entry in Journal().entries():
        for kept in entry.files:
            kept.before and Journal().content(kept.before)
print(seen["old"], seen["new"])
"""


@pytest.mark.slow
def test_kills_while_a_change_is_verified_or_undone(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    command = [sys.executable, "-c", KILLER, str(tmp_path / "work")]
    environment = {**os.environ, "REDRAFT_STATE": str(tmp_path / "state")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    old, changed = map(int, done.stdout.split())
    assert old + changed == KILLS
    assert min(old, changed) > 0
