"""In: a change that a model wrote. Out: what it does not write of what the answer shows, and what it adds to it.

A model decides where lines go and which others they replace. What they say is the answer's.
"""

from redraft.edit.align.likeness import form, quoted, tokens
from redraft.edit.text.lines import bare
from redraft.laws.account import shown_code, written_blocks
from redraft.laws.change import Broken, Change


def unwritten(change: Change) -> Broken | None:
    """None where each line of code that the answer shows is in the text, or has nothing that a line of it has not, but
    for blocks of which the text has nothing."""
    has = [*map(tokens, change.after)]
    for block in written_blocks(change):
        for line in shown_code(block, change.path):
            if not change.stands(line) and not any(map(tokens(line).issubset, has)):
                return Broken("account", f"the answer shows {quoted(line)}, and the model did not write it")
    return None


def invented(change: Change) -> Broken | None:
    """None where each line that comes is one of the file or the answer, or stands in its words."""
    known = frozenset(map(form, (*change.before, *change.lines("code", "marker", "removed"))))
    said = bare("".join(change.prose) + change.said)
    for line in (change.after[at] for at in change.arrived):
        if form(line) not in known and bare(line) not in said:
            return Broken("account", f"the model wrote {quoted(line)}, which neither file nor answer has")
    return None
