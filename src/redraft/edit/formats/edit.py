"""In: nothing. Out: `Edit` and `Pair`, what an answer's edits in any format are read into."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.prompts.fence import fence
from redraft.edit.text.changes import difference, split_lines

Role = Literal["old", "new", "path", "code", ""]

_WORDS = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_OLD = {"old", "find", "search", "original", "before", "from", "existing", "current", "target", "previous"}
_NEW = {"new", "replace", "replacement", "updated", "after", "to", "replaced", "modified", "suggested", "with"}
_CODE = {"content", "contents", "code", "text"}
_KINDS = {"str", "string", "block", "lines", "line", "snippet", "pattern", "value", "version", "with", "source"}
_PATH = {"path", "file", "filename", "filepath", "uri"}
_EDITING = {"edit", "edits", "update", "updated"}


class Pair(Struct, frozen=True):
    """Lines that become others; `start` counts the lines of the file before them, where the format says so."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    start: int | None = None

    @staticmethod
    def of(old: str, new: str) -> "Pair":
        return Pair(tuple(split_lines(old)), tuple(split_lines(new)))

    def diff(self) -> Iterator[str]:
        at = self.start
        yield "@@" if at is None else f"@@ -{_range(at, self.old)} +{_range(at, self.new)} @@"
        yield from (sign + text for sign, text in difference(self.old, self.new))


class Edit(Struct, frozen=True):
    """Lines `start:end` of an answer, and the pairs that they stand for, or the code of a file or of a sketch of it."""

    start: int
    end: int
    pairs: tuple[Pair, ...] = ()
    code: tuple[str, ...] = ()
    path: str = ""

    def lines(self) -> Iterator[str]:
        """The edit as a fence, below the file that it names."""
        if self.path:
            yield from ("", self.path)
        inside = [line for pair in self.pairs for line in pair.diff()] if self.pairs else list(self.code)
        ticks = fence(*inside)
        yield from (f"{ticks}{'diff' if self.pairs else ''}", *inside, ticks)

    def signed(self) -> Iterator[str]:
        """The lines of its pairs as a part of a diff."""
        yield from (line for pair in self.pairs for line in [*pair.diff()][1:])

    def of(self, path: str) -> "Edit":
        return self if self.path else replace(self, path=path)


def role_of(name: str) -> Role:
    """What the name of a tag or of a key says that its text is."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return ""
    if words[-1] in _PATH or words[0] in ("filepath", "filename"):
        return "path"
    if not {*words[1:]} <= _CODE | _KINDS:
        return "code" if words[0] in _CODE and {*words[1:]} <= _EDITING else ""
    return "old" if words[0] in _OLD else "new" if words[0] in _NEW else "code" if words[0] in _CODE else ""


def _range(at: int, lines: Sequence[str]) -> str:
    return f"{at + bool(lines)},{len(lines)}"
