"""One door: the same file and answer give the same text and status, whoever asks and however the file is named."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import redraft
from redraft.changes.change import unified
from redraft.changes.plan import Order, change_of
from redraft.cli import run
from redraft.edit.guard.check import WRITTEN
from redraft.files.read import read as read_file
from redraft.mcp.workspace import Edit, Workspace
from redraft.measure.score.small import read_small
from redraft.measure.sets.named import NATURAL, read_set
from redraft.serve.settings import Settings
from serving import Live, serving

CASES = Path(__file__).parent / "cases"
EDITOR = redraft.load(readers="merge")
# Their answers say that the file lies in a folder, which is not there: below a root that is another file.
ELSEWHERE = ("32-numbers-with-arrows", "56b-name-with-an-equals-sign", "56c-name-with-a-colon")
Told = tuple[str, str | None]
SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Asked:
    id: str
    path: str
    original: str
    update: str
    instruction: str = ""

    @property
    def fields(self) -> dict[str, str]:
        return {"path": self.path, "original": self.original, "update": self.update, "instruction": self.instruction}


def named(asked: Asked) -> Asked:
    """The same with the file's name in the answer: with a root, the answer has to say which file it is about."""
    return Asked(asked.id, asked.path, asked.original, f"In `{asked.path}`:\n\n{asked.update}", asked.instruction)


def small(name: str) -> list[Asked]:
    """Without byte-order marks, which belong to a file and not to its text."""
    found = read_small(CASES / f"{name}.jsonl")
    return [Asked(each.id, each.path, each.original.removeprefix("\ufeff"), each.update) for each in found]


def natural() -> list[Asked]:
    found = (case.request for case in read_set(NATURAL).cases)
    return [Asked(str(at), each.path, each.original, each.update, each.instruction) for at, each in enumerate(found)]


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with serving(Settings("scripted:none", readers="merge")) as started:
        yield started


def library(asked: Asked) -> Told:
    found = EDITOR.apply(asked.original, asked.update, path=asked.path, instruction=asked.instruction)
    return found.status, found.output


def a_file(asked: Asked, root: Path) -> Told:
    file = read_file(root / asked.path)
    found = change_of(asked.path, file, asked.update, Order(EDITOR, asked.instruction)).result
    return found.status, found.output


def a_root(asked: Asked, root: Path) -> Told:
    done = redraft.apply_answer(root, asked.update, editor=EDITOR, instruction=asked.instruction, dry_run=True)
    (found,) = (change.result for change in done.changes if change.path == asked.path)
    return found.status, found.output


def an_agent(asked: Asked, root: Path) -> tuple[str, str]:
    """The tools tell a diff and no text."""
    (found,) = Workspace(root, EDITOR).edit([Edit(asked.path, asked.update, asked.instruction)], dry_run=True)
    return found.status, found.diff


def over_http(asked: Asked, live: Live) -> Told:
    said = live.client.post("/v1/apply", json=asked.fields).json()
    return said["status"], said["output"]


def several_over_http(asked: Asked, live: Live) -> Told:
    body = {"update": asked.update, "instruction": asked.instruction}
    said = live.client.post("/v1/apply", json=body | {"files": [{"path": asked.path, "original": asked.original}]})
    (found,) = (file for file in said.json()["files"] if file["path"] == asked.path)
    return found["status"], found["output"]


def in_a_batch(asked: Sequence[Asked], folder: Path) -> list[Told]:
    (folder / "in.jsonl").write_text("".join(json.dumps(each.fields) + "\n" for each in asked))
    assert run(["batch", str(folder / "in.jsonl"), str(folder / "out.jsonl"), "--readers", "merge"]) == 0
    records = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    return [(record["status"], record["output"]) for record in records]


def is_one(asked: Asked, live: Live, folder: Path, by_name: bool) -> bool:
    """Whether all doors tell the same of an edit: those, too, at which the answer has to name the file."""
    root = folder / asked.id
    (root / asked.path).parent.mkdir(parents=True)
    (root / asked.path).write_bytes(asked.original.encode())
    status, text = library(asked)
    told = [a_file(asked, root), over_http(asked, live)]
    told += [a_root(asked, root), several_over_http(asked, live)] if by_name else []
    diff = unified(asked.original, text, asked.path)
    return all(each == (status, text) for each in told) and an_agent(asked, root) == (status, diff)


def different(asked: Sequence[Asked], live: Live, folder: Path) -> list[str]:
    """The ids of the edits of which not all doors tell the same."""
    by_name = [named(each) for each in asked if each.id not in ELSEWHERE]
    found = [each.id for each in by_name if not is_one(each, live, folder / "by name", True)]
    found += [each.id for each in asked if not is_one(each, live, folder / "plain", False)]
    told = in_a_batch(asked, folder)
    return found + [each.id for each, one in zip(asked, told, strict=True) if one != library(each)]


@pytest.mark.parametrize("name", ["kinds", pytest.param("short", marks=SLOW), pytest.param("edits", marks=SLOW)])
def test_all_doors_tell_the_same(name: str, live: Live, tmp_path: Path) -> None:
    assert different(small(name), live, tmp_path) == []


@SLOW
def test_all_doors_tell_the_same_of_natural(live: Live, tmp_path: Path) -> None:
    assert not different(natural(), live, tmp_path)


@pytest.mark.parametrize("asked", [*small("kinds"), *small("short")[::10]], ids=lambda asked: asked.id)
def test_the_command_writes_what_the_library_tells(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answer.md").write_bytes(named(asked).update.encode())
    (tmp_path / "state").mkdir()
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))
    status, text = library(named(asked))
    for target in ([asked.path], ["--root", "."]):
        root = tmp_path / str(len(target))
        root.mkdir()
        (root / asked.path).write_bytes(asked.original.encode())
        monkeypatch.chdir(root)
        code = run(["apply", *target, "-u", "../answer.md", "--json", "--readers", "merge"])
        (record,) = (json.loads(line) for line in capfd.readouterr().out.splitlines())
        assert (record["status"], record["output"], code) == (status, text, 0 if status in WRITTEN else 3)
        written = (root / asked.path).read_bytes().decode()
        assert written == (text if status == "applied" else asked.original)


BOTH = {"src/a.py": "a = 1\nb = 2\nc = 3\n", "src/b.py": "a = 1\nx = 2\n"}
CHANGED = {"src/a.py": "a = 1\nb = 20\nc = 3\n", "src/b.py": "a = 1\nx = 2\ny = 3\n"}
SKETCHES = (
    "In `src/a.py`, change the second line:\n\n```python\na = 1\nb = 20\nc = 3\n```\n\n"
    "In `src/b.py`, add below `x`:\n\n```python\ny = 3\n```\n"
)
EXACT = (
    "src/a.py\n<<<<<<< SEARCH\nb = 2\n=======\nb = 20\n>>>>>>> REPLACE\n\n"
    "src/b.py\n<<<<<<< SEARCH\nx = 2\n=======\nx = 2\ny = 3\n>>>>>>> REPLACE\n"
)
PATCH = (
    "*** Begin Patch\n*** Update File: src/a.py\n@@\n-b = 2\n+b = 20\n"
    "*** Update File: src/b.py\n@@\n x = 2\n+y = 3\n*** End Patch\n"
)


@pytest.mark.parametrize("answer", [SKETCHES, EXACT, PATCH])
def test_each_of_several_files_gets_the_same_at_all_doors(answer: str, live: Live, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for path, text in BOTH.items():
        (tmp_path / path).write_text(text)
        assert EDITOR.apply(text, answer, path=path).output == CHANGED[path]
    done = redraft.apply_answer(tmp_path, answer, editor=EDITOR, dry_run=True)
    assert {change.path: change.after for change in done.changes} == CHANGED
    files = [{"path": path, "original": text} for path, text in BOTH.items()]
    said = live.client.post("/v1/apply", json={"files": files, "update": answer}).json()
    assert {file["path"]: file["output"] for file in said["files"]} == CHANGED


def test_what_was_mended_is_said_at_every_door(
    live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (asked,) = (each for each in small("edits") if each.id == "08-numbers-before-each-line")
    mended = ["gutter of line numbers"]
    assert list(EDITOR.apply(asked.original, asked.update, path=asked.path).healed) == mended
    assert live.client.post("/v1/apply", json=asked.fields).json()["healed"] == mended
    target = tmp_path / asked.path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(asked.original.encode())
    (told,) = Workspace(tmp_path, EDITOR).edit([Edit(asked.path, asked.update)], dry_run=True)
    assert told.healed == mended
    (tmp_path / "answer.md").write_bytes(asked.update.encode())
    monkeypatch.chdir(tmp_path)
    assert run(["apply", asked.path, "-u", "answer.md", "--json", "--dry-run", "--readers", "merge"]) == 0
    out, said = capfd.readouterr()
    assert json.loads(out)["healed"] == mended
    assert said.rstrip().endswith("; mended: gutter of line numbers")
