"""In: the manifest of a test suite of another project, and a clone of it. Out: its cases, as tasks; none is kept here.

Plandex applies abbreviated edits by structure, and tests that by examples in Go: the file, the update, what is wanted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.data.languages import language
from redraft.errors import RedraftError
from redraft.measure.rows import read_manifest_rows
from redraft.measure.sets.public import Task, checked, texts

STYLE = "plandex"
_FIELD = re.compile(r'\b(\w+):\s+(`[^`]*`|"(?:[^"\\]|\\.)*"|true|false)')
_WANTED = {"name", "original", "proposed", "want"}


@dataclass(frozen=True)
class Borrowed:
    """The example `number`, counted from 1, in a file of tests."""

    id: str
    repository: str
    commit: str
    path: str
    blob: str
    license: str
    number: int

    @property
    def before_blob(self) -> str:
        return self.blob

    @property
    def after_blob(self) -> str:
        return self.blob


def read_borrowed(path: Path) -> list[Borrowed]:
    """The examples that a manifest lists, one JSON object a line; raises RedraftError for a bad one and for none."""
    return read_manifest_rows(path, Borrowed, "an example")


def borrow(listed: Sequence[Borrowed], clones: Path) -> Iterator[Task]:
    """The tasks; raises RedraftError that names the missing clone, or the case that the file does not have."""
    contents = texts(listed, clones)
    for one in listed:
        found = examples(checked(one, one.blob, contents[one.repository, one.blob]))
        if one.number > len(found):
            raise RedraftError(f"{one.id}: {one.path} holds {len(found)} examples, not {one.number}")
        yield _task(one, found[one.number - 1])


def examples(source: str) -> list[dict[str, str]]:
    """The examples of Go source: the fields of each struct that has a name, the file, the update and what is wanted."""
    found: list[dict[str, str]] = []
    for name, value in _FIELD.findall(source):
        if name == "name":
            found.append({})
        if found:
            found[-1].setdefault(name, value.strip('"`'))
    return [one for one in found if one.keys() >= _WANTED]


def _task(one: Borrowed, example: dict[str, str]) -> Task:
    suffix = example.get("ext") or ("go" if example["original"].startswith("func ") else "sh")
    said = " ".join(example.get("desc", "").split())
    said = said or ("Type: add" if example.get("isInsert") == "true" else "Type: replace")
    path = f"file.{suffix}"
    return Task(
        id=one.id,
        path=path,
        original=example["original"],
        update=f"{said}\n\n```{suffix}\n{example['proposed']}\n```\n",
        expected=example["want"],
        language=language(path),
        style=STYLE,
    )
