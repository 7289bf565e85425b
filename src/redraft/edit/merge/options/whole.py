"""In: the lines of a block and a file. Out: whether the block is the whole new file."""

from collections import Counter
from collections.abc import Sequence

from redraft.edit.outline import Outline

_HEADS = ("import", "package", "namespace")  # what stands at the top of whole files
# Shares of the lines of a file, or of its declarations, that a whole file has at least.
_LINES, _LINES_IF_SAID, _LINES_AT_LEAST, _DECLARED = 0.6, 0.3, 0.5, 0.8


def is_whole(lines: Sequence[str], file: Outline, shown: Outline, said: bool) -> bool:
    """Whether lines begin, end or declare as the file does; `said`: the answer says that they are all of it."""
    old = [line.strip() for line in file.lines if line.strip()]
    new = [line.strip() for line in lines if line.strip()]
    if not old:
        return True
    same = (Counter(old) & Counter(new)).total()
    ends = (new[0] == _first(file.lines)) + (new[-1] == _first(file.lines[::-1]))
    is_headed = bool(shown.top()) and shown.nodes[shown.top()[0]].kind in _HEADS
    least = min(len(old), len(new)) if is_headed else len(old)
    if (said and same >= _LINES_IF_SAID * len(old)) or (ends == 2 and same >= _LINES * least):
        return True
    names, there = ({each.nodes[at].name for at in each.top()} for each in (file, shown))
    covers = len(names & there) >= _DECLARED * len(names) and same >= _LINES_AT_LEAST * len(old)
    return covers and ends >= 1 and len(names) > 1


def _first(lines: Sequence[str]) -> str:
    return next((line.strip() for line in lines if line.strip()), "")
