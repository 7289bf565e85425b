"""In: a change that a model wrote. Out: what it does not write of what the answer shows, and what it adds to it.

A model decides where lines go and which others they replace. What they say is the answer's.
"""

from functools import lru_cache

from redraft.edit.align.likeness import form, quoted, tokens
from redraft.edit.text.lines import bare
from redraft.laws.account import code_of, is_code
from redraft.laws.change import Broken, Change


def unwritten(change: Change) -> Broken | None:
    """None where each line of code that the answer shows is in the text, or has nothing that a line of it has not."""
    has = [tokens(line.strip()) for line in change.after]
    for number, block in enumerate(change.answer.blocks):
        for line in code_of(block, change.path) if is_code(change, number) else ():
            if not change.stands(line) and not any(tokens(line.strip()) <= each for each in has):
                return Broken("account", f"the answer shows {quoted(line)}, and the model did not write it")
    return None


def invented(change: Change) -> Broken | None:
    """None where each line that comes is one of the file or the answer, or stands in its words."""
    known = _known(change)
    said = bare("".join(block.prose for block in change.answer.blocks) + change.answer.after + change.said)
    for gap in change.gaps:
        for at in change.come(gap):
            line = change.after[at]
            if form(line) not in known and bare(line) not in said:
                return Broken("account", f"the model wrote {quoted(line)}, which neither file nor answer has")
    return None


@lru_cache(maxsize=16)
def _known(change: Change) -> frozenset[str]:
    shown = (line.text for block in change.answer.blocks for line in block.lines)
    return frozenset(map(form, (*change.before, *shown)))
