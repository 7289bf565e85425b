"""In: a change. Out: the first comment that is left out where all code around it stays."""

import re

from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment
from redraft.laws.change import Broken, Change
from redraft.laws.words import is_told

_SPOKEN = re.compile(r"(?i)\b(?:comment|todo|fixme|note|docstring|header|obsolete|dead code|clean)")
_PROSE = ("markdown", "rst")  # where the signs of comments are others


def uncommented(change: Change) -> Broken | None:
    """None where code goes with it, where a comment comes, where it is all that goes, and where words speak of it."""
    if not change.new.language or change.new.language in _PROSE or _SPOKEN.search(change.answer.prose + change.said):
        return None
    of_code = [gap for gap in change.gaps if change.come(gap) or len(_comments(change, gap)) < len(change.lost(gap))]
    for gap in change.gaps:
        gone, others = _comments(change, gap), [each for each in of_code if each != gap]
        if not gone or any(is_comment(change.after[at]) for at in change.come(gap)):
            continue
        code = {bare(line) for line in change.before[gap.start : gap.end] if line.strip() and not is_comment(line)}
        stays = {bare(line) for line in change.after[gap.after_start : gap.after_end]}
        if code <= stays and (code or others) and not _goes(change, gap, gone[0]):
            line = f"line {gone[0] + 1} of the file, {quoted(change.before[gone[0]])}"
            return Broken("comment", f"{line}, would go, and no words say so: show it with a '-' in a diff if it goes")
    return None


def _comments(change: Change, gap: LineChange) -> list[int]:
    return [at for at in change.lost(gap) if is_comment(change.before[at])]


def _goes(change: Change, gap: LineChange, at: int) -> bool:
    """Whether words or a diff say that a line goes."""
    return is_told(change, gap, at) or bare(change.before[at]) in change.removed
