"""In: the arguments of a call of an editing tool, in any agent's words. Out: what it does to a file."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.dots import ended
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Replacement, SketchError, Step, Whole, refused
from redraft.edit.text.changes import common
from redraft.edit.text.lines import written
from redraft.edit.text.newlines import newlined


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


OLD = _words(
    "oldstring oldstr oldtext oldcode oldcontent oldlines old search searchtext searchstring searchblock searchcontent"
    " find findtext original originaltext originalcode originalsnippet originalcontent targetcontent targettext"
)
NEW = _words(
    "newstring newstr newtext newcode newcontent newlines lines new replace replacement replacetext replacestring"
    " replaceblock replacecontent replacewith replacementcontent replacementtext replacementcode updated updatedtext"
    " updatedcode inserttext"
)
PATH = _words("path file filename filepath targetfile absolutepath relativeworkspacepath relativepath uri")
EVERY = frozenset(("replaceall", "allowmultiple", "replaceeverywhere", "replacealloccurrences", "all", "global"))
COUNT = frozenset(("expectedreplacements", "expectedcount", "expectedoccurrences"))
NUMBER = frozenset(("startline", "line", "linenumber", "linestart", "pos"))
END = frozenset(("endline", "lineend", "end"))
BELOW = frozenset(("insertline", "insertafterline", "afterline", "insertafter"))
WHOLE = frozenset(("content", "contents", "filetext", "filecontent", "text", "newfilecontents"))
SKETCH = frozenset(("codeedit", "changes", "code", "codechanges", "codecontent", "codesnippet", "editsnippet"))
TOOL = frozenset(("name", "tool", "toolname", "command", "function", "recipientname", "action", "operation", "op"))
_INSTRUCTION = frozenset(("explanation", "instructions", "instruction", "description"))
UNUSED = _INSTRUCTION | {"useregex", "ignorecase", "mode"}
COMMON = frozenset(("old", "new", "find", "search", "replace", "original", "updated", "code", "changes", "lines"))
ENDINGS = "line endings"
KNOWN = OLD | NEW | PATH | EVERY | COUNT | NUMBER | END | BELOW | WHOLE | SKETCH | TOOL | UNUSED
_WRITES = ("write", "writefile", "writetofile", "createfile", "create", "savefile", "newfile", "filewrite")
_VIEWS = ("view", "read", "readfile", "undoedit", "open", "cat", "ls", "list", "grep")
_TRUE = (True, 1, "true", "True", "1", "yes")


def plain(name: str) -> str:
    """`old_string`, `oldString` and `OLD-STRING` are one name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_call(value: Any, depth: int = 0) -> bool:
    """Whether a value holds the arguments of an edit."""
    if isinstance(value, list):
        return depth < 5 and any(is_call(each, depth + 1) for each in value)
    if not isinstance(value, Mapping) or depth > 5:
        return False
    names = {plain(str(key)) for key in value}
    has_new = bool(names & (NEW | WHOLE | SKETCH))
    is_edit = has_new and bool(names & (OLD | NUMBER | BELOW | END))
    is_edit = is_edit or bool(names & PATH and names & (WHOLE | SKETCH))
    return is_edit or any(is_call(each, depth + 1) for each in value.values())


def steps(value: Any, line: int, page: Page, path: str = "", tool: str = "") -> Iterator[Step]:
    """What a value does; raises SketchError where it holds code without its place."""
    inner = value if isinstance(value, list) else ()
    if isinstance(value, Mapping):
        given = {plain(str(key)): each for key, each in value.items()}
        path = next(iter(_strings(given, PATH)), path)
        named = _strings(given, TOOL)
        tool = plain(named[-1].rpartition(".")[2]) if named else tool
        if tool in _VIEWS:
            return
        own = _Call(given, line, path, tool, page).step()
        if own is not None:
            yield own
        inner = [each for key, each in given.items() if key not in OLD | NEW]
    for each in inner:
        yield from steps(each, line, page, path, tool)


class _Call(Struct, frozen=True):
    """The arguments of a call by their plain names, the line of the answer at which it stands, and its file."""

    given: Mapping[str, Any]
    line: int
    path: str
    tool: str
    page: Page

    def step(self) -> Step | None:
        """What it does itself, whatever calls there are within it."""
        old, new, whole = map(self._text, (OLD, NEW, WHOLE))
        if self.given.get("useregex") in _TRUE:
            raise refused("call", self.line, "searches by a pattern, which is not read: give the old text itself")
        if old is not None and new is not None:
            return self._exchange(old, new)
        if placed := self._placed(whole if new is None else new):
            return placed
        if whole is not None and self.tool in _WRITES:
            return Whole(whole, self.line, self.path)
        sketch = self._text(SKETCH)
        if sketch is not None or whole is not None:
            raise SketchError(sketch or whole or "", self._text(_INSTRUCTION) or "")
        if old is not None or new is not None:
            raise refused("call", self.line, f"has no {'new' if new is None else 'old'} text: give both texts")
        return None

    def _exchange(self, old: str, new: str) -> Replacement:
        is_every = any(self.given[key] in _TRUE for key in EVERY & self.given.keys())
        count = 0 if is_every else self._number(COUNT) or 1
        if not old and self.page.text.strip():
            first = next(map(quoted, written(new.split("\n"))), "the new text")
            why = f"has an empty old text, so it is open where {first} goes"
            raise refused("call", self.line, f"{why}: put a neighbouring line of the file in both texts")
        number = self._number(NUMBER)
        return Replacement(
            old, new, self.line, self.path, is_piece=True, number=number, count=count, is_call=True, slips=self._slips
        )

    def _placed(self, text: str | None) -> Replacement | None:
        """A text in the place of the lines that numbers tell, where they do."""
        span = self._span()
        if text is None or span is None:
            return None
        return Replacement("", ended(text), self.line, self.path, span=span, is_call=True)

    def _span(self) -> tuple[int, int] | None:
        """Lines `start:end`, from 0, that make way for a text, where numbers say so."""
        number, end, below = map(self._number, (NUMBER, END, BELOW))
        if self.tool == "insertcontent" and number is not None:
            below = number - 1 if number else self.page.end
        if below is not None:
            return below, below
        if number is None or end is None or self.tool in ("append", "prepend", "delete"):
            return None
        return number - 1, end

    @property
    def _slips(self) -> tuple[str, ...]:
        """What its texts have that the file has not: other ends of lines."""
        texts = (each for each in self._values(OLD | NEW) if isinstance(each, str))
        return (ENDINGS,) if any(self._read(text) != text for text in texts) else ()

    def _read(self, text: str) -> str:
        return newlined(text, self.page.text)

    def _text(self, names: frozenset[str]) -> str | None:
        for value in self._values(names):
            if isinstance(value, str):
                return self._read(value)
            if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
                return "".join(f"{self._read(each)}\n" for each in value)
        return None

    def _number(self, names: frozenset[str]) -> int | None:
        for value in self._values(names):
            if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
                return int(value)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return None

    def _values(self, names: frozenset[str]) -> Iterator[Any]:
        return (value for name, value in self.given.items() if name in names)


def _strings(given: Mapping[str, Any], names: frozenset[str]) -> list[str]:
    return [each for key, each in given.items() if key in names and isinstance(each, str)]


def likeness(path: str, file: str) -> int:
    """How many names two paths have in common at their ends."""
    parts, others = (PurePosixPath(each.replace("\\", "/")).parts[::-1] for each in (path, file))
    return common(parts, others)
