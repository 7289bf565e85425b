"""In: the lines of a chat answer. Out: those without what its model thinks aloud, or those that stand in no fence."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})([^`]*)")
_THOUGHT = re.compile(r"\s*<(think(?:ing)?|thoughts?|reasoning|scratchpad|analysis|reflection)>.*", re.IGNORECASE)


def words_around(lines: Sequence[str]) -> list[str]:
    """The lines of an answer that stand in no fence."""
    found: list[str] = []
    opening: re.Match[str] | None = None
    for line in lines:
        if opening is not None:
            opening = None if _closes(line, opening) else opening
        elif (opening := _FENCE.fullmatch(line)) is None:
            found.append(line)
    return found


def _closes(line: str, opening: re.Match[str]) -> bool:
    match = _FENCE.fullmatch(line)
    return match is not None and match[2].startswith(opening[2]) and not match[3].strip()


def without_thoughts(lines: Sequence[str], file: Sequence[str] = ()) -> list[str]:
    """The lines without what a model thinks aloud in tags before it answers."""
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    match = _THOUGHT.fullmatch(lines[first]) if first < len(lines) else None
    close = f"</{match[1]}>" if match else ""
    end = next((at for at in range(first, len(lines)) if match and close in lines[at]), None)
    if end is None or any(line.strip() == lines[first].strip() for line in file):
        return list(lines)
    return [lines[end].partition(close)[2], *lines[end + 1 :]]
