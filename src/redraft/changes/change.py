"""In: a file, what is done to it, and the result of the edit. Out: `Change`: its new contents, and its diff."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any, Literal

from redraft.edit.guard.check import WRITTEN
from redraft.edit.text.changes import counted
from redraft.files import write
from redraft.files.read import File, encode
from redraft.result import Result

Operation = Literal["edit", "create", "delete", "rename"]


@dataclass(frozen=True)
class Change:
    """What becomes of one file. `path` is as the user knows it; `target` is the file's new place, at `to`."""

    path: str
    file: File = field(repr=False)
    result: Result
    operation: Operation = "edit"
    to: str = ""
    target: File | None = field(default=None, repr=False)

    @property
    def after(self) -> str | None:
        """The new text; None where the file goes or nothing was produced."""
        return None if self.operation == "delete" else self.result.output

    @property
    def is_accepted(self) -> bool:
        """Whether no guard refuses it."""
        return self.result.status in WRITTEN

    @property
    def is_possible(self) -> bool:
        """Whether there is something to write, if a guard refuses it or not."""
        return self.operation == "delete" or self.result.output is not None

    @property
    def changes_anything(self) -> bool:
        return self.operation != "edit" or self.after not in (None, self.file.text)

    def contents(self) -> list[write.Change]:
        """The files to write; raises RedraftError for a text that the file's encoding cannot hold."""
        if self.operation == "delete":
            return [(self.file, None)]
        data = encode(self.file, self.after or "")
        if self.target is not None:
            return [(self.file, None), (self.target, data)]
        return [(self.file, data)] if self.changes_anything else []

    def diff(self) -> str:
        """A unified diff as git applies it; "" where nothing changes."""
        hunks = "".join(_hunks(self.file.text, self._shown(), *self._names()))
        return "".join(f"{line}\n" for line in self._header()) + hunks

    def counts(self) -> tuple[int, int]:
        """Lines added and lines removed."""
        return counted(self.file.text, self._shown())

    def record(self, written: bool) -> dict[str, Any]:
        """What `redraft apply --json` prints."""
        renamed = {"renamed_to": self.to} if self.to else {}
        added, removed = self.counts()
        counts = {"added": added, "removed": removed, "written": written}
        return {"path": self.path, "operation": self.operation, **renamed, **self.result.record(), **counts}

    def _shown(self) -> str:
        """The text that the file has afterwards, as far as one was produced."""
        return self.file.text if self.result.output is None else self.after or ""

    def _names(self) -> tuple[str, str]:
        old, new = self._sides()
        return "/dev/null" if self.operation == "create" else old, "/dev/null" if self.operation == "delete" else new

    def _sides(self) -> tuple[str, str]:
        return f"a/{self.path.lstrip('/')}", f"b/{(self.to or self.path).lstrip('/')}"

    def _header(self) -> Iterator[str]:
        """What a diff says besides its hunks."""
        if self.operation == "edit":
            return
        yield f"diff --git {' '.join(self._sides())}"
        mode = f"{0o100755 if self.file.mode & 0o100 else 0o100644:o}"
        if self.operation == "create":
            yield f"new file mode {mode}"
        elif self.operation == "delete":
            yield f"deleted file mode {mode}"
        else:
            yield from (f"rename from {self.path}", f"rename to {self.to}")


def unified(before: str, after: str | None, path: str) -> str:
    """The unified diff of a file that is edited; "" where nothing was produced."""
    name = path.lstrip("/") or "file"
    return "" if after is None else "".join(_hunks(before, after, f"a/{name}", f"b/{name}"))


def _hunks(before: str, after: str, old: str, new: str) -> Iterator[str]:
    for line in unified_diff(lines_of(before), lines_of(after), old, new):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"


def lines_of(text: str) -> Sequence[str]:
    """Lines with their newlines; only these end a line."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]
