"""In: an answer and a line of code. Out: the line of the answer at which it stands, None where that is not plain."""

import json
import re
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

_LINE = re.compile(r"( \()?\bline (\d+) of the answer(\)?)")


class Standing(Struct, frozen=True):
    """A line of an answer, from 1; `is_escaped`: it stands there within a text of JSON, with others maybe."""

    number: int
    is_escaped: bool = False


def standing(answer: Sequence[str], text: str, since: int | None = None) -> Standing | None:
    """The only line that is the text but for blanks and the sign of a diff; the first one from line `since` on."""
    bare = text.strip()
    if not bare:
        return None
    numbers = range(since or 1, len(answer) + 1)
    found = [*islice((at for at in numbers if _is(answer[at - 1], bare)), 2)]
    if found and (since is not None or len(found) == 1):
        return Standing(found[0])
    escaped = json.dumps(bare, ensure_ascii=False)[1:-1]
    held = (at for at, line in enumerate(answer, 1) if escaped in line and '"' in line.replace('\\"', ""))
    holding = [] if found else [*islice(held, 2)]
    return Standing(holding[0], True) if len(holding) == 1 else None


def renumbered(message: str, written: Sequence[str], read: Sequence[str]) -> str:
    """A message about the lines of an answer that was taken out of another, by the lines of that one."""

    def number(match: re.Match[str]) -> str:
        at = int(match[2])
        where = standing(written, read[at - 1]) if 0 < at <= len(read) else None
        return f"{match[1]}line {where.number} of the answer{match[3]}" if where else "" if match[1] else "the answer"

    return _LINE.sub(number, message)


def _is(line: str, bare: str) -> bool:
    if bare not in line:
        return False
    line = line.strip()
    return line == bare or (line[:1] in ("+", "-") and line[1:].strip() == bare)
