"""In: a file before and after, and what of it changed. Out: the lines that go and declare what stays without them."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.align.spelling import lead_of
from redraft.edit.merge.judge.signs import stretches
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_comment

_DECLARES = re.compile(r"\s*(?:local|var|let)\s+([A-Za-z_]\w*)\s*(?::\s*[\w.<>?\[\]| ]+)?;?\s*")
_DECLARED = r"\b(?:local|var|let|const|val|function|func|fun|class|for|def|fn|import)\b[^=]*"


def needed(before: Sequence[str], after: Sequence[str]) -> list[LineChange]:
    """The changes that lose nothing but declarations without a value, of names that lines below go on to set or use,
    and no line around declares."""
    return [each for each in stretches(before, after) if _is_needed(before, after, each)]


def _is_needed(before: Sequence[str], after: Sequence[str], change: LineChange) -> bool:
    if any(line.strip() for line in after[change.after_start : change.after_end]):
        return False
    gone = [_DECLARES.fullmatch(line) for line in before[change.start : change.end] if line.strip()]
    return bool(gone) and all(match and _is_used(match, after, change.after_start) for match in gone)


def _is_used(match: re.Match[str], after: Sequence[str], start: int) -> bool:
    """Whether lines that stand as deep as a declaration use its name, and none of them or around them declares it."""
    width, name = len(lead_of(match.string)), re.compile(rf"(?<![\w.$]){match[1]}\b(?!:)")
    end = next((at for at in range(start, len(after)) if after[at].strip() and len(lead_of(after[at])) < width), None)
    uses = [line for line in after[start:end] if name.search(line) and not is_comment(line)]
    around = (line for side in (after[:start][::-1], after[start:]) for line in _around(side, width))
    declares = re.compile(_DECLARED + name.pattern)
    return bool(uses) and not any(map(declares.search, (*uses, *around)))


def _around(lines: Sequence[str], width: int) -> Iterator[str]:
    """The lines, from a place on, that stand no deeper than any before."""
    for line in lines:
        if line.strip() and len(lead_of(line)) <= width:
            width = len(lead_of(line))
            yield line
