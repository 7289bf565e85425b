"""Answers about several files: what becomes of each, all or none, and what is refused."""

import subprocess
from pathlib import Path

import pytest

import redraft
from git_repository import Repository
from redraft.errors import RedraftError, RefusedError

A = "def a():\n    return 1\n\n\ndef z():\n    return 0\n"
B = "x = 1\ny = 2\nz = 3\n"
EDIT = "### `src/a.py`\n\n```python\ndef a():\n    return 10\n```\n"
NEW = "New file `src/new.py`:\n\n```python\nfresh = True\n```\n"
DELETE = "Delete `src/b.py`.\n"
RENAME = "Rename `src/b.py` to `lib/c.py`.\n"
MARKER = "# ... existing code ...\n"
MERGE = redraft.load(readers="merge")
NEW_A = A.replace("return 1", "return 10")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(A)
    (tmp_path / "src" / "b.py").write_text(B)
    return tmp_path


def contents(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def test_files_are_edited_made_deleted_and_renamed_at_once(root: Path) -> None:
    done = redraft.apply_answer(root, EDIT + NEW + RENAME, editor=MERGE)
    assert [(change.operation, change.path, change.to) for change in done.changes] == [
        ("edit", "src/a.py", ""),
        ("create", "src/new.py", ""),
        ("rename", "src/b.py", "lib/c.py"),
    ]
    assert done.written
    assert contents(root) == {"lib/c.py": B, "src/a.py": NEW_A, "src/new.py": "fresh = True\n"}
    redraft.apply_answer(root, "Delete `lib/c.py`.", editor=MERGE)
    assert sorted(contents(root)) == ["src/a.py", "src/new.py"]


def test_nothing_is_written_with_a_dry_run_and_git_applies_its_diff(root: Path) -> None:
    before = contents(root)
    done = redraft.apply_answer(root, EDIT + NEW + RENAME, editor=MERGE, dry_run=True)
    assert (done.written, contents(root)) == (False, before)
    subprocess.run(["git", "apply", "-"], input=done.diff(), text=True, check=True, cwd=root)
    applied = contents(root)
    assert applied == {"lib/c.py": B, "src/a.py": NEW_A, "src/new.py": "fresh = True\n"}
    gone = redraft.apply_answer(root, "Delete `lib/c.py`.", editor=MERGE, dry_run=True)
    subprocess.run(["git", "apply", "-"], input=gone.diff(), text=True, check=True, cwd=root)
    assert sorted(contents(root)) == ["src/a.py", "src/new.py"]


def test_none_is_written_where_one_is_refused(root: Path) -> None:
    before = contents(root)
    lost = f"### `src/b.py`\n\n```python\n{MARKER}nowhere_to_be_found()\nq = lost()\n{MARKER}```\n"
    done = redraft.apply_answer(root, EDIT + NEW + lost, editor=MERGE)
    assert (done.written, done.is_accepted, contents(root)) == (False, False, before)
    assert [change.result.status for change in done.changes] == ["applied", "applied", "needs_context"]


def test_a_renamed_file_is_edited_under_either_name(root: Path) -> None:
    for name in ("src/b.py", "lib/c.py"):
        edit = f"{RENAME}\n### `{name}`\n\n```python\n# ... existing code ...\ny = 20\nz = 3\n```\n"
        (change,) = redraft.apply_answer(root, edit, editor=MERGE, dry_run=True).changes
        assert (change.operation, change.to, change.after) == ("rename", "lib/c.py", "x = 1\ny = 20\nz = 3\n")


def test_a_renamed_file_keeps_its_mode(root: Path) -> None:
    (root / "src/b.py").chmod(0o750)
    redraft.apply_answer(root, RENAME, editor=MERGE)
    assert (root / "lib/c.py").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("```diff\n--- a/gone.py\n+++ b/gone.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 3\n```\n", "shows lines of it"),
        ("```diff\n--- a/gone.py\n+++ b/gone.py\n@@ -7,0 +8 @@\n+y = 3\n```\n", "shows lines of it"),
        ("*** Begin Patch\n*** Update File: gone.py\n@@\n+y = 3\n*** End Patch\n", "shows lines of it"),
        ("### gone.py\n\n```python\n# ... existing code ...\ny = 3\n```\n", "leaves lines out"),
        ("*** Begin Patch\n*** Add File: src/a.py\n+y = 3\n*** End Patch\n", "is new, and it is there already"),
        ("*** Begin Patch\n*** Delete File: gone.py\n*** End Patch\n", "no file gone.py below"),
        ("--- a/src/b.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-other = 1\n", "shows other lines than the file has"),
        ("Rename `src/b.py` to `src/a.py`.\n", "is there already"),
        ("Rename `src/b.py` to `../c.py`.\n", "outside of"),
        (EDIT + "Delete `src/a.py`.\n", "both changes and deletes"),
        (
            "Rename `src/b.py` to `n.py`.\n\n" + NEW.replace("src/new.py", "n.py") + "Delete `src/b.py`",
            "both changes and",
        ),
        ("### .git/hooks/x.sh\n\n```sh\necho\n```\n", "left alone"),
    ],
)
def test_what_cannot_be_is_refused_by_name(root: Path, answer: str, reason: str) -> None:
    before = contents(root)
    with pytest.raises(RedraftError, match=reason) as error:
        redraft.apply_answer(root, answer, editor=MERGE)
    assert "\n" not in str(error.value)
    assert contents(root) == before


def test_a_file_that_git_ignores_is_refused(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit({".gitignore": "*.log\nsecret.py\n", "src/a.py": A})
    (repository.path / "secret.py").write_text("key = 1\n")
    for name in ("secret.py", "new.log"):
        with pytest.raises(RedraftError, match=f"git ignores: .*{name}"):
            redraft.apply_answer(repository.path, f"### `{name}`\n\n```python\nkey = 2\n```\n", editor=MERGE)


def test_a_commit_holds_just_these_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.com")
    repository = Repository(tmp_path / "r")
    repository.commit({"src/a.py": A, "src/b.py": B, "other.py": "o = 1\n"})
    (repository.path / "other.py").write_text("o = 2\n")
    done = redraft.apply_answer(repository.path, EDIT + NEW + RENAME, editor=MERGE, commit="Change much")
    assert repository.git("log", "-1", "--format=%h %s") == f"{done.commit} Change much"
    shown = repository.git("show", "--name-status", "--no-renames", "--format=", "HEAD").split("\n")
    assert shown == ["A\tlib/c.py", "M\tsrc/a.py", "D\tsrc/b.py", "A\tsrc/new.py"]
    assert repository.git("status", "--porcelain") == "M other.py"
    repository.git("add", "other.py")
    edit = EDIT.replace("return 10", "return 11")
    with pytest.raises(RefusedError, match=r"nothing written: other.py is staged"):
        redraft.apply_answer(repository.path, edit, editor=MERGE, commit="")
    repository.git("commit", "--quiet", "--message", "theirs")
    (repository.path / "src/a.py").write_text(NEW_A + "# mine\n")
    with pytest.raises(RefusedError, match="has changes that are not committed"):
        redraft.apply_answer(repository.path, edit, editor=MERGE, commit="")
    assert (repository.path / "src/a.py").read_text() == NEW_A + "# mine\n"


def test_a_commit_that_git_refuses_leaves_the_files_written(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r")
    repository.commit({"src/a.py": A})
    hook = repository.path / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho 'not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(RedraftError, match="written, but not committed: not today"):
        redraft.apply_answer(repository.path, EDIT, editor=MERGE, commit="x")
    assert (repository.path / "src/a.py").read_text() == NEW_A
    assert repository.git("diff", "--cached", "--name-only") == ""


def test_a_commit_needs_a_repository(root: Path) -> None:
    with pytest.raises(RedraftError, match="is in none"):
        redraft.apply_answer(root, EDIT, editor=MERGE, commit="x")
    assert (root / "src/a.py").read_text() == A


def test_a_command_that_fails_brings_all_files_back(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = contents(root)
    with pytest.raises(RefusedError, match="failed with exit code 3; the old files are back"):
        redraft.apply_answer(root, EDIT + NEW + RENAME, editor=MERGE, verify="echo seen; exit 3")
    assert contents(root) == before
    assert capfd.readouterr() == ("", "seen\n")


def test_a_command_sees_the_new_files_and_may_change_them(root: Path) -> None:
    done = redraft.apply_answer(root, EDIT + NEW, editor=MERGE, verify="for file in {}; do echo '# f' >> $file; done")
    assert done.written
    assert contents(root)["src/a.py"] == NEW_A + "# f\n"
    assert contents(root)["src/new.py"] == "fresh = True\n# f\n"


def test_wrong_types_are_named(root: Path) -> None:
    with pytest.raises(TypeError, match="answer is a str, not bytes"):
        redraft.apply_answer(root, b"x", editor=MERGE)  # type: ignore[arg-type]
    with pytest.raises(RedraftError, match="there is no folder"):
        redraft.apply_answer(root / "gone", EDIT, editor=MERGE)


@pytest.mark.parametrize(
    "words", ["add this at the end:", "append this to the existing file:", "two more:", "the updated file:"]
)
def test_a_file_of_nearly_that_name_is_named_and_none_is_made(root: Path, words: str) -> None:
    answer = f"**scr/a.py** - {words}\n\n```python\ndef b():\n    return 2\n```\n"
    before = contents(root)
    with pytest.raises(RedraftError, match=r"do you mean src/a\.py\?"):
        redraft.apply_answer(root, answer, editor=MERGE)
    assert contents(root) == before


def test_a_file_that_the_words_call_new_is_made_whatever_its_name_is_like(root: Path) -> None:
    answer = "New file `scr/a.py`:\n\n```python\nfresh = True\n```\n"
    redraft.apply_answer(root, answer, editor=MERGE)
    assert contents(root)["scr/a.py"] == "fresh = True\n"


def test_a_file_that_is_not_there_is_not_made_of_what_goes_to_its_end(root: Path) -> None:
    answer = "**src/far.py** - append this:\n\n```python\nfresh = True\n```\n"
    with pytest.raises(RedraftError, match="speaks of one that is there"):
        redraft.apply_answer(root, answer, editor=MERGE)


def test_a_new_file_with_an_open_merge_conflict_is_not_made(root: Path) -> None:
    conflict = NEW.replace("fresh", "<<<<<<< HEAD\nfresh = False\n=======\nfresh").replace("True", "True\n>>>>>>> main")
    with pytest.raises(RedraftError, match=r"line 1 of the new file src/new.py, '<<<<<<< HEAD', is a conflict marker"):
        redraft.apply_answer(root, EDIT + conflict, editor=MERGE)
    assert contents(root) == {"src/a.py": A, "src/b.py": B}
