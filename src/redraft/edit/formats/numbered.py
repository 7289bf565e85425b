"""In: the lines of an answer. Out: the edits that it writes as `diff` without options does, by numbers of lines.

9a10,11
> new lines
12c14
< old line
---
> new line
"""

import re
from collections.abc import Sequence

from redraft.edit.formats.edit import Edit, Pair

_COMMAND = re.compile(r"(\d{1,6})(?:,(\d{1,6}))?([acd])(\d{1,6})(?:,(\d{1,6}))?\s*")


def numbered(lines: Sequence[str]) -> list[Edit]:
    """A run of commands is one edit; none where the lines below one are not as many as it says."""
    found: list[Edit] = []
    at = 0
    while at < len(lines):
        start, pairs = at, []
        while at < len(lines) and (read := _command(lines, at)) is not None:
            at, pair = read
            pairs.append(pair)
        if pairs:
            found.append(Edit(start, at, tuple(pairs)))
        at += not pairs
    return found


def _command(lines: Sequence[str], at: int) -> tuple[int, Pair] | None:
    match = _COMMAND.fullmatch(lines[at])
    if match is None:
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    count_old = 0 if match[3] == "a" else last - first + 1
    count_new = 0 if match[3] == "d" else int(match[5] or match[4]) - int(match[4]) + 1
    if min(count_old, count_new) < 0:
        return None
    old = _side(lines, at + 1, count_old, "<")
    at += 1 + count_old
    if match[3] == "c":
        at += at < len(lines) and lines[at].strip() == "---"
    new = _side(lines, at, count_new, ">")
    if old is None or new is None or count_old + count_new < 1:
        return None
    return at + count_new, Pair(old, new, first if match[3] == "a" else first - 1)


def _side(lines: Sequence[str], at: int, count: int, sign: str) -> tuple[str, ...] | None:
    """The lines behind a sign, None where there are fewer."""
    shown = lines[at : at + count]
    right = len(shown) == count and all(line.startswith(sign) for line in shown)
    return tuple(line[1:].removeprefix(" ") for line in shown) if right else None
