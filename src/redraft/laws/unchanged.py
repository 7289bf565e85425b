"""In: an answer that seems to change nothing. Out: what it shows or orders all the same."""

import re
from itertools import chain

from redraft.edit.align.likeness import quoted
from redraft.laws.change import Broken, Change, code_of, spelling

_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_MOVES = re.compile(
    r"\b(?:remov|delet|drop(?:s|ped|ping)?\b|strip|mov(?:e|es|ed|ing)\b|reorder|swap|get rid|got rid"
    r"|leave[sd]?\b|only\b|tak(?:e|es|en|ing)\b.{0,40}\bout\b|nothing (?:more|else)|no longer"
    r"|just (?:be|read|say)|(?:un|not |never |n't )used|(?:must|should|can|ha(?:s|ve) to|needs? to) go\b)",
    re.IGNORECASE,
)


def undone(change: Change) -> Broken | None:
    """A line that the file has not, or words of something that goes or moves: what was done already was done before."""
    for line in chain(*map(code_of, change.answer.blocks)):
        if spelling(line) not in change.had_spelled:
            return Broken("unchanged", f"{quoted(line.strip())} is not in the file: show the lines around it")
    for sentence in chain(*map(_SENTENCE.split, (*change.prose, *change.lines("marker", "removed")))):
        if _MOVES.search(sentence):
            message = f"{quoted(sentence.strip())} is said, and the answer shows only what the file has"
            return Broken("unchanged", f"{message}: show what goes with a '-' in a diff")
    return None
