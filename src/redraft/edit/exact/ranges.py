"""In: the lines of an answer at a command that edits by numbers. Out: the lines that it puts in their place.

edit 3:4
new lines
end_of_edit
"""

import re
from collections.abc import Sequence

from redraft.edit.exact.dots import text_of
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, Replacement, cut_off

_EDIT = re.compile(r"\s*edit (\d{1,6}):(\d{1,6})\s*(?:<<\s*'?end_of_edit'?)?\s*")
_ENDS = "end_of_edit"
_COMMAND = re.compile(r"(\d{1,6})(?:,(\d{1,6}))?([acd])(\d{1,6})(?:,(\d{1,6}))?\s*")


def edited(lines: Sequence[str], at: int, page: Page) -> Found | None:
    match = _EDIT.fullmatch(lines[at])
    if match is None or lines[at].strip() in page.bare:
        return None
    end = next((here for here in range(at, len(lines)) if lines[here].strip() == _ENDS), None)
    if end is None:
        raise cut_off("edit", at + 1, f"has no {_ENDS}")
    step = Replacement("", text_of(lines[at + 1 : end]), at + 1, span=(int(match[1]) - 1, int(match[2])))
    return Found(end + 1, (step,))


def numbered(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """A command of `diff` without options: `3,4c3`, with the lines below."""
    match = _COMMAND.fullmatch(lines[at])
    if match is None or lines[at].strip() in page.bare:
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    count_old = 0 if match[3] == "a" else last - first + 1
    count_new = 0 if match[3] == "d" else int(match[5] or match[4]) - int(match[4]) + 1
    if min(count_old, count_new) < 0:
        return None
    old, at_new = _side(lines, at + 1, count_old, "<"), at + 1 + count_old
    at_new += match[3] == "c" and at_new < len(lines) and lines[at_new].strip() == "---"
    new = _side(lines, at_new, count_new, ">")
    if old is None or new is None or count_old + count_new < 1:
        return None
    span = (first, first) if match[3] == "a" else None
    return Found(at_new + count_new, (Replacement(old, new, at + 1, span=span, number=first),))


def _side(lines: Sequence[str], at: int, count: int, sign: str) -> str | None:
    """The lines behind a sign, None where there are fewer."""
    shown = lines[at : at + count]
    right = len(shown) == count and all(line.startswith(sign) for line in shown)
    return text_of(line[1:].removeprefix(" ") for line in shown) if right else None
