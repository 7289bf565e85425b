"""In: a file, and what an answer may make of it. Out: the likely texts, by how likely each change is only retold.

Who shows a line for orientation writes it from memory: a word is lost, a superclass, a comment. Such a line is the
file's, where what is asked and said is about other lines of the answer. Boosted trees on what differs, what is spoken
of, where an answer shows it and what else changes tell such changes from edits. They are fitted on answers by
`recipes/retelling.py`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from redraft.edit.align.quotes import differ_in_quotes
from redraft.edit.answer.answer import Answer
from redraft.edit.merge.common.opened import left_open
from redraft.edit.merge.judge.needed import needed
from redraft.edit.merge.judge.only import beside
from redraft.edit.merge.judge.repeated import repeated
from redraft.edit.merge.judge.signs import Signs, signs
from redraft.edit.merge.judge.ways import DOUBTED, joined, margin
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import goes_on, is_comment, is_separated_otherwise, is_telling
from redraft.edit.trees import chance, read_trees
from redraft.edit.words import Known
from redraft.edit.words.hints import speaks_of

_TREES = Path(__file__).with_name("retelling.json")
_RETOLD = 0.55  # the chance from which a change is taken back
_RETOLD_UNSAID = 0.78  # where nobody says a word: tools write such sketches, and they retell little


class Kept(Struct, frozen=True):
    """How likely each change that a text keeps is only retold, and the signs of the likeliest one."""

    chances: tuple[float, ...] = ()
    signs: Signs = {}


def looked_over(
    original: str, text: str, answer: Answer, asked: str, known: Known
) -> Iterator[tuple[str, float, Kept]]:
    """The texts that are likely by what an answer may have retold, each with what speaks against it, and the changes
    that it keeps."""
    before, after = ([*each.removesuffix("\n").split("\n")] for each in (original, text))
    seen, trees = dict(signs(before, after, answer, asked, known)), read_trees(_TREES)
    found = {change: chance(trees, its) for change, its in seen.items()}
    said = speaks_of("separators", answer.prose)
    separated = (each for each in found if _is_separator(before, after, each))
    meant = [each for each in separated if said or _ends_there(before, each, found)]
    if speaks_of("line ends", answer.prose):
        meant += [each for each in found if _is_trimmed(before, after, each)]
    if speaks_of("quotes", f"{answer.prose}\n{asked}"):
        meant += [each for each in found if _is_quoted(before, after, each)]
    meant += [each for each, other in _in_comments(before, after, found) if found[other] < DOUBTED]
    found |= dict.fromkeys(meant, 0.0)
    tied = (*_moves(before, after, [*found]), *_goes_with(before, after, [*found]))
    found |= {each: min(found[each], found[other]) for each, other in tied}
    found |= {each: min(found[each], most) for each, most in _between(before, after, found)}
    found |= dict.fromkeys(beside(before, after, found, answer.prose) if len(answer.blocks) == 1 else (), 1.0)
    found |= dict.fromkeys(repeated(before, after, found), 1.0)
    least = _RETOLD if asked.strip() or answer.is_talk else _RETOLD_UNSAID
    opened = {each: left_open(after[each.after_start : each.after_end]) for each in found}
    for each, there in opened.items():
        there.subtract(left_open(before[each.start : each.end]))
    sure = _even([each for each in found if found[each] >= least], opened)
    doubted = [each for each in found if DOUBTED + least - _RETOLD <= found[each] < least]
    kept_lines = taken_back(before, after, sure)
    removed = {line.text.strip() for block in answer.blocks for line in block.lines if line.kind == "removed"}
    lost = needed(before, kept_lines)
    lost = [each for each in lost if removed.isdisjoint(line.strip() for line in before[each.start : each.end])]
    likely = joined(taken_back(before, kept_lines, lost), text)
    if likely == original:
        sure, likely = [], text
    kept, all_kept = (_kept({each: found[each] for each in found if each not in back}, seen) for back in (sure, ()))
    yield likely, 0.0, kept
    if sure:
        yield text, min(margin(found[each], least) for each in sure), all_kept
    for back in ([max(doubted, key=found.__getitem__)], doubted) if doubted else ():
        other = joined(taken_back(before, after, _even(sure + back, opened)), text)
        if other != original:
            yield other, max(margin(found[each], least) for each in back), Kept()


def _is_separator(before: Sequence[str], after: Sequence[str], change: LineChange) -> bool:
    """Whether a line gets another separator, and nothing else."""
    old, new = before[change.start : change.end], after[change.after_start : change.after_end]
    return len(old) == len(new) == 1 and is_separated_otherwise(old[0], new[0])


def _is_quoted(before: Sequence[str], after: Sequence[str], change: LineChange) -> bool:
    """Whether lines get other quotes, and nothing else."""
    old, new = before[change.start : change.end], after[change.after_start : change.after_end]
    return len(old) == len(new) and all(map(differ_in_quotes, old, new))


def _in_comments(
    before: Sequence[str], after: Sequence[str], found: Collection[LineChange]
) -> Iterator[tuple[LineChange, LineChange]]:
    """Each change of a comment's line with that of the line above or below it: a comment is seldom new by half."""
    for first, second in pairwise(sorted(found, key=lambda each: (each.start, each.after_start))):
        old = (*before[first.start : first.end][-1:], *before[second.start : second.end][:1])
        new = (*after[first.after_start : first.after_end][-1:], *after[second.after_start : second.after_end][:1])
        is_beside = first.end == second.start and first.after_end == second.after_start
        if is_beside and len(old) == len(new) == 2 and all(map(is_comment, (*old, *new))):
            yield first, second
            yield second, first


def _between(
    before: Sequence[str], after: Sequence[str], found: Mapping[LineChange, float]
) -> Iterator[tuple[LineChange, float]]:
    """Each change that takes out blank lines alone between two that change, with the greater chance of these."""
    ordered = sorted(found, key=lambda each: (each.start, each.after_start))
    for first, each, last in zip(ordered, ordered[1:], ordered[2:], strict=False):
        is_out = each.after_start == each.after_end and not any(map(str.strip, before[each.start : each.end]))
        touch = first.end == each.start and each.end == last.start
        news = (after[other.after_start : other.after_end] for other in (first, last))
        if is_out and touch and all(map(any, news)):
            yield each, max(found[first], found[last])


def _is_trimmed(before: Sequence[str], after: Sequence[str], change: LineChange) -> bool:
    """Whether lines lose spaces at their ends, and nothing else."""
    old, new = before[change.start : change.end], after[change.after_start : change.after_end]
    return [line.rstrip() for line in old] == [*new]


def _moves(
    before: Sequence[str], after: Sequence[str], found: Sequence[LineChange]
) -> Iterator[tuple[LineChange, LineChange]]:
    """Pairs of changes that move the same lines, which may stand deeper then: with one of them alone these stand there
    twice, or not at all."""
    gone = {_stripped(before[each.start : each.end]): each for each in found}
    for each in found:
        come = _stripped(after[each.after_start : each.after_end])
        other = gone.get(come)
        if other is not None and each.start == each.end and any(come):
            yield each, other
            yield other, each


def _goes_with(
    before: Sequence[str], after: Sequence[str], found: Sequence[LineChange]
) -> Iterator[tuple[LineChange, LineChange]]:
    """Each change that takes out what a line goes on with, deeper below, with the one that makes that line another."""
    for head, each in pairwise(sorted(found, key=lambda each: (each.start, each.after_start))):
        is_out = head.end == each.start < each.end and each.after_start == each.after_end
        is_other = head.start < head.end and head.after_start < head.after_end == each.after_start
        rest = before[each.start : each.end], before[head.end - 1]
        if is_out and is_other and goes_on(*rest, after[head.after_end - 1]):
            yield each, head


def _stripped(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str.strip, lines))


def _ends_there(before: Sequence[str], change: LineChange, others: Collection[LineChange]) -> bool:
    """Whether lines go right below a change."""
    below = (each for each in others if each.start == change.end and each.after_start == each.after_end)
    return any(map(is_telling, (line for each in below for line in before[each.start : each.end])))


def _even(back: list[LineChange], opened: Mapping[LineChange, Counter[str]]) -> list[LineChange]:
    """The changes to take back, without those that close what one that is kept opens, or open what one closes."""
    for kind in {kind for found in opened.values() for kind in found}:
        every, alone = (sum(opened[each][kind] for each in some) for some in (opened, back))
        if alone and not every:
            back = [each for each in back if not opened[each][kind]]
    return back


def _kept(found: Mapping[LineChange, float], seen: Mapping[LineChange, Signs]) -> Kept:
    likeliest = max(found, key=found.__getitem__, default=None)
    return Kept(tuple(found.values()), seen[likeliest] if likeliest is not None else {})


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
