"""In: a change. Out: the first comment that is left out where all code around it stays."""

import re

from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_comment
from redraft.laws.change import Broken, Change
from redraft.laws.words import is_stated

_SPOKEN = re.compile(r"(?i)\b(?:comment|todo|fixme|note|docstring|header|obsolete|dead code|clean)")
_PROSE = ("", "markdown", "rst")  # where the signs of comments are others


def uncommented(change: Change) -> Broken | None:
    """None where code goes with it, where a comment comes, where it is all that goes, and where words speak of it."""
    if change.new.language in _PROSE or _SPOKEN.search(change.words):
        return None
    of_code = [gap for gap in change.gaps if change.come(gap) or len(_comments(change, gap)) < len(change.lost(gap))]
    for gap in change.gaps:
        gone = _gone_alone(change, gap)
        has_code = _code(change, gap) or change.come(gap) or any(each != gap for each in of_code)
        if not gone or not has_code or bare(change.before[gone[0]]) in change.removed:
            continue
        if not is_stated(change, gap, gone[0]):
            why = "and no words say so: show it with a '-' in a diff if it goes"
            return Broken("comment", f"{change.old_line(gone[0])}, would go, {why}")
    return None


def _gone_alone(change: Change, gap: LineChange) -> list[int]:
    """The comments that go, where none comes and all code stays."""
    has_others = any(is_comment(change.after[at]) for at in change.come(gap))
    return _comments(change, gap) if not has_others and _code(change, gap).issubset(map(bare, change.came(gap))) else []


def _code(change: Change, gap: LineChange) -> set[str]:
    return {bare(line) for line in change.went(gap) if line.strip() and not is_comment(line)}


def _comments(change: Change, gap: LineChange) -> list[int]:
    return [at for at in change.lost(gap) if is_comment(change.before[at])]
