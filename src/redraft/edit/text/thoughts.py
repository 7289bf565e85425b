"""In: the lines of a chat answer. Out: those without what its model thinks aloud before it answers."""

import re
from collections.abc import Sequence

_THOUGHT = re.compile(r"\s*<(think(?:ing)?|thoughts?|reasoning|scratchpad|analysis|reflection)>.*", re.IGNORECASE)


def without_thoughts(lines: Sequence[str], file: Sequence[str] = ()) -> list[str]:
    """The lines without what a model thinks aloud in tags before it answers."""
    first = next(filter(str.strip, lines), "")
    match = _THOUGHT.fullmatch(first)
    close = f"</{match[1]}>" if match else ""
    end = next((at for at, line in enumerate(lines) if close in line), None) if match else None
    if end is None or first.strip() in map(str.strip, file):
        return list(lines)
    return [lines[end].partition(close)[2], *lines[end + 1 :]]
