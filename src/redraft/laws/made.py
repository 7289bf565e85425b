"""In: a change that a model wrote. Out: what it does not write of what the answer shows, and what it adds to it.

A model decides where lines go and which others they replace. What they say is the answer's.
"""

from collections.abc import Iterator

from redraft.edit.align.likeness import form, quoted, tokens
from redraft.edit.text.lines import bare, ratio_from
from redraft.laws.account import shown_code, written_blocks
from redraft.laws.change import Broken, Change

_ALIKE = 0.75  # of the letters of a line of the file that the answer may only paraphrase


def unwritten(change: Change) -> Broken | None:
    """None where each line of code that the answer shows is in the text, has nothing that a line of it has not, or may
    be a paraphrase of a line that stays; but for blocks of which the text has nothing."""
    return _first(line for line in _lacking(change) if not _is_paraphrased(line, change))


def passed_over(change: Change) -> Broken | None:
    """The same, where no line may be a paraphrase."""
    return _first(_lacking(change))


def _first(lines: Iterator[str]) -> Broken | None:
    said = (f"the answer shows {quoted(line)}, and the model did not write it" for line in lines)
    return next((Broken("account", each) for each in said), None)


def _lacking(change: Change) -> Iterator[str]:
    has = [*map(tokens, change.after)]
    for block in written_blocks(change):
        for line in shown_code(block, change.path):
            if not change.stands(line) and not any(map(tokens(line).issubset, has)):
                yield line


def _is_paraphrased(line: str, change: Change) -> bool:
    """Whether a line of the file is like it, and stays."""
    kept = {*map(str.strip, change.before)} & {*map(str.strip, change.after)}
    return any(ratio_from(_ALIKE, each, line.strip()) for each in kept)


def invented(change: Change) -> Broken | None:
    """None where each line that comes is one of the file or the answer, or stands in its words."""
    known = frozenset(map(form, (*change.before, *change.lines("code", "marker", "removed"))))
    said = bare("".join(change.prose) + change.said)
    for line in (change.after[at] for at in change.arrived):
        if form(line) not in known and bare(line) not in said:
            return Broken("account", f"the model wrote {quoted(line)}, which neither file nor answer has")
    return None
