"""In: what an editor asks for: an answer about its files, an instruction, the next edit. Out: the new texts.

Nothing is written: the editor changes its buffers, so that its own undo takes the change back.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from redraft import __version__
from redraft.apply import load
from redraft.changes.change import Change, unified
from redraft.changes.hunks import hunks
from redraft.changes.plan import Order, change_of, plan
from redraft.changes.tree import Folder
from redraft.edit.named.reading import read
from redraft.engines import GREEDY, Chunk, Warming
from redraft.engines.abandon import checked
from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.next.history import changes_of
from redraft.next.predict import Situation, predict
from redraft.next.sweep import Change as Made
from redraft.serve.rpc import Connection, Job, Method
from redraft.serve.settings import Settings

Token = int | str | None


class Apply(msgspec.Struct, forbid_unknown_fields=True):
    """An answer, for the file at `path` with the text `text`, or for all files below `root` that it names.

    `path` may be absolute. `opened` are the texts that the editor holds, saved or not, by absolute paths. Without
    `model` no model is asked. `token` names the progress.
    """

    answer: str
    path: str = ""
    text: str | None = None
    root: str = ""
    opened: dict[str, str] = {}
    instruction: str = ""
    model: bool = True
    token: Token = None


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """Lines `first` to `last` of `text`, counted from 1, and what to do with them."""

    text: str
    first: int
    last: int
    instruction: str
    path: str = ""
    token: Token = None


class Next(msgspec.Struct, forbid_unknown_fields=True):
    """A file as it is now, the cursor, counted from 1, and the last changes: a unified diff, or a list."""

    text: str
    line: int
    column: int = 1
    path: str = "file"
    history: str | list[Made] = ""
    token: Token = None

    def situation(self) -> Situation:
        """Raises RedraftError for a place that the file has not, or a history that is no diff."""
        changes = changes_of(self.history) if isinstance(self.history, str) else tuple(self.history)
        return Situation(self.text, self.line, self.column, self.path, changes)


def serve(settings: Settings) -> None:
    """Answers on standard input and output until the input ends.

    What else is printed goes to standard error, where it breaks no message.
    """
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Connection(sys.stdin.buffer, sink, Editors(settings).methods()).run()


class Editors:
    """The editors of one process: the models are opened when they are needed first; raises as `load` does."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        seconds = settings.limits.reading_seconds
        self._reader = load(settings.engine, readers="merge", seconds=seconds)
        self._editor = load(
            settings.engine,
            dtype=settings.dtype,
            readers=settings.readers,
            template=settings.template,
            output_format=settings.output_format,
            window=settings.window,
            seconds=seconds,
        )

    def methods(self) -> dict[str, Method]:
        def lane(job: Job) -> str:
            return "engine" if job.read(Apply).model else "reader"

        return {
            "initialize": Method(self._initialize),
            "apply": Method(self._apply, lane),
            "edit": Method(self._edit, lambda job: "engine"),
            "next": Method(self._next, lambda job: "engine"),
        }

    def _initialize(self, job: Job) -> dict[str, str]:
        return {"version": __version__, "engine": self._settings.engine, "readers": self._settings.readers}

    def _apply(self, job: Job) -> dict[str, Any]:
        asked = job.read(Apply)
        order = Order(self._editor if asked.model else self._reader, asked.instruction)
        with checked(_announced(job, asked.token)):
            return {"changes": [_record(change) for change in _changes(asked, order)]}

    def _edit(self, job: Job) -> dict[str, Any]:
        asked, chunks = job.read(Edit), list[Chunk]()
        lines = (asked.first, asked.last)
        editing = self._editor.editing(asked.text, lines, asked.instruction, path=asked.path)
        for chunk in editing.chunks():
            chunks.append(chunk)
            job.tell(asked.token, {"text": chunk.text})
            job.check()
        return _record(Change(asked.path, _file(asked.path, asked.text), editing.result(chunks)))

    def _next(self, job: Job) -> dict[str, Any]:
        now, engine = job.read(Next).situation(), self._editor.engine
        if isinstance(engine, Warming):
            engine.keep_prefixes()  # the next keystroke's prompt begins alike
        edit = predict(engine, now, GREEDY)
        return edit.record() | {"diff": unified(now.text, edit.output, now.path)}


def _announced(job: Job, token: Token) -> Any:
    """Says before the first forward of a job that the model is asked."""
    said = list[bool]()

    def check() -> None:
        job.check()
        if not said:
            said.append(True)
            job.tell(token, {"message": "asking the model"})

    return check


def _changes(asked: Apply, order: Order) -> list[Change]:
    """What the answer makes of the one file, or of all that it names where it names others."""
    opened = {Path(path).resolve(): text for path, text in asked.opened.items()}
    own = Path(asked.path).resolve() if asked.path else None
    if own is not None and asked.text is not None:
        opened[own] = asked.text
    if asked.root and (asked.text is None or _names_others(asked, own, opened)):
        root = Path(asked.root).resolve()
        return [change for change in plan(root, asked.answer, order, opened) if change.changes_anything]
    if asked.text is None:
        raise RedraftError("there is no file: open one, or a folder whose files the answer names")
    return [change_of(asked.path, _file(asked.path, asked.text), asked.answer, order)]


def _names_others(asked: Apply, own: Path | None, opened: Mapping[Path, str]) -> bool:
    tree = Folder(Path(asked.root).resolve(), opened=opened)
    try:
        parts = read(asked.answer, lambda path: tree.is_file(tree.find(path)))
        return any(tree.new(tree.find(part.path)).path != own for part in parts)
    except RedraftError:
        return False


def _file(path: str, text: str) -> files.File:
    return files.File(Path(path), text, "utf-8", b"", 0, b"")


def _record(change: Change) -> dict[str, Any]:
    """A change as editors take it: the texts before and after, and the lines that differ, counted from 0."""
    result = change.result
    after = result.output if change.is_accepted else None
    found = hunks(change.file.text, result) if change.is_accepted and change.operation != "delete" else []
    return {
        "path": change.path,
        "operation": change.operation,
        "to": change.to,
        "status": result.status,
        "message": result.message,
        "way_on": result.way_on,
        "confidence": result.confidence,
        "decided_by": result.decided_by,
        "healed": result.healed,
        "before": change.file.text,
        "after": after,
        "hunks": [asdict(hunk) for hunk in found],
    }
