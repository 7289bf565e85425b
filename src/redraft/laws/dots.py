"""In: a change. Out: law 4 for dots within a line: the first that stand for what a line of the file says there."""

import re

from redraft.edit.align.likeness import quoted
from redraft.laws.change import Broken, Change

_DOTS = re.compile(r"(?<![\w.])(?:\.{3}|\u2026)(?![\w.(\[{$@'\"`])")  # no spread, no rest of arguments
_SHORTEST = 4  # signs in front of the dots that tell which line is meant


def abbreviated(change: Change) -> Broken | None:
    for gap in change.gaps:
        for at in change.come(gap):
            text = change.after[at].strip()
            if (line := _meant(text, change)) is not None:
                told = f"line {at + 1} of the new file would have dots, {quoted(text)}"
                return Broken("dots", f"{told}, for what line {line + 1} of the file says there: write it out")
    return None


def _meant(text: str, change: Change) -> int | None:
    """The line of the file that begins and ends as a text does around its dots."""
    for dots in _DOTS.finditer(text):
        before, behind = text[: dots.start()].rstrip(), text[dots.end() :].strip()
        if len(before) < _SHORTEST:
            continue
        for at, line in enumerate(change.before):
            old = line.strip()
            is_longer = len(old) > len(before) + len(behind) and not _DOTS.match(old[len(before) :].lstrip())
            if is_longer and old.startswith(before) and old.endswith(behind):
                return at
    return None
