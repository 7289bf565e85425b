"""In: files of small cases. Out: `Small`: a file, an answer and the texts that are right, or the refusal that is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.rows import read_rows

_SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Small:
    """One edit; `right` are the texts that count, none where only a refusal is right; `may_refuse`: that is right, too.

    `kind` says what is hard about it, `source` where it was met, `why` what speaks for the right texts.
    """

    id: str
    kind: str
    path: str
    original: str
    update: str
    right: tuple[str, ...]
    may_refuse: bool
    source: str = ""
    why: str = ""


@dataclass(frozen=True)
class Conforming:
    """A section of a file of conformance. `output`: what a model writes; without it the reader reads the update.

    `expected`: the new file, or words of the refusal.
    """

    name: str
    path: str
    original: str
    update: str
    output: str | None
    status: str
    expected: str

    @property
    def small(self) -> Small:
        """The same as a small case: whether a refusal is right, whatever it says."""
        texts = {"applied": (self.expected,), "no_change": (self.original,)}
        return Small(self.name, self.status, self.path, self.original, self.update, texts.get(self.status, ()), False)


def read_small(source: Path) -> list[Small]:
    """The cases of a file of JSON lines, or of a folder of conformance that need no model.

    Raises RedraftError where a line is none, and where there is none.
    """
    if source.is_dir():
        found = [case.small for case in conforming(source) if case.output is None]
    else:
        found = read_rows(source, _small, "a small case")
    if not found:
        raise RedraftError(f"{source} holds no cases")
    return found


def conforming(folder: Path) -> Iterator[Conforming]:
    """The sections of all files of a folder: a path, then originals, each with its update and what it has to give."""
    for file in sorted(folder.glob("*.txt")):
        head, *sections = file.read_text(encoding="utf-8").split("\n@@@ ")
        for section in sections:
            name, _, body = section.partition("\n")
            original, *parts = _SECTION.split(body)
            texts = dict(zip(parts[::2], parts[1::2], strict=True))
            (status,) = texts.keys() - {"update", "output"}
            path, expected = head.strip().removeprefix("path: "), texts[status].rstrip("\n") + "\n"
            given = original, texts["update"], texts.get("output")
            yield Conforming(f"{file.stem}: {name}", path, *given, status, expected)


def _small(right: list[str], may_refuse: bool, **texts: str) -> Small:
    return Small(right=tuple(right), may_refuse=may_refuse, **{key: jsonl.text(texts, key) for key in texts})
