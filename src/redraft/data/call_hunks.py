"""In: a real edit. Out: one of its hunks as a call would show it: lines around it that tell its place, old and new."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from redraft.edit.exact.page import Page, unspaced
from redraft.edit.text.changes import LineChange, line_changes, split_lines

_MOST = 24  # lines of a call's old text
_CONTEXT = 3
Signed = tuple[str, str]


@dataclass(frozen=True)
class Hunk:
    """Lines `start:end` of a file, each with the sign that a diff gives it, new ones among them."""

    lines: tuple[str, ...]
    start: int
    end: int
    signed: tuple[Signed, ...]

    @property
    def old(self) -> list[str]:
        return [text for sign, text in self.signed if sign != "+"]

    @property
    def new(self) -> list[str]:
        return [text for sign, text in self.signed if sign != "-"]

    @property
    def expected(self) -> str:
        """The file with the hunk made."""
        return _text([*self.lines[: self.start], *self.new, *self.lines[self.end :]])


def hunks(before: str, after: str, rng: Random) -> list[Hunk]:
    """All hunks of an edit that are small and whose old text, blanks aside, stands once in the file."""
    lines, new, page = split_lines(before), split_lines(after), Page.of(before)
    found = [_shown(lines, new, change, page, rng) for change in line_changes(lines, new)]
    return [hunk for hunk in found if hunk is not None]


def _shown(lines: Sequence[str], new: Sequence[str], change: LineChange, page: Page, rng: Random) -> Hunk | None:
    above, below = rng.randint(1, _CONTEXT), rng.randint(1, _CONTEXT)
    start, end = max(change.start - above, 0), min(change.end + below, len(lines))
    while not is_once(lines[start:end], page):
        if (start == 0 and end == len(lines)) or end - start > _MOST:
            return None
        start, end = max(start - 1, 0), min(end + 1, len(lines))
    if end - start > _MOST or change.after_end - change.after_start > _MOST:
        return None
    signed = (
        *((" ", text) for text in lines[start : change.start]),
        *(("-", text) for text in lines[change.start : change.end]),
        *(("+", text) for text in new[change.after_start : change.after_end]),
        *((" ", text) for text in lines[change.end : end]),
    )
    return Hunk(tuple(lines), start, end, signed)


def is_once(texts: Sequence[str], page: Page) -> bool:
    """Whether lines stand once in a page, also where their blanks are not looked at."""
    return bool(texts and texts[0].strip() and texts[-1].strip()) and len([*page.runs(texts, unspaced)]) == 1


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
