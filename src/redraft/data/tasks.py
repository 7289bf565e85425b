"""In: folders of tasks for writers of answers, and the edits that they are of. Out: the answers that were written."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.data.clones import blob_hash
from redraft.data.edits import Edit
from redraft.errors import RedraftError

SKIPPED = "skip.txt"


@dataclass(frozen=True)
class Written:
    """An edit and the answer that a writer gave for it, in the manner of some assistant.

    `also`: other files that the answer may mean. `as_data`: any file that holds the same data is right.
    """

    id: str
    edit: Edit
    instruction: str
    answer: str
    also: tuple[str, ...]
    tidy: bool
    manner: str
    abilities: tuple[str, ...]
    as_data: bool


@dataclass(frozen=True)
class Unfinished:
    """A task without an answer, and why; `skipped` where its writer said that there can be none."""

    folder: Path
    reason: str
    skipped: bool = False


def read_tasks(folder: Path, edits: Iterable[Edit]) -> Iterator[Written | Unfinished]:
    """The tasks of a folder in order, each a folder with `task.json`; the edit is found by its path and hashes."""
    known = {(edit.path, edit.before_blob, edit.after_blob): edit for edit in edits}
    found = sorted(path.parent for path in folder.glob("*/task.json"))
    if not found:
        raise RedraftError(f"{folder} holds no tasks (folders with a task.json)")
    for task in found:
        try:
            yield _read(task, known)
        except (OSError, ValueError, KeyError) as error:
            yield Unfinished(task, f"{type(error).__name__}: {error}")


def _read(task: Path, known: dict[tuple[str, str, str], Edit]) -> Written | Unfinished:
    if (task / SKIPPED).exists():
        return Unfinished(task, _text(task / SKIPPED).strip() or "skipped", True)
    about: dict[str, Any] = json.loads(_text(task / "task.json"))
    names = ("answer.md", "instruction.txt")
    if missing := [name for name in names if not (task / name).is_file() or not _text(task / name).strip()]:
        return Unfinished(task, f"no {missing[0]}")
    before, after = (_only(task, name) for name in ("before", "after"))
    hashes = [blob_hash(text.encode(), "0" * 40) for text in (before, after)]
    edit = known.get((about["path"], hashes[0], hashes[1]))
    if edit is None:
        return Unfinished(task, "its edit is not among the edits given")
    also = [_text(path) for path in sorted((task / "also").glob("*"))] if (task / "also").is_dir() else []
    return Written(
        id=str(about["id"]),
        edit=edit,
        instruction=_text(task / "instruction.txt").strip(),
        answer=_text(task / "answer.md"),
        also=tuple(dict.fromkeys(text for text in also if text not in (before, after))),
        tidy=bool(about["tidy"]),
        manner=str(about.get("manner_used") or about["manner"]),
        abilities=tuple(map(str, about.get("abilities", ()))),
        as_data=bool(about.get("as_data", False)),
    )


def _only(task: Path, name: str) -> str:
    found = sorted(task.glob(f"{name}.*"))
    if len(found) != 1:
        raise ValueError(f"{len(found)} files {name}.*")
    return _text(found[0])


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
