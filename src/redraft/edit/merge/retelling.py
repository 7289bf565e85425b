"""In: a file, and what an answer may make of it. Out: how likely each small change is only retold, and no edit.

Who shows a line for orientation writes it from memory: a word is lost, a superclass, a comment. Such a line is the
file's, where what is asked and said is about other lines of the answer. A logistic regression on what differs, what is
spoken of and what else changes tells these lines from edits. Its weights are fitted on answers by
`recipes/retelling.py`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.differences import Differences
from redraft.edit.merge.differing import closes_otherwise, unbalances
from redraft.edit.merge.versions import versions
from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known

_RETOLD, _DOUBTED = 0.52, 0.25  # chances from which a change is taken back, and from which both ways are likely
_LEAST_MARGIN, _STEEP = 0.1, 2.0  # what speaks against the other way, and how it grows with the chance
_LEAST_ALIKE = 0.4  # share of the signs of a line that is a version of another
_MOST_RETOLD = 6  # written lines that may be retold in one place
_MOST_GONE = 3  # written lines that may be forgotten in one place
_MOST = 60  # stretches, above which nobody retells a line or two
_LONGEST = 3000  # lines of a file in which none is looked for
_MOSTLY = 0.8  # share of a file's lines that an answer shows which means all of it


def looked_over(
    original: str, text: str, update: str, answer: Answer, asked: str, known: Known
) -> Iterator[tuple[str, float, tuple[float, ...]]]:
    """The texts that are likely by what an answer may have retold, each with what speaks against it, and the chances
    that the small changes that it keeps are only retold."""
    before, after = ([*each.removesuffix("\n").split("\n")] for each in (original, text))
    found = chances(before, after, update, answer, asked, known)
    sure = [each for each in found if found[each] >= _RETOLD]
    doubted = [each for each in found if _DOUBTED <= found[each] < _RETOLD]
    likely, other = (_joined(taken_back(before, after, each), text) for each in (sure, sure + doubted))
    if likely == original:
        sure, likely = [], text
    kept, all_kept = (tuple(found[each] for each in found if each not in back) for back in (sure, ()))
    yield likely, 0.0, kept
    if sure:
        yield text, min(_margin(found[each]) for each in sure), all_kept
    if doubted and other != original:
        yield other, min(_margin(found[each]) for each in doubted), ()


def _joined(lines: Sequence[str], like: str) -> str:
    return "\n".join(lines) + "\n" * like.endswith("\n")


def _margin(found: float) -> float:
    """What speaks against the other way to take a change whose chance to be retold is so high."""
    return _LEAST_MARGIN + abs(found - _RETOLD) * _STEEP


def chances(
    before: Sequence[str], after: Sequence[str], update: str, answer: Answer, asked: str, known: Known
) -> dict[LineChange, float]:
    """For each small change of a file that may be retold, the chance that it is."""
    if not is_asked(before, answer, asked):
        return {}
    found = stretches(before, after)
    seen = Differences(before, after, found, answer, asked, known)
    return {found[at]: chance(seen.signs(at)) for at in retellable(seen, update)}


def is_asked(before: Sequence[str], answer: Answer, asked: str) -> bool:
    """Whether answer and request say what changes."""
    is_said = bool(answer.prose.strip() and asked.strip()) and not answer.is_faithful
    return is_said and len(before) <= _LONGEST


def retellable(seen: Differences, update: str) -> list[int]:
    """Which stretches nothing shows to be edits."""
    shown = {line.strip() for line in update.split("\n")}
    if not 2 <= len(seen.found) <= _MOST:
        return []
    if seen.shown >= _MOSTLY * sum(map(bool, map(str.strip, seen.before))) or not seen.speech.is_read:
        return []
    return [at for at in range(len(seen.found)) if _is_small(seen, at) and not _is_meant(seen, at, shown)]


def _is_small(seen: Differences, at: int) -> bool:
    """Whether a few lines have others in their place that are much like them, or none."""
    old, new = seen.old(at), seen.new(at)
    is_pair = 0 < len(old) <= _MOST_RETOLD and 0 < len(new) <= _MOST_RETOLD and seen.likeness(at) >= _LEAST_ALIKE
    return is_pair or (not new and 0 < len(old) <= _MOST_GONE and any(map(is_telling, old)))


def _is_meant(seen: Differences, at: int, shown: set[str]) -> bool:
    """Whether a stretch is an edit: a diff or an answer shows what was there before, the same changes elsewhere, it
    only counts or switches, it brings names in, words speak of its modifiers, it takes lines out beside another change,
    its line goes on in new ones, names that differ are quoted or used by other changes, or its brackets close other
    ones."""
    old, new = seen.old(at), seen.new(at)
    is_shown = all(line.strip() in shown for line in old) or any(line.strip() in seen.added for line in new)
    is_more = seen.is_repeated(at) or seen.is_value(at) or seen.is_import(at)
    is_more = (
        is_more or seen.is_modified(at) or seen.is_named(at) or (not new and seen.goes_on(at)) or seen.is_continued(at)
    )
    return is_shown or is_more or unbalances(seen.before, seen.after, old, new)


def stretches(before: Sequence[str], after: Sequence[str]) -> list[LineChange]:
    """The changes in order, each line that is a version of another apart."""
    found: list[LineChange] = []
    for each in line_changes(before, after, is_patient=True):
        old, new = before[each.start : each.end], after[each.after_start : each.after_end]
        for (a, b), (c, d) in pairwise([(-1, -1), *versions(old, new), (len(old), len(new))]):
            start, top = each.start + a + 1, each.after_start + b + 1
            end, bottom = each.start + c, each.after_start + d
            found += [LineChange(start, end, top, bottom)] * (start < end or top < bottom)
            found += [LineChange(end, end + 1, bottom, bottom + 1)] * (c < len(old))
    return found


def taken_back(before: Sequence[str], after: Sequence[str], found: Sequence[LineChange]) -> tuple[str, ...]:
    """The new lines with those of the file in the place of some changes."""
    return tuple(_with(before, after, found))


def _with(before: Sequence[str], after: Sequence[str], found: Sequence[LineChange]) -> Iterator[str]:
    at = 0
    for each in sorted(found, key=lambda each: (each.after_start, each.after_end)):
        yield from after[at : each.after_start]
        yield from before[each.start : each.end]
        at = each.after_end
    yield from after[at:]


def chance(signs: Mapping[str, float]) -> float:
    weights = _weights()
    total = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in signs.items())
    return 1 / (1 + exp(-total))


@cache
def _weights() -> Mapping[str, float]:
    found: dict[str, float] = json.loads(Path(__file__).with_name("retelling.json").read_text("utf-8"))
    return found
