"""In: the lines of an answer at a tag. Out: the edits that it and what follows hold as calls of tools in tags.

<edit><path>a.py</path><old_string>old</old_string><new_string>new</new_string></edit>
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct, structs

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.calls import (
    BELOW,
    COMMON,
    COUNT,
    END,
    EVERY,
    NEW,
    NUMBER,
    OLD,
    PATH,
    SAID,
    SKETCH,
    WHOLE,
    plain,
    steps,
)
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, Replacement, Step

_GIVEN = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))*"
TAG = re.compile(rf"<(/?)([A-Za-z][\w:.-]*)(?:=([\w.-]+))?({_GIVEN})\s*(/?)>")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
_BETWEEN = re.compile(r"`{3,}\w*|\]\]>|<!\[CDATA\[|[a-z]+(?:_[a-z]+)+")
_PARAMETERS = ("parameter", "param", "arg", "argument")
_CALLS = ("invoke", "function", "edit", "call", "toolcall", "tooluse", "replacement", "change", "searchreplace")
_PAIRS = ({"search", "replace"}, {"old", "new"}, {"find", "replace"}, {"original", "updated"})
_LEAVES = OLD | NEW | PATH | EVERY | COUNT | NUMBER | END | BELOW | SKETCH | SAID | {"command", "filetext"}
_TEXTS = OLD | NEW | SKETCH | BELOW
_MIXED = ("old_text", "new_text", "text")
MIXED = "closing tags mixed up"
_CONTENT = ("writetofile", "write", "writefile", "createfile", "insertcontent")
_FRAMES = frozenset(
    (
        "edits",
        "functioncalls",
        "replaceinfile",
        "applydiff",
        "editfile",
        "strreplace",
        "writetofile",
        "insertcontent",
        "searchandreplace",
    )
)


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
    match = TAG.match(lines[at].lstrip())
    first = next(tags(lines[at].lstrip()), None) if match else None
    if first is None or first.is_end or not (first.name in _LEAVES or first.name in _CALLS or first.name in _FRAMES):
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
            if self._text[last : tag.start].strip() and not self._is_between(self._text[last : tag.start]):
                break
            at = last = self._leaf(tag) if self._is_leaf(tag) else self._frame(tag)
        self._close()
        if not self._steps:
            return None
        return Found(self._at_line(max(last - 1, 0)), tuple(self._steps))

    def _at_line(self, character: int) -> int:
        return self._line + bisect_right(self._starts, character)

    def _next(self, at: int) -> Tag | None:
        match = TAG.search(self._text, at)
        if match is None:
            return None
        tag = next(tags(match[0]))
        return Tag(tag.name, tag.word, tag.is_end, tag.attributes, match.start(), match.end())

    def _is_between(self, text: str) -> bool:
        return not text.strip(" \n\t,;") or _BETWEEN.fullmatch(text.strip()) is not None

    def _is_leaf(self, tag: Tag) -> bool:
        if tag.is_end:
            return False
        if tag.name in ("content", "contents"):
            return self._tool in _CONTENT
        return tag.name in _LEAVES or tag.name in ("argkey", "argvalue")

    def _leaf(self, tag: Tag) -> int:
        close = self._closing(tag)
        if close is None and tag.name not in _TEXTS | WHOLE:
            return tag.end
        if close is None:
            line = self._at_line(tag.start)
            raise RefusedError(
                f"the answer is cut off: the tag <{tag.word}> at its line {line} is not closed; ask for the rest of it",
                is_cut=True,
            )
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
            below = self._below(tag.end)
            is_parameter = plain(opened.word.rpartition(":")[2]) in _PARAMETERS
            is_own = tag.word == opened.word or (is_parameter and tag.word == opened.word)
            ends = tag.is_end and (not below or below.startswith(("<", "]]>")))
            if ends and is_own:
                return tag
            if ends and self._is_mixed_up(opened, tag):
                self._slips = (MIXED,)
                return tag
            if (
                ends
                and plain(tag.word) in OLD | NEW | {"text", "edit", "invoke"}
                and f"</{tag.word}>" not in self._page.text
            ):
                line = self._at_line(tag.start)
                raise RefusedError(
                    f"line {line} of the answer closes <{opened.word}> with </{tag.word}>, {quoted(self._at(tag))}:"
                    " use one name"
                )
            if not tag.is_end and plain(tag.word) in OLD | NEW and (inner := self._pair(tag)):
                at = inner  # a pair of tags in one line is the text's
                continue
            if not tag.is_end and is_own and opened.name in OLD | NEW and not is_parameter:
                line = self._at_line(tag.start)
                raise RefusedError(
                    f"line {line} of the answer has <{tag.word}> within <{opened.word}>, {quoted(self._at(tag))}:"
                    " close the outer one above it"
                )
            at = tag.end
        return None

    def _is_mixed_up(self, opened: Tag, tag: Tag) -> bool:
        """Whether the closing tag of the other text closes one: the next tag opens a text, or is the last."""
        if opened.word not in _MIXED or tag.word not in _MIXED or f"</{tag.word}>" in self._page.text:
            return False
        below = self._next(tag.end)
        return below is None or below.word == "edits" or (not below.is_end and below.word in _MIXED)

    def _pair(self, opened: Tag) -> int | None:
        """The end of a pair of tags in one line."""
        end = self._text.find("\n", opened.end)
        at = self._text.find(f"</{opened.word}>", opened.end, end if end >= 0 else len(self._text))
        return at + len(opened.word) + 3 if at >= 0 else None

    def _below(self, at: int) -> str:
        """What else stands on a line."""
        end = self._text.find("\n", at)
        return self._text[at : end if end >= 0 else len(self._text)].strip()

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
        line = self._at_line(self._start)
        tool = plain(str(given.get("command", ""))) or self._tool
        found = steps(given, line, self._page, self._path, tool)
        self._steps += (
            structs.replace(step, slips=self._slips) if isinstance(step, Replacement) else step for step in found
        )
        self._slips = ()


def _inside(text: str, is_whole: bool = False) -> str:
    """What a tag holds; a newline next to it belongs to the tag, but for the one at the end of a whole file."""
    if match := _CDATA.fullmatch(text):
        text = match[1]
    text = text.removeprefix("\r").removeprefix("\n")
    body, newline, last = text.rpartition("\n")
    return body + newline * is_whole if newline and not last.strip() else text
