"""In: a change. Out: law 9: what comes though the file has it there already."""

from redraft.edit.align.likeness import quoted
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import is_telling
from redraft.laws.change import Broken, Change, bare


def doubled(change: Change) -> Broken | None:
    """None where no lines come beside the same lines, unless the answer shows both."""
    for gap in change.gaps:
        if gap.start == gap.end and (beside := _same_beside(change, gap)) is not None:
            return Broken(
                "twice",
                f"line {beside + 1} of the new file, {quoted(change.after[beside])}, stands there already: the answer"
                " was applied before, or show both lines where both are meant",
            )
    return None


def _same_beside(change: Change, gap: LineChange) -> int | None:
    """The first telling line that comes, where the lines that come stand above or below them a second time."""
    come = [bare(line) for line in change.after[gap.after_start : gap.after_end] if line.strip()]
    first = next((at for at in range(gap.after_start, gap.after_end) if is_telling(change.after[at])), None)
    if first is None:
        return None
    above = [at for at in range(gap.after_start - 1, -1, -1) if change.after[at].strip()][: len(come)][::-1]
    below = [at for at in range(gap.after_end, len(change.after)) if change.after[at].strip()][: len(come)]
    for beside in (above, below):
        if [bare(change.after[at]) for at in beside] == come and not all(at in change.shown for at in beside):
            return first
    return None
