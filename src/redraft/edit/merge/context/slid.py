"""In: changes of a file. Out: those that take out or put in a construct, each with that construct and no other line."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from redraft.edit.merge.context.asides import kept_beside
from redraft.edit.merge.context.unsaid import heads_of
from redraft.edit.text.changes import LineChange

_SLID = 3  # lines by which a change may as well begin and end lower
_CLOSER = re.compile(r"\s*(?:end\b|[)}\]])")


def joined(before: Sequence[str], after: Sequence[str], changes: Sequence[LineChange]) -> list[LineChange]:
    """The changes; as one those around a blank line by which a construct that comes beside comments is torn apart."""
    found: list[LineChange] = []
    for change in changes:
        above = found[-1] if found else change
        whole = LineChange(above.start, change.end, above.after_start, change.after_end)
        old, new = before[whole.start : whole.end], after[whole.after_start : whole.after_end]
        is_torn = bool(found) and not any(line.strip() for line in before[above.end : change.start])
        is_torn = is_torn and change.after_start < change.after_end and kept_beside(old, new) is not None
        found = [*found[:-1], whole] if is_torn else [*found, change]
    return found


def slid(before: Sequence[str], changes: Sequence[LineChange]) -> Iterator[LineChange]:
    """The changes, those in two that take out a construct but for its last line, and the last line of the one above."""
    for change, below in zip_longest(changes, changes[1:]):
        start, end, at = change.start, change.end, change.after_end
        limit = (below.start if below else len(before)) - end
        while start < end and not before[start].strip():
            start += 1
        found = (n for n in range(1, min(limit, end - start, _SLID) + 1) if _is_whole(before, start, end, n))
        if (n := next(found, 0)) == 0:
            yield change
        else:
            yield LineChange(change.start, start, change.after_start, at)
            yield LineChange(start + n, end + n, at + n, at + n)


def _is_whole(before: Sequence[str], start: int, end: int, by: int) -> bool:
    """Whether lines that are gone may just as well be a construct that begins and ends so many lines below."""
    is_same = before[start : start + by] == before[end : end + by]
    return is_same and _CLOSER.match(before[start]) is not None and bool(heads_of(before[start + by : end + by]))
