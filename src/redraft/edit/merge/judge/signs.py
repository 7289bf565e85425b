"""In: a file before and after, an answer and its request. Out: the changes, and what tells whether each is meant."""

from collections.abc import Sequence
from itertools import pairwise

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.telling import Telling
from redraft.edit.merge.lines.versions import versions
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.words import Known

Signs = dict[str, float]
_MOST = 60  # changes that are looked at one by one
LONGEST = 20_000  # lines of a file that is looked at


def signs(
    before: Sequence[str], after: Sequence[str], answer: Answer, asked: str, known: Known
) -> list[tuple[LineChange, Signs]]:
    """The changes in order, each with what tells of it; none where they are too many."""
    found = stretches(before, after)
    if not found or len(found) > _MOST or len(before) > LONGEST:
        return []
    seen = Telling(before, after, found, answer, asked, known)
    return [(change, seen.signs(at)) for at, change in enumerate(found)]


def stretches(before: Sequence[str], after: Sequence[str]) -> list[LineChange]:
    """The changes in order, each line that is a version of another apart."""
    found: list[LineChange] = []
    for each in line_changes(before, after, is_patient=True):
        old, new = before[each.start : each.end], after[each.after_start : each.after_end]
        for (a, b), (c, d) in pairwise([(-1, -1), *versions(old, new, or_alike=True), (len(old), len(new))]):
            start, top = each.start + a + 1, each.after_start + b + 1
            end, bottom = each.start + c, each.after_start + d
            found += [LineChange(start, end, top, bottom)] * (start < end or top < bottom)
            found += [LineChange(end, end + 1, bottom, bottom + 1)] * (c < len(old))
    return found
