"""One answer, several files: all of them are written, or none."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import redraft
from command_line import done, refusal
from redraft.cli import run

A, B = "def a():\n    return 1\n\n\ndef z():\n    return 0\n", "x = 1\ny = 2\nz = 3\n"
ANSWER = """Two files change and one is new.

```python title="src/a.py"
def a():
    return 10
```

`src/b.py`

```python
# ... existing code ...
y = 20
z = 3
```

```python
# src/new/c.py
fresh = True
```
"""
REFUSED = ANSWER.replace("y = 20\nz = 3\n", "nowhere = 1\nto_be = found\n# ... existing code ...\n")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text(A)
    (tmp_path / "src" / "b.py").write_text(B)
    (tmp_path / "answer.md").write_text(ANSWER)
    (tmp_path / "refused.md").write_text(REFUSED)
    return tmp_path


def apply(capfd: pytest.CaptureFixture[str], *options: str, update: str = "answer.md") -> tuple[str, str]:
    return done(capfd, "apply", "--root", ".", "--update", update, "--readers", "merge", *options)


def test_all_files_are_written(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, err = apply(capfd)
    assert out == ""
    assert [" ".join(line.split()[:2]).strip(",") for line in err.splitlines()] == [
        "src/a.py: written",
        "src/b.py: written",
        "src/new/c.py: created",
    ]
    assert (root / "src/a.py").read_text() == A.replace("return 1", "return 10")
    assert (root / "src/b.py").read_text() == B.replace("y = 2", "y = 20")
    assert (root / "src/new/c.py").read_text() == "fresh = True\n"


def test_the_diff_first(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, _ = apply(capfd, "--diff")
    assert not (root / "src/new").exists()
    assert (root / "src/a.py").read_text() == A
    subprocess.run(["git", "apply", "-"], input=out, text=True, check=True, cwd=root)
    assert (root / "src/a.py").read_text() == A.replace("return 1", "return 10")
    assert (root / "src/new/c.py").read_text() == "fresh = True\n"


def test_nothing_is_written_when_one_is_refused(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code = run(["apply", "--root", ".", "--update", "refused.md", "--readers", "merge"])
    err = capfd.readouterr().err.splitlines()
    assert code == 3
    assert [line.partition(":")[2] for line in err[::2]] == [" not written, since another file was refused"] * 2
    assert err[1].startswith("src/b.py: not written (")
    assert (root / "src/a.py").read_text() == A
    assert not (root / "src/new").exists()


def test_a_record_for_each_file(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records = [json.loads(line) for line in apply(capfd, "--json")[0].splitlines()]
    assert [record["path"] for record in records] == ["src/a.py", "src/b.py", "src/new/c.py"]
    assert {record["status"] for record in records} == {"applied"}


def test_bad_answers_are_refused_by_name(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cases = {
        "a block of code names no file": "```python\nx = 1\n```\n",
        "outside of .: ../x.py": "```python title=../x.py\nx = 1\n```\n",
        "there is no file src/lost.py below ., and its block leaves lines out": (
            "```python title=src/lost.py\n# ... existing code ...\nx = 1\n```\n"
        ),
        "the answer holds no code": "Nothing to see.\n",
    }
    for words, text in cases.items():
        Path("bad.md").write_text(text)
        assert words in refusal(capfd, "apply", "--root", ".", "--update", "bad.md", "--readers", "merge")
    assert "no folder gone" in refusal(capfd, "apply", "--root", "gone", "--update", "answer.md", "--readers", "merge")
    assert "--root goes without FILE" in refusal(capfd, "apply", "src/a.py", "--root", ".", "--update", "answer.md")
    assert "name the FILE" in refusal(capfd, "apply", "--root", ".", "--instruction", "x")


def test_two_files_of_one_name(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "__init__.py").write_text(f"name = '{folder}'\nsize = 1\n")
    blocks = "".join(
        f"`{folder}/__init__.py`:\n\n```python\nname = '{folder}'\nsize = {size}\n```\n\n"
        for folder, size in (("one", 7), ("two", 8))
    )
    Path("same.md").write_text(blocks)
    apply(capfd, update="same.md")
    assert Path("one/__init__.py").read_text() == "name = 'one'\nsize = 7\n"
    assert Path("two/__init__.py").read_text() == "name = 'two'\nsize = 8\n"


def test_an_encoding_is_named(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = root / "menu.txt"
    path.write_bytes("café = 1\ntea = 2\n".encode("cp1252"))
    Path("u.md").write_text("tea = 3\n")
    asked = ("apply", "menu.txt", "--update", "u.md", "--readers", "merge")
    assert "not utf-8 text" in refusal(capfd, *asked)
    done(capfd, *asked, "--encoding", "cp1252")
    assert path.read_bytes() == "café = 1\ntea = 3\n".encode("cp1252")
    assert "no encoding 'klingon'" in refusal(capfd, *asked, "--encoding", "klingon")


def test_a_file_that_changes_while_the_readers_read_is_left(
    root: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("u.md").write_text("# ... existing code ...\ny = 20\nz = 3\n")
    command = sys.modules["redraft.cli.apply"]

    def slow(*arguments: object, **options: object) -> redraft.Redraft:
        Path("src/b.py").write_text("theirs = 1\n")
        return redraft.load(readers="merge")

    monkeypatch.setattr(command, "load", slow)
    assert run(["apply", "src/b.py", "--update", "u.md"]) == 3
    assert "src/b.py: not written" in capfd.readouterr().err
    assert Path("src/b.py").read_text() == "theirs = 1\n"
    assert not list(Path("src").glob("*.redraft-new"))


def test_a_new_file_beside_one_that_changes(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    blocks = "`src/b.py`\n\n```python\nx = 1\ny = 20\n```\n\n`src/d.py`\n\n```python\nnew = 1\n```\n"
    Path("beside.md").write_text(blocks)
    apply(capfd, update="beside.md")
    assert Path("src/b.py").read_text() == B.replace("y = 2", "y = 20")
    assert Path("src/d.py").read_text() == "new = 1\n"


def test_two_names_of_one_file_are_one_edit(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    first, second = "def one():\n    return 10\n", "def two():\n    return 20\n"
    blocks = f"`src/b.py`\n\n```python\n{first}```\n\n`b.py`\n\n```python\n{second}```\n"
    Path("names.md").write_text(blocks)
    Path("src/b.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n")
    apply(capfd, update="names.md")
    assert Path("src/b.py").read_text() == "def one():\n    return 10\n\n\ndef two():\n    return 20\n"


def test_words_that_look_like_a_file_make_none(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("words.md").write_text("Update version 1.2.3\n\n```python\nx = 1\n```\n")
    assert "names no file" in refusal(capfd, "apply", "--root", ".", "--update", "words.md", "--readers", "merge")
