"""In: the lines of an answer at a tag. Out: the edits that it and what follows hold as calls of tools in tags.

<edit><path>a.py</path><old_string>old</old_string><new_string>new</new_string></edit>
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.calls import BELOW, COMMON, KNOWN, NEW, OLD, PATH, SKETCH, TOOL, UNUSED, WHOLE, plain, steps
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, Replacement, Step, cut_off, refused_line

_GIVEN = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))*"
TAG = re.compile(rf"<(/?)([A-Za-z][\w:.-]*)(?:=([\w.-]+))?({_GIVEN})\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
_BETWEEN = re.compile(r"`{3,}\w*|\]\]>|<!\[CDATA\[|[a-z]+(?:_[a-z]+)+")
_PARAMETERS = ("parameter", "param", "arg", "argument")
_CALLS = {"invoke", "function", "edit", "call", "toolcall", "tooluse", "replacement", "change", "searchreplace"}
_PAIRS = ({"search", "replace"}, {"old", "new"}, {"find", "replace"}, {"original", "updated"})
_LEAVES = KNOWN - TOOL - WHOLE | {"command", "filetext"}
_TEXTS = OLD | NEW | SKETCH | BELOW
_MIXED = ("old_text", "new_text", "text")
MIXED = "closing tags mixed up"
_CONTENT = ("writetofile", "write", "writefile", "createfile", "insertcontent")
_FRAMES = {
    *("edits", "functioncalls", "replaceinfile", "applydiff", "editfile", "strreplace", "writetofile"),
    *("insertcontent", "searchandreplace"),
}


class Tag(Struct, frozen=True):
    """A tag of an answer: what it is called, what it is given, and where it stands, counted in characters."""

    name: str
    word: str
    is_end: bool
    attributes: dict[str, str]
    start: int
    end: int


def tags(text: str, start: int = 0) -> Iterator[Tag]:
    """The tags from a sign of a text on."""
    for match in TAG.finditer(text, start):
        attributes = {plain(key): a or b or c for key, a, b, c in _ATTRIBUTE.findall(match[4])}
        name = plain(match[2].rpartition(":")[2])
        called = plain(match[3] or attributes.get("name", "")) if name in _PARAMETERS else name
        if name == "function" and match[3]:
            attributes = {**attributes, "name": match[3]}
        yield Tag(called, match[2], bool(match[1]), attributes, match.start(), match.end())


def has_edits(lines: Sequence[str], page: Page) -> bool:
    """Whether the tags of an answer that the file does not have are those of calls."""
    found: dict[str, str] = {}
    for tag in tags("\n".join(lines)):
        found[tag.name] = found[plain(tag.attributes.get("name", ""))] = tag.word
    names = {name for name, word in found.items() if f"<{word}" not in page.text or name not in COMMON}
    return bool(names & (_TEXTS - COMMON) or names & {*_CONTENT, "argkey"}) or any(pair <= names for pair in _PAIRS)


def calls(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """The calls from a line on whose first text is a tag; raises RefusedError for tags that do not fit."""
    if not lines[at].lstrip().startswith("<") or lines[at].strip() in page.bare:
        return None
    first = next(tags(lines[at].lstrip()), None)
    if first is None or first.start or first.is_end or first.name not in _LEAVES | _CALLS | _FRAMES:
        return None
    return _Reader("\n".join(lines[at:]), at, page).read()


class _Reader:
    """One call after the other, to the last tag that closes one."""

    def __init__(self, text: str, line: int, page: Page) -> None:
        self._text, self._line, self._page = text, line, page
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._given: dict[str, Any] = {}
        self._path = self._tool = self._key = ""
        self._slips: tuple[str, ...] = ()
        self._steps: list[Step] = []
        self._start = self._end = 0

    def read(self) -> Found | None:
        at, last = 0, 0
        while (tag := self._next(at)) is not None:
            between = self._text[last : tag.start]
            if between.strip() and between.strip(" \n\t,;") and not _BETWEEN.fullmatch(between.strip()):
                break
            at = last = self._leaf(tag) if self._is_leaf(tag) else self._frame(tag)
        self._close()
        return Found(self._at_line(max(last - 1, 0)), tuple(self._steps)) if self._steps else None

    def _at_line(self, character: int) -> int:
        return self._line + bisect_right(self._starts, character)

    def _next(self, at: int) -> Tag | None:
        return next(tags(self._text, at), None)

    def _is_leaf(self, tag: Tag) -> bool:
        """Whether a tag holds a text, and no other tags."""
        if tag.name in ("content", "contents"):
            return not tag.is_end and self._tool in _CONTENT
        return not tag.is_end and tag.name in _LEAVES | {"argkey", "argvalue"}

    def _leaf(self, tag: Tag) -> int:
        close = self._closing(tag)
        if close is None:
            if tag.name in _TEXTS | WHOLE:
                raise cut_off(f"tag <{tag.word}>", self._at_line(tag.start), "is not closed")
            return tag.end
        name = self._key if tag.name == "argvalue" else tag.name
        text = _inside(self._text[tag.end : close.start], is_whole=name in WHOLE)
        if tag.name == "argkey":
            self._key = plain(text)
        else:
            self._give(tag, name, text)
        return close.end

    def _give(self, tag: Tag, name: str, text: str) -> None:
        if name in self._given and name not in PATH:
            self._close()
        if name in OLD:
            self._start = tag.start
        self._given[name] = text if name in OLD | NEW | WHOLE | SKETCH else text.strip()
        if name in PATH:
            self._path = text.strip()
        if "line" in tag.attributes and name in OLD:
            self._given["line"] = tag.attributes["line"]

    def _closing(self, opened: Tag) -> Tag | None:
        """The end of a leaf: its own closing tag at the end of a line or in front of another tag."""
        at = opened.end
        while (tag := self._next(at)) is not None:
            behind = self._rest_of_line(tag.end).strip()
            if not tag.is_end:
                at = self._inner_end(opened, tag)
            elif (not behind or behind.startswith(("<", "]]>"))) and self._closes(opened, tag):
                return tag
            else:
                at = tag.end
        return None

    def _inner_end(self, opened: Tag, tag: Tag) -> int:
        """The end of a tag that opens within a text, or of a pair in one line; raises where it is the text's own."""
        is_edit = plain(tag.word) in OLD | NEW
        closing = f"</{tag.word}>"
        rest = self._rest_of_line(tag.end)
        if is_edit and closing in rest:
            return tag.end + rest.index(closing) + len(closing)
        is_parameter = plain(opened.word.rpartition(":")[2]) in _PARAMETERS
        if tag.word == opened.word and opened.name in OLD | NEW and not is_parameter:
            raise self._refused(f"has <{tag.word}> within <{opened.word}>", tag, "close the outer one above it")
        return tag.end

    def _closes(self, opened: Tag, tag: Tag) -> bool:
        """Whether a closing tag at the end of a line closes a text; raises where it is that of another one."""
        if tag.word == opened.word:
            return True
        if f"</{tag.word}>" in self._page.text:
            return False
        if opened.word in _MIXED and tag.word in _MIXED and self._is_between_texts(tag):
            self._slips = (MIXED,)
            return True
        if plain(tag.word) in OLD | NEW | {"text", "edit", "invoke"}:
            raise self._refused(f"closes <{opened.word}> with </{tag.word}>", tag, "use one name")
        return False

    def _is_between_texts(self, tag: Tag) -> bool:
        """Whether the next tag opens a text, or is the last."""
        below = self._next(tag.end)
        return below is None or below.word == "edits" or (not below.is_end and below.word in _MIXED)

    def _refused(self, what: str, tag: Tag, advice: str) -> RefusedError:
        start = self._text.rfind("\n", 0, tag.start) + 1
        shown = quoted(self._text[start : tag.end])
        return refused_line(self._at_line(tag.start), f"{what}, {shown}: {advice}")

    def _rest_of_line(self, at: int) -> str:
        end = self._text.find("\n", at)
        return self._text[at:] if end < 0 else self._text[at:end]

    def _frame(self, tag: Tag) -> int:
        if tag.is_end or tag.name in _CALLS or tag.name in _FRAMES:
            self._close()
        if not tag.is_end:
            self._tool = plain(tag.attributes.get("name", tag.name).rpartition(".")[2])
            self._path = next((each for key, each in tag.attributes.items() if key in PATH), self._path)
        return tag.end

    def _close(self) -> None:
        given, self._given = self._given, {}
        if not given.keys() - PATH - UNUSED:
            return
        tool = plain(str(given.get("command", ""))) or self._tool
        for step in steps(given, self._at_line(self._start), self._page, self._path, tool):
            self._steps.append(replace(step, slips=self._slips) if isinstance(step, Replacement) else step)
        self._slips = ()


def _inside(text: str, is_whole: bool = False) -> str:
    """What a tag holds; a newline next to it belongs to the tag, but for the one at the end of a whole file."""
    if match := _CDATA.fullmatch(text):
        text = match[1]
    text = text.removeprefix("\r").removeprefix("\n")
    body, newline, last = text.rpartition("\n")
    return body + newline * is_whole if newline and not last.strip() else text
