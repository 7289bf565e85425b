"""In: a model's answer in hunks. Out: the hunks line by line, and where their headers say that they stand."""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

from msgspec import Struct, field

from redraft.edit.answer.block import Line
from redraft.edit.formats.conflicts import DIVIDER, END, START, dedented
from redraft.edit.text.changes import difference
from redraft.errors import RedraftError

_HEADER = re.compile(r"(\s*)@@(?:\s*-(\d+)(?:,(\d+))?\s+\+\d+(?:,\d+)?\s*@@|(?=\s|$|\.\.|…))(.*)")
_DOTS = re.compile(r"^(?:\.{2,}|…)\s*|\s*(?:\.{2,}|…)$")
_FENCE = re.compile(r"(\s*)(`{3,}+|~{3,}+)([^`]*)")
_ENVELOPE = re.compile(r"diff --git .*|\*\*\* (?:Begin Patch|End Patch|End of File|Update File: .*)\s*")
_NOWHERE = "/dev/null"
_STARTS = re.compile(rf"{_HEADER.pattern}|{START.pattern}|{_ENVELOPE.pattern}|(?:```|~~~)\W*(?:diff|patch)\b.*")
_BULLET = re.compile(r"[-+*] \S.*")
_LONGEST_HINT = 200
_DIFF_WORDS = ("diff", "patch", "udiff")


class Hunk(Struct, frozen=True, dict=True):
    """Lines of context, lines that go and lines that come.

    The header may say where: `start` counts the file's lines before the hunk, `hint` is some text above or in it.
    """

    lines: tuple[Line, ...]
    start: int | None = None
    hint: str = ""

    @cached_property
    def old(self) -> tuple[Line, ...]:
        """What is looked up: context and the lines that go."""
        return tuple(line for line in self.lines if not line.added)

    @cached_property
    def new(self) -> tuple[str, ...]:
        """What stands there afterwards: context and the lines that come."""
        return tuple(line.text for line in self.lines if line.kind != "removed")

    @cached_property
    def counts_above_new(self) -> frozenset[int]:
        """How many of the lines that are looked up stand above each new line."""
        counts = accumulate((not line.added for line in self.lines), initial=0)
        return frozenset(count for line, count in zip(self.lines, counts, strict=False) if line.added)

    @property
    def changes(self) -> bool:
        return any(line.added or line.kind == "removed" for line in self.lines)


class _Piece(Struct):
    """Lines under a header, or below a fence or at the top of the answer, where a header may be left out."""

    indent: int
    header: re.Match[str] | None = None
    in_diff: bool = False
    fenced: bool = False
    lines: list[str] = field(default_factory=list)


def parse(answer: str) -> list[Hunk]:
    """The hunks of an answer, whatever stands around them; raises RedraftError where there are none."""
    if hunks := _Reader(_lines(answer)).read():
        return hunks
    raise RedraftError("the answer has no hunk: no line begins with @@, and there is no SEARCH/REPLACE block")


def _lines(answer: str) -> list[str]:
    """A carriage return is the answer's own where every line has one, else it belongs to the file's line."""
    is_dos = answer.count("\n") == answer.count("\r\n")
    return (answer.replace("\r\n", "\n") if is_dos else answer).removesuffix("\n").split("\n")


class _Reader:
    """Goes through an answer once and cuts it into pieces; outside of a piece there is prose."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._goes_on = _goes_on(lines)
        self._hunks: list[Hunk] = []
        self._fence: re.Match[str] | None = None
        self._piece: _Piece | None = _Piece(0)

    def read(self) -> list[Hunk]:
        at = 0
        while at < len(self._lines):
            at = self._read(at)
        self._end()
        return self._hunks

    def _read(self, at: int) -> int:
        """Takes what begins at a line; returns the line to go on with."""
        line = self._lines[at]
        if (search := START.fullmatch(line)) and self._is_margin(search[1]):
            self._end()
            hunk, end = _block(self._lines, at, len(search[1]))
            self._hunks.append(hunk)
            return end
        if (header := _HEADER.fullmatch(line)) and self._is_margin(header[1]):
            self._end(_Piece(len(header[1]), header, fenced=self._fence is not None))
        elif (fence := _FENCE.fullmatch(line)) and self._is_fence(fence, at):
            self._turn(fence)
        elif _ENVELOPE.fullmatch(line):
            self._end(self._headless(0, True) if line.startswith("*** Update") else None)
        elif self._piece and self._is_file_header(at, self._piece):
            self._end(self._headless(self._piece.indent, self._piece.in_diff))
            return at + 2
        elif self._piece:
            self._piece.lines.append(line)
        return at + 1

    def _end(self, following: _Piece | None = None) -> None:
        if self._piece and (hunk := _hunk(self._piece)):
            self._hunks.append(hunk)
        self._piece = following

    def _headless(self, indent: int, in_diff: bool) -> _Piece:
        return _Piece(indent, None, in_diff, self._fence is not None)

    def _is_margin(self, lead: str) -> bool:
        """Whether a line begins where headers do, and not in a hunk's text."""
        if self._piece and self._piece.header:
            return len(lead) == self._piece.indent
        return len(lead) <= (len(self._fence[1]) if self._fence else 0)

    def _is_fence(self, found: re.Match[str], at: int) -> bool:
        """Whether a fence is the answer's own, and not of the file with the space in front dropped."""
        if self._fence is None:
            in_hunk = self._piece is not None and self._piece.header is not None
            return not in_hunk or (not found[1] and (_is_diff(found) or not self._goes_on[at]))
        closes = found[2].startswith(self._fence[2]) and not found[3].strip() and len(found[1]) <= len(self._fence[1])
        return closes and not self._goes_on[at]

    def _turn(self, fence: re.Match[str]) -> None:
        if self._fence is not None or (self._piece and self._piece.header and not fence[3].strip()):
            self._end()
            self._fence = None
            return
        self._fence = fence
        self._end(self._headless(len(fence[1]), _is_diff(fence)))

    def _is_file_header(self, at: int, piece: _Piece) -> bool:
        """`--- a/x` and `+++ b/x` above a header, or first of all."""
        old, new = (line[piece.indent :] for line in [*self._lines[at : at + 2], ""][:2])
        if not old.startswith("--- ") or not new.startswith("+++ "):
            return False
        if not piece.header and not any(map(str.strip, piece.lines)):
            return True
        is_above = any(map(_HEADER.fullmatch, self._lines[at + 2 : at + 3]))
        names = {line[4:].partition("\t")[0].strip().removeprefix(side) for line, side in ((old, "a/"), (new, "b/"))}
        return is_above and (len(names) == 1 or _NOWHERE in names)


def _goes_on(lines: Sequence[str]) -> list[bool]:
    """Whether lines come or go below a line and above the next hunk: what ends there would lose them."""
    found: list[bool] = []
    goes_on = False
    for line in reversed(lines):
        found.append(goes_on)
        is_change = line.startswith(("+", "-")) and line.strip("-+") != "" and not _BULLET.fullmatch(line)
        goes_on = (goes_on or is_change) and (line[:1].isspace() or not _STARTS.fullmatch(line))
    return found[::-1]


def _is_diff(fence: re.Match[str]) -> bool:
    return fence[3].strip().lower() in _DIFF_WORDS


def _block(lines: Sequence[str], start: int, indent: int) -> tuple[Hunk, int]:
    """A SEARCH/REPLACE block and the line after it; what both sides share is context."""
    end = next((at for at in range(start + 1, len(lines)) if END.fullmatch(lines[at])), None)
    where = f"the SEARCH/REPLACE block at line {start + 1} of the answer"
    if end is None or any(map(START.fullmatch, lines[start + 1 : end])):
        raise RedraftError(f"{where} has no end")
    dividers = [at for at in range(start + 1, end) if DIVIDER.fullmatch(lines[at])]
    exact = [at for at in dividers if lines[at].strip() == "=" * lines[start].count(lines[start][indent])]
    dividers = exact or dividers
    if len(dividers) != 1:
        raise RedraftError(f"{where} has {len(dividers)} lines ======= where one parts it")
    old = [dedented(line, indent) for line in lines[start + 1 : dividers[0]]]
    new = [dedented(line, indent) for line in lines[dividers[0] + 1 : end]]
    return Hunk(tuple(_line(sign + text) for sign, text in difference(old, new))), end + 1


def _hunk(piece: _Piece) -> Hunk | None:
    """None for prose."""
    lines = [dedented(line, piece.indent) for line in piece.lines]
    if not piece.header and not _is_headless(lines, piece.in_diff):
        return None
    if not piece.fenced:
        lines = _without_prose(lines)
    written = [at for at, line in enumerate(lines) if line]
    inner = lines[written[0] : written[-1] + 1] if written else []
    shown = tuple(_line(line) for line in inner if not line.startswith("\\ No newline"))
    return Hunk(shown, *_place(piece.header, all(line.added for line in shown))) if piece.header else Hunk(shown)


def _is_headless(lines: Sequence[str], in_diff: bool) -> bool:
    """Whether lines without a header are a hunk: they are in a diff, or all have a column and are no list of prose."""
    written = [line for line in lines if line.strip()]
    if in_diff:
        return any(line.startswith(("+", "-")) for line in written)
    has_columns = all(line.startswith(("+", "-", " ")) for line in written)
    return has_columns and any(line[0] == "+" for line in written) and not all(map(_BULLET.fullmatch, written))


def _without_prose(lines: list[str]) -> list[str]:
    """Without a fence, a paragraph below the last change is prose."""
    last = max((at for at, line in enumerate(lines) if line.startswith(("+", "-"))), default=-1)
    for at in range(last + 1, len(lines) - 1):
        if not lines[at] and lines[at + 1] and not lines[at + 1].startswith(" "):
            return lines[:at]
    return lines


def _line(line: str) -> Line:
    if line.startswith("-"):
        return Line(line[1:], "removed")
    return Line(line[1:], "code", added=True) if line.startswith("+") else Line(line.removeprefix(" "), "code")


def start_in(header: str, lines: Sequence[Line]) -> int | None:
    """How many lines of the file stand before the lines of a hunk, as its header says."""
    found = _HEADER.fullmatch(header)
    return _place(found, all(line.added for line in lines))[0] if found else None


def _place(header: re.Match[str], adds_only: bool) -> tuple[int | None, str]:
    """The lines before a hunk and the hint; a hunk of + lines alone has a number only where it says that it is one."""
    inside, _, behind = header[4].partition("@@")
    hint = _without_dots(inside) or _without_dots(behind)
    if header[2] is None:
        return None, hint
    number, is_empty = int(header[2][:9]), header[3] is not None and not header[3].strip("0")
    if adds_only != is_empty:
        return None, hint
    return number if is_empty else number - 1 if number else None, hint


def _without_dots(hint: str) -> str:
    return _DOTS.sub("", hint[:_LONGEST_HINT].strip())
