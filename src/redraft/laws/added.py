"""In: a change. Out: where words say that something comes beside what is there, the first line that would go."""

import re

from redraft.edit.align.likeness import quoted
from redraft.edit.sketch.spoken import puts_beside
from redraft.edit.text.changes import LineChange
from redraft.laws.change import Broken, Change, likeness
from redraft.laws.licence import only_adds

_ALIKE = 0.5
_WORD = re.compile(r"\w+")


def replaced(change: Change) -> Broken | None:
    """None where all words of each line that goes come again: a list becomes longer, a call gets one more argument."""
    for gap in change.gaps:
        number = change.block_of(gap)
        least = 0 if number is None else _least(change, number)
        words = {*_WORD.findall("\n".join(change.came(gap)))}
        gone = [at for at in change.lost(gap) if not words.issuperset(_WORD.findall(change.before[at]))]
        if least and (len(gone) >= least or any(_is_unlike(change, gap, at) for at in gone)):
            line = f"line {gone[0] + 1} of the file would go, {quoted(change.before[gone[0]])}"
            message = "the words say that something comes beside what is there"
            return Broken("added", f"{message}, and {line}: show it above or below what is new")
    return None


def _is_unlike(change: Change, gap: LineChange, at: int) -> bool:
    """Whether no line that comes may be the version of one that goes."""
    return all(likeness(change.before[at], change.after[new]) < _ALIKE for new in change.come(gap))


def _least(change: Change, number: int) -> int:
    """How many lines a block would replace that words bring in: one beside its like, two anywhere; 0 for others."""
    if puts_beside(change.answer.blocks[number]):
        return 1
    return 2 if only_adds(change, number) else 0
