"""In: an answer and a line of code. Out: the line of the answer at which it stands, None where that is not plain."""

import json
from collections.abc import Sequence

from msgspec import Struct


class Standing(Struct, frozen=True):
    """A line of an answer, from 1; `is_escaped`: it stands there within a text of JSON, with others maybe."""

    number: int
    is_escaped: bool = False


def standing(answer: Sequence[str], text: str, since: int | None = None) -> Standing | None:
    """The only line that is the text but for blanks and the sign of a diff; the first one from line `since` on."""
    bare = text.strip()
    if not bare:
        return None
    found = [at for at, line in enumerate(answer, 1) if _is(line, bare) and at >= (since or 1)]
    if found and (since is not None or len(found) == 1):
        return Standing(found[0])
    escaped = json.dumps(bare, ensure_ascii=False)[1:-1]
    held = [at for at, line in enumerate(answer, 1) if escaped in line and '"' in line.replace('\\"', "")]
    return Standing(held[0], True) if not found and len(held) == 1 else None


def _is(line: str, bare: str) -> bool:
    line = line.strip()
    return line == bare or (line[:1] in ("+", "-") and line[1:].strip() == bare)
