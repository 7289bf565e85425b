"""In: steps and a file. Out: whether nothing in the file tells afterwards that they are made."""

import re
from collections.abc import Sequence
from itertools import permutations

from fuzz.cases import Case
from fuzz.spelling import bare
from redraft.edit.exact.steps import Replacement, Step


def tells_nothing(step: Replacement, case: Case) -> bool:
    """Whether an edit made once looks as one that is not made: it has numbers alone, ends within a word or, with
    several new lines, begins or ends within a line, only takes lines that may stand there again, brings no words, or
    leaves the block that an anchor opens."""
    if set(step.new.split("\n")) <= set(step.old.split("\n")):
        return True
    old = re.escape(step.old.strip("\n"))
    is_cut = re.search(rf"(?<=\w)(?=\w){old}|{old}(?<=\w)(?=\w)", case.original)
    is_within = rf"{old}[^\n]*\S|\S[^\n]*{old}"
    is_cut = is_cut or ("\n" in step.new.rstrip("\n") and re.search(is_within, case.original))
    brought = {*map(str.strip, step.new.split("\n"))} - {*map(str.strip, step.old.split("\n"))}
    has_words = (step.old.strip() and step.old in step.new) or any(len(re.findall(r"\w", line)) > 2 for line in brought)
    return step.span is not None or bool(is_cut) or not has_words or (bool(step.scopes) and _is_shallower(step))


def _is_shallower(step: Replacement) -> bool:
    """Whether the new text begins less deep than the old one, and may leave the block that its anchor opens."""
    old, new = (len(text) - len(text.lstrip(" \t")) for text in (step.old, step.new))
    return new < old


def are_mixed(steps: Sequence[Step]) -> bool:
    """Whether the old text of a step lies in that of another, so that what one brings may part the other's, or one has
    a number and another none, so that what this brings moves it."""
    old = [bare(getattr(step, "old", "")) for step in steps]
    numbers = {getattr(step, "number", None) is None for step in steps}
    return len(numbers) > 1 or any(one and one in other for one, other in permutations(old, 2))
