"""In: a change. Out: law 3 where words say that something comes beside what is there: the first line that would go."""

import re

from redraft.edit.align.likeness import quoted
from redraft.edit.sketch.spoken import puts_beside
from redraft.laws.change import Broken, Change

_WORD = re.compile(r"\w+")


def replaced(change: Change) -> Broken | None:
    """None where all words of each line that goes come again: a list becomes longer, a call gets one more argument."""
    for gap in change.gaps:
        blocks = {change.shown[at].block for at in range(gap.after_start, gap.after_end) if at in change.shown}
        if len(blocks) != 1 or not puts_beside(change.answer.blocks[next(iter(blocks))]):
            continue
        words = {word for line in change.after[gap.after_start : gap.after_end] for word in _WORD.findall(line)}
        at = next((at for at in change.lost(gap) if not words.issuperset(_WORD.findall(change.before[at]))), None)
        if at is not None:
            line = f"line {at + 1} of the file would go, {quoted(change.before[at])}"
            told = "the words say that something comes beside what is there"
            return Broken("added", f"{told}, and {line}: show it above or below what is new")
    return None
