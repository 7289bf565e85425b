"""In: a file before and after, an answer and its request. Out: the changes, and what tells whether each is meant."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log1p

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.common.differing import unbalances
from redraft.edit.merge.common.versions import versions
from redraft.edit.merge.common.written import written
from redraft.edit.merge.judge.telling import Telling
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling
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
    is_asked, said = float(bool(asked.strip())), f"{asked}\n{answer.prose}"
    return [
        (change, _signs(seen, at) | {"has request": is_asked, "said as it is": _said(seen.new(at), said)})
        for at, change in enumerate(found)
    ]


def _said(lines: Sequence[str], said: str) -> float:
    """The share of some lines that stand in the words as they are."""
    return share_of(lambda line: is_telling(line) and line.strip() in said, lines)


def _signs(seen: Telling, at: int) -> Signs:
    old, new = ([*map(str.strip, lines)] for lines in (seen.old(at), seen.new(at)))
    return seen.signs(at) | {
        "changes": float(len(seen.found)),
        "lines go": log1p(len(old)),
        "lines come": log1p(len(new)),
        "alike": seen.likeness(at),
        "new shown": share_of(seen.is_shown, new),
        "old shown": share_of(seen.is_shown, old),
        "old elsewhere": share_of(seen.is_kept, old),
        "repeated": float(seen.is_repeated(at)),
        "only values": float(seen.is_value(at)),
        "modifiers": float(seen.is_modified(at)),
        "names told": float(seen.is_named(at)),
        "imports": float(seen.is_import(at)),
        "continued": float(bool(old and new) and seen.is_continued(at)),
        "marked as added": share_of(seen.added.__contains__, new),
        "unbalanced": float(unbalances(seen.before, seen.after, seen.old(at), seen.new(at))),
        "shows all": min(1.0, seen.shown / max(1, len(written(seen.before)))),
    }


def share_of(holds: Callable[[str], bool], lines: Sequence[str]) -> float:
    """The share of lines of which something holds; 0 of none."""
    return sum(map(holds, lines)) / max(1, len(lines))


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
