"""In: the lines of an answer at a tag. Out: the edits that it and what follows hold as calls of tools in tags.

<edit><path>a.py</path><old_string>old</old_string><new_string>new</new_string></edit>
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.calls import BELOW, COUNT, END, EVERY, NEW, NUMBER, OLD, PATH, SAID, SKETCH, WHOLE, plain, steps
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, Step

_GIVEN = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))*"
TAG = re.compile(rf"<(/?)([A-Za-z][\w:.-]*)(?:=([\w.-]+))?({_GIVEN})\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
_PARAMETERS = ("parameter", "param", "arg", "argument")
_CALLS = ("invoke", "function", "edit", "call", "toolcall", "tooluse", "replacement", "change", "searchreplace")
_LEAVES = OLD | NEW | PATH | EVERY | COUNT | NUMBER | END | BELOW | SKETCH | SAID | {"command", "filetext"}
_COMMON = frozenset(("path", "file", "line", "text", "old", "new", "find", "search", "replace", "code", "all", "mode"))
_FRAMES = frozenset(("edits", "functioncalls", "replaceinfile", "applydiff", "editfile", "strreplace", "writetofile"))


class Tag(Struct, frozen=True):
    """A tag of an answer: what it is called, what it is given, and where it stands, counted in characters."""

    name: str
    word: str
    is_end: bool
    attributes: dict[str, str]
    start: int
    end: int


def tags(text: str) -> Iterator[Tag]:
    for match in TAG.finditer(text):
        attributes = {plain(key): a or b or c for key, a, b, c in _ATTRIBUTE.findall(match[4])}
        name = plain(match[2].rpartition(":")[2])
        called = plain(match[3] or attributes.get("name", "")) if name in _PARAMETERS else name
        if name == "function" and match[3]:
            attributes = {**attributes, "name": match[3]}
        yield Tag(called, match[2], bool(match[1]), attributes, match.start(), match.end())


def calls(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """The calls from a line on whose first text is a tag; raises RefusedError for tags that do not fit."""
    if not lines[at].lstrip().startswith("<") or lines[at].strip() in page.bare:
        return None
    match = TAG.match(lines[at].lstrip())
    first = next(tags(lines[at].lstrip()), None) if match else None
    if first is None or first.is_end or not (first.name in _LEAVES or first.name in _CALLS or first.name in _FRAMES):
        return None
    return _Reader("\n".join(lines[at:]), at, page).read()


class _Reader:
    """One call after the other, to the last tag that closes one."""

    def __init__(self, text: str, line: int, page: Page) -> None:
        self._text, self._line, self._page = text, line, page
        self._given: dict[str, Any] = {}
        self._path = self._tool = ""
        self._steps: list[Step] = []
        self._start = self._end = 0

    def read(self) -> Found | None:
        at, last = 0, 0
        while (tag := self._next(at)) is not None:
            if self._text[last : tag.start].strip() and not self._is_between(self._text[last : tag.start]):
                break
            at = last = self._leaf(tag) if self._is_leaf(tag) else self._frame(tag)
        self._close()
        if not self._steps:
            return None
        return Found(self._line + 1 + self._text.count("\n", 0, max(last - 1, 0)), tuple(self._steps))

    def _next(self, at: int) -> Tag | None:
        match = TAG.search(self._text, at)
        if match is None:
            return None
        tag = next(tags(match[0]))
        return Tag(tag.name, tag.word, tag.is_end, tag.attributes, match.start(), match.end())

    def _is_between(self, text: str) -> bool:
        return not text.strip(" \n\t,;") or text.strip() in ("```", "```xml", "]]>", "<![CDATA[")

    def _is_leaf(self, tag: Tag) -> bool:
        if tag.name == "content" or tag.name == "contents":
            return self._tool in ("writetofile", "write", "writefile", "createfile", "insertcontent")
        return not tag.is_end and tag.name in _LEAVES

    def _leaf(self, tag: Tag) -> int:
        close = self._closing(tag)
        if close is None:
            line = self._line + 1 + self._text.count("\n", 0, tag.start)
            raise RefusedError(
                f"the answer is cut off: the tag <{tag.word}> at its line {line} is not closed", is_cut=True
            )
        text = _inside(self._text[tag.end : close.start])
        if tag.name in self._given and tag.name not in PATH:
            self._close()
        if tag.name in OLD and not self._given.keys() & OLD:
            self._start = tag.start
        self._given[tag.name] = text.strip() if tag.name not in OLD | NEW | WHOLE | SKETCH else text
        if tag.name in PATH:
            self._path = text.strip()
        if "line" in tag.attributes and tag.name in OLD:
            self._given["line"] = tag.attributes["line"]
        return close.end

    def _closing(self, opened: Tag) -> Tag | None:
        """The end of a leaf: its own closing tag at the end of a line or in front of another tag."""
        at = opened.end
        while (tag := self._next(at)) is not None:
            below = self._text[tag.end :].partition("\n")[0].strip()
            is_parameter = plain(opened.word.rpartition(":")[2]) in _PARAMETERS
            is_own = tag.word == opened.word or (is_parameter and tag.word == opened.word)
            ends = tag.is_end and (not below or below.startswith(("<", "]]>")))
            if ends and is_own:
                return tag
            if ends and plain(tag.word) in OLD | NEW | {"text", "edit", "invoke"} and tag.word not in self._page.text:
                line = self._line + 1 + self._text.count("\n", 0, tag.start)
                raise RefusedError(
                    f"line {line} of the answer closes <{opened.word}> with </{tag.word}>: {quoted(self._at(tag))}"
                )
            if not tag.is_end and is_own and opened.name in OLD | NEW and not is_parameter:
                line = self._line + 1 + self._text.count("\n", 0, tag.start)
                raise RefusedError(
                    f"line {line} of the answer has <{tag.word}> within <{opened.word}>: {quoted(self._at(tag))}"
                )
            at = tag.end
        return None

    def _at(self, tag: Tag) -> str:
        start = self._text.rfind("\n", 0, tag.start) + 1
        return self._text[start : tag.end]

    def _frame(self, tag: Tag) -> int:
        if tag.is_end or tag.name in _CALLS or tag.name in _FRAMES:
            self._close()
        if not tag.is_end:
            self._tool = plain(tag.attributes.get("name", tag.name).rpartition(".")[2])
            self._path = next((each for key, each in tag.attributes.items() if key in PATH), self._path)
        return tag.end

    def _close(self) -> None:
        given, self._given = self._given, {}
        if not given.keys() - PATH - SAID:
            return
        line = self._line + 1 + self._text.count("\n", 0, self._start)
        tool = plain(str(given.get("command", ""))) or self._tool
        self._steps += steps(given, line, self._page, self._path, tool)


def _inside(text: str) -> str:
    """What a tag holds; a newline next to it belongs to the tag."""
    if match := _CDATA.fullmatch(text):
        text = match[1]
    text = text.removeprefix("\r").removeprefix("\n")
    body, newline, last = text.rpartition("\n")
    return body if newline and not last.strip() else text
