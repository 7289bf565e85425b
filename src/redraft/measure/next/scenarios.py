"""In: the folder of cursortab's scenarios. Out: their positions, and the prompts that cursortab sends.

Source: cursortab.nvim, server/eval and server/provider; MIT. Nothing of it is kept here.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from redraft.errors import RedraftError
from redraft.next import fim, sweep
from redraft.next.recognised import Has, Recognised
from redraft.next.sweep import Change

Way = Literal["sweep", "fim"]
_SECTION = re.compile(r"^-- (\S+) --\n", re.MULTILINE)
_CHANGE = re.compile(r"<\|file\|>([^\n]*)\n<\|old\|>\n(.*?)\n?<\|new\|>\n(.*?)\n?(?=<\|file\|>|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Position:
    """A place of the cursor in a file: row from 1, column from 0; `expected` is empty where nothing is to be said."""

    id: str
    path: str
    lines: tuple[str, ...]
    row: int
    column: int
    gap: tuple[int, int]
    changes: tuple[Change, ...]
    expected: tuple[str, ...]
    folder: Path

    def prompt(self, way: Way, has: Has) -> Recognised:
        """As cursortab asks: for the window from the cursor's line on, or for what stands at the cursor."""
        if way == "sweep":
            text, cursor = "\n".join(self.lines), self._offset(self.row, self.column)
            return sweep.at_cursor(self.path, text, cursor, self.changes)
        text, cursor = "\n".join(self.lines), self._offset(*self.gap)
        return fim.gap(text[:cursor], text[cursor:], path=self.path, has=has)

    def after(self, way: Way, answer: str) -> tuple[str, ...]:
        """The file with an answer in it; itself where the answer is nothing to show."""
        return self._rewritten(answer) if way == "sweep" else self._filled(answer)

    def recorded(self, model: str) -> "Recorded":
        """What a model answered when cursortab's own figures were recorded; raises RedraftError where it was not."""
        file = self.folder / f"{model}.ndjson"
        if not file.is_file():
            raise RedraftError(f"{self.folder} has no answer of {model}")
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        asked, said = (_body(rows, kind) for kind in ("request", "response"))
        (choice,), timings = said.get("choices", [{"text": "", "finish_reason": "stop"}]), said.get("timings", {})
        tokens = timings.get("predicted_n", 0)
        forwards = tokens - timings.get("draft_n_accepted", 0)
        is_whole = choice["finish_reason"] == "stop"
        return Recorded(asked.get("prompt", ""), choice["text"], is_whole, tokens, forwards)

    def _offset(self, row: int, column: int) -> int:
        before = "".join(f"{line}\n" for line in self.lines[: row - 1])
        line = self.lines[row - 1] if row <= len(self.lines) else ""
        return len(before) + len(line.encode()[:column].decode("utf-8", "ignore"))

    def _rewritten(self, answer: str) -> tuple[str, ...]:
        written = "".join(f"{line}\n" for line in self.lines[: self.row - 1])
        new = _without_repetition((written + answer).rstrip().split("\n"))
        if not new or "\n".join(new).rstrip() == "\n".join(self.lines).rstrip():
            return self.lines
        return (*new, *self.lines[len(new) :])

    def _filled(self, answer: str) -> tuple[str, ...]:
        row, column = self.gap
        text, cursor = "\n".join(self.lines), self._offset(row, column)
        new = "\n".join(_without_repetition(answer.split("\n")))
        rest = text[cursor:]
        line_rest = rest.partition("\n")[0]
        if not new.strip() or (new.startswith("\n") and not line_rest.strip() and rest.strip()):
            return self.lines
        overlap = next((n for n in range(min(len(new), len(rest)), 0, -1) if new.endswith(rest[:n])), 0)
        come = new[: len(new) - overlap].split("\n")
        come[0] = self.lines[row - 1][: len(self.lines[row - 1]) - len(line_rest)] + come[0]
        come[0 if new[: len(new) - overlap].partition("\n")[0] else -1] += line_rest
        return (*self.lines[: row - 1], *come, *self.lines[row:])


@dataclass(frozen=True)
class Recorded:
    """A prompt and its answer, which may have been cut off, and how many forwards llama.cpp took for its tokens."""

    prompt: str
    answer: str
    is_whole: bool
    tokens: int
    forwards: int


def read_positions(folder: Path) -> list[Position]:
    """All positions that ask a model; raises RedraftError for a folder that holds no scenarios."""
    found = [each for file in sorted(folder.glob("*.txtar")) for each in _positions(file)]
    if not found:
        raise RedraftError(f"{folder} holds no scenarios: it is server/eval/scenarios of a clone of cursortab.nvim")
    return found


def _body(rows: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """What was sent or said first; nothing where no model was asked."""
    found = next((row["body_b64"] for row in rows if row["kind"] == kind), "e30=")
    return dict(json.loads(base64.b64decode(found)))


def _positions(file: Path) -> Iterator[Position]:
    header, *pieces = _SECTION.split(file.read_text(encoding="utf-8"))
    sections = dict(zip(pieces[::2], pieces[1::2], strict=True))
    said = dict(line.split(": ", 1) for line in header.splitlines()[1:] if ": " in line)
    if said.get("modified") == "false":
        return  # no model is asked where nothing was modified
    changes = tuple(Change(path.strip(), old, new) for path, old, new in _CHANGE.findall(sections.get("history", "")))
    row, column = int(said["row"]), int(said["col"])
    gap = (int(said.get("fim-row", row)), int(said.get("fim-col", column)))
    lines, expected = _lines(sections["buffer.txt"]), _lines(sections.get("expected", ""))
    first = Position(said["id"], said["file"], lines, row, column, gap, changes, expected, file.with_suffix(""))
    yield first
    for place in filter(None, said.get("cursor-positions", "").split(",")):
        row, column = map(int, place.split(":"))
        yield replace(first, id=f"{first.id}@{row}", row=row, column=column, gap=(row, column))


def _lines(section: str) -> tuple[str, ...]:
    bare = section.removesuffix("\n")
    return tuple(bare.split("\n")) if bare else ()


def _without_repetition(lines: list[str]) -> list[str]:
    """The lines before the first that stands three times in a row."""
    triples = zip(lines, lines[1:], lines[2:], strict=False)
    cut = next((at for at, (a, b, c) in enumerate(triples) if a == b == c and a.strip()), len(lines))
    return lines[:cut]
