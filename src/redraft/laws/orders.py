"""In: a change. Out: law 5 for words: the first thing of which they say that it goes, and that stays."""

import re
from collections.abc import Iterator

from redraft.edit.align.likeness import quoted
from redraft.laws.change import Broken, Change
from redraft.laws.words import sayings_of

_QUOTED = re.compile(r"`([^`\n]+)`")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n(?!\s*(?:[-*+]|\d+[.)])\s)")
_GOES = re.compile(
    r"\b(?:remov(?:e|ed|es|ing)|delet(?:e|ed|es|ing)|drop(?:s|ped)?"
    r"|gone|goes(?: away)?|can go|got rid of|get rid of)\b",
    re.IGNORECASE,
)
_STAYS = re.compile(
    r"\b(?:not|never|n't|keep|kept|stays?|remains?|if|unless|instead|would|could|might)\b", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"\b(?:from|in|into|of|to|at|by|with|inside|after|before|between|for|on|above|below|than|like)\W+(?:\w+\W+){0,2}$"
)


def unfollowed(change: Change) -> Broken | None:
    before, after = "\n".join(change.before), "\n".join(change.after)
    for name in _going(change):
        if before.count(name) and after.count(name) >= before.count(name):
            at = next((at for at, line in enumerate(change.before) if name in line), 0)
            told = f"the words say that {quoted(name)} goes, and line {at + 1} of the file, where it stands, stays"
            return Broken("orders", f"{told}: show it with a '-' in a diff")
    return None


def _going(change: Change) -> Iterator[str]:
    """What the words say that goes: as they are read, and what they quote beside a word of removal."""
    for saying in sayings_of(change):
        if saying.verb == "remove":
            yield from saying.names
    for part in (*(block.prose for block in change.answer.blocks), change.answer.after):
        for sentence in _SENTENCE.split(part):
            if _GOES.search(sentence) and not _STAYS.search(sentence):
                quotes = _QUOTED.finditer(sentence)
                yield from (each[1] for each in quotes if not _ELSEWHERE.search(sentence[: each.start()]))
