"""In: the lines of an answer without fences. Out: the edits that it shows as an agent's terminal does.

● Update(a.py)
      9   old line
     10 - line that goes
     10 + line that comes
"""

import re
from collections.abc import Sequence

from redraft.edit.formats.edit import Edit

_SHOWN = re.compile(r"\s*\d{1,6}(?:\s[ +-].*|\s*)")
_CHANGED = re.compile(r"\s*\d{1,6}\s[+-].*")
_LEAST = 3  # lines


def transcripts(lines: Sequence[str]) -> list[Edit]:
    """The runs of numbered lines of which some have a sign; the numbers stay in front."""
    found: list[Edit] = []
    at = 0
    while at < len(lines):
        end = next((here for here in range(at, len(lines)) if not _SHOWN.fullmatch(lines[here])), len(lines))
        if end - at >= _LEAST and any(map(_CHANGED.fullmatch, lines[at:end])):
            found.append(Edit(at, end, code=tuple(lines[at:end])))
        at = max(end, at + 1)
    return found
