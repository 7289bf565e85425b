"""In: an answer and the file. Out: the steps that its exact formats hold; SketchError where it has other code."""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from redraft.edit.exact.blocks import block, unmarked
from redraft.edit.exact.envelope import patch
from redraft.edit.exact.objects import Objects
from redraft.edit.exact.page import Page
from redraft.edit.exact.ranges import edited, numbered
from redraft.edit.exact.steps import Found, RefusedError, SketchError, Step, cut_off, of_file
from redraft.edit.exact.tags import calls, has_edits
from redraft.edit.exact.unified import bare_hunk, diff

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([^`]*)")
_LONE = re.compile(r"\s*(?:</?[A-Za-z][^<>]*>\s*|<!\[CDATA\[|\]\]>)+(?:[^<>]*</[A-Za-z][^<>]*>)?\s*")
_NAMED = re.compile(r"[\s#*`]*(?:(?://|--|/\*|<!--)\s*)?([\w@.+\-/\\\[\]()]*\w\.\w{1,10})[:*`]*(?:\s*(?:\*/|-->))?\s*")
_PATH_TAG = re.compile(r"\s*<(?:path|file|file_path|filename|target_file)>\s*([^<>]+?)\s*</[\w_]+>\s*")
_HEREDOC = re.compile(r"\s*(?:\$ )?(?:apply_patch\b.*|cat <<.*|[A-Z]+[-_A-Z0-9]*|EOF|DISCUSSION|COMMAND)\s*")
_SCRIPTS = (".sh", ".bash", ".zsh", ".ps1")
_OUTPUT = ("text", "txt", "plaintext", "output", "log")
_SHELL = ("bash", "sh", "shell", "zsh", "console", "terminal", "powershell", "cmd")
_QUOTED = re.compile(r"^> ?")
_FILE_NAME, _INFO_WORD = re.compile(r"[\w./\\@+-]+\.\w{1,10}"), re.compile(r"[\s:=\"']+")
_MIXED = "line {} of the answer begins an edit in an exact format, and line {} is other code: send both in one format"
_LOOSE = (
    "line {} of the answer is a line of a diff, and stands outside of its fence: put a longer fence around what has"
    " fences of its own"
)

_Scanner = Callable[[Sequence[str], int, Page], Found | None]
_SCANNERS: tuple[_Scanner, ...] = (block, patch, edited, numbered)


def parse(lines: Sequence[str], page: Page, path: str) -> list[Step]:
    """The steps in order, none where no line is in an exact format."""
    found = _Parser(lines, page, path)
    if not found.read() and sum(line.startswith(">") for line in lines) > 2:
        found = _Parser([_QUOTED.sub("", line) for line in lines], page, path)
        found.read()
    return found.steps


class _Parser:
    def __init__(self, lines: Sequence[str], page: Page, path: str) -> None:
        self._lines, self._page, self._file = lines, page, path
        self._fence: re.Match[str] | None = None
        self._fence_start, self._fence_end = 0, len(lines)
        self._objects = Objects(lines, page)
        self._scanners = (*_SCANNERS, calls) if has_edits(lines, page) else _SCANNERS
        self._named = ""
        self._others: list[int] = []
        self._unfenced: list[int] = []
        self._loose: list[int] = []
        self.steps: list[Step] = []
        self.has_any = False

    def read(self) -> bool:
        """Raises SketchError where code is left beside the steps, RefusedError where a sketch would hold these for
        words."""
        at = 0
        while at < len(self._lines):
            at = self._next(at)
        if self._unfenced and self._others:
            raise RefusedError(_MIXED.format(self._unfenced[0] + 1, self._others[0] + 1))
        if self.has_any and self._others:
            raise SketchError
        if self.has_any and self._loose:
            raise RefusedError(_LOOSE.format(self._loose[0] + 1))
        return self.has_any

    def _next(self, at: int) -> int:
        found = self._format(at)
        if found is not None:
            self.has_any = True
            if self._fence is None and found.steps:
                self._unfenced.append(at)
            self.steps += [of_file(step, self._named) for step in found.steps]
            return max(found.end, at + 1)
        line = self._lines[at]
        match = _FENCE.fullmatch(line)
        if match and self._turned(match, at):
            return at + 1
        self._named = self._name(line) or self._named
        if self._fence is not None and line.strip() and not self._is_frame(line):
            self._others.append(at)
        if self._fence is None and self._is_replacement(at):
            self._loose.append(at)
        if reason := unmarked(self._lines, at, self._page):
            raise RefusedError(reason)
        return at + 1

    def _format(self, at: int) -> Found | None:
        for scanner in self._scanners:
            if (found := scanner(self._lines, at, self._page)) is not None:
                return found
        if (read := self._objects.read(at)) is not None:
            return self._nested(*read)
        if self._fence is None:
            return diff(self._lines, at, self._page, None)
        if at >= self._fence_end:
            return None
        found = diff(self._lines, at, self._page, self._fence_end)
        if found is not None and found.end >= len(self._lines):
            raise cut_off("diff", at + 1, "has no end")
        if found is None and self._fence_start == at - 1 and self._info in ("diff", "patch"):
            return bare_hunk(self._lines[at : self._fence_end], at, self._page)
        return found

    @property
    def _info(self) -> str:
        """The language of the fence around a line, "" outside of one."""
        return self._fence[3].strip().lower() if self._fence else ""

    def _nested(self, found: Found, texts: Sequence[tuple[str, str]]) -> Found:
        steps = list(found.steps)
        for path, text in texts:
            inside = parse(text.split("\n"), self._page, self._file)
            steps += (of_file(replace(step, line=found.end), path) for step in inside)
        return Found(found.end, tuple(steps))

    def _end(self, at: int) -> int:
        """The line that closes the fence around a line."""
        below = range(at, len(self._lines))
        return next((here for here in below if self._closes(_FENCE.fullmatch(self._lines[here]))), len(self._lines))

    def _closes(self, match: re.Match[str] | None) -> bool:
        if match is None or self._fence is None:
            return False
        return match[2].startswith(self._fence[2]) and not match[3].strip()

    def _turned(self, match: re.Match[str], at: int) -> bool:
        """Opens or closes a fence; in an open one ticks with words are code."""
        if self._fence is None:
            self._fence = match
            self._fence_start, self._fence_end = at, self._end(at + 1)
            self._named = next(filter(_FILE_NAME.fullmatch, _INFO_WORD.split(match[3])), self._named)
            return True
        if self._closes(match):
            self._fence = None
            return True
        return False

    def _is_replacement(self, at: int) -> bool:
        """Whether a line of the file goes, by its sign, and the next one comes."""
        line, below = self._lines[at], self._lines[at + 1 : at + 2]
        text = line[1:].strip()
        goes = line.startswith("-") and bool(text) and text in self._page.bare
        return goes and any(text.startswith("+") for text in below)

    def _name(self, line: str) -> str:
        match = _PATH_TAG.fullmatch(line) or _NAMED.fullmatch(line)
        return match[1].strip() if match and line.strip() not in self._page.bare else ""

    def _is_frame(self, line: str) -> bool:
        """Whether a line in a fence is no code: a tag, the name of a file, a command around a patch, an output."""
        is_command = self._info in _SHELL and not self._file.endswith(_SCRIPTS)
        if is_command or (self._info in _OUTPUT and _has_code(self._file)):
            return True
        bare = line.strip()
        return bare not in self._page.bare and any(pattern.fullmatch(line) for pattern in (_LONE, _NAMED, _HEREDOC))


def _has_code(file: str) -> bool:
    """Whether a file holds other things than words."""
    return bool(PurePosixPath(file).suffix) and not file.endswith((".txt", ".log", ".md", ".rst", "*"))
