"""In: a file, and what an answer may make of it. Out: the likely texts, by how likely each change is only paraphrased.

Who shows a line for orientation writes it from memory: a word is lost, a superclass, a comment. Such a line is the
file's, where what is asked and said is about other lines of the answer. Boosted trees on what differs, what is spoken
of, where an answer shows it and what else changes tell such changes from edits. They are fitted on answers by
`recipes/paraphrases.py`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.signs import Signs, signs
from redraft.edit.merge.lines.insertion import Patch, patched
from redraft.edit.merge.lines.opened import newly_open
from redraft.edit.text.changes import LineChange
from redraft.edit.trees import chance, read_trees
from redraft.edit.words import Known

_TREES = Path(__file__).with_name("paraphrases.json")
DOUBTED = 0.2  # the chance from which both ways are likely
_LEAST, _STEEP = 0.1, 2.0  # what speaks against the other way at the least, and how it grows with the chance
_PARAPHRASED = 0.55  # the chance from which a change is taken back
_PARAPHRASED_ALONE = 0.78  # where nobody says a word: tools write such sketches, and they paraphrase little


class Kept(Struct, frozen=True):
    """How likely each change that a text keeps is only paraphrased, and how little differs in the likeliest one."""

    chances: tuple[float, ...] = ()
    alike: float = 0.0


def looked_over(
    original: str, text: str, answer: Answer, asked: str, known: Known
) -> Iterator[tuple[str, float, Kept]]:
    """The texts that are likely by what an answer may have paraphrased, each with what speaks against it, and the
    changes that it keeps."""
    before, after = ([*each.removesuffix("\n").split("\n")] for each in (original, text))
    seen = dict(signs(before, after, answer, asked, known))
    found = _chances(before, after, seen)
    opened = {
        each: newly_open(before[each.start : each.end], after[each.after_start : each.after_end]) for each in found
    }
    least = _PARAPHRASED if asked.strip() or answer.is_talk else _PARAPHRASED_ALONE
    sure = _even([each for each in found if found[each] >= least], opened)
    doubted = [each for each in found if DOUBTED + least - _PARAPHRASED <= found[each] < least]
    likely = joined(taken_back(before, after, sure), text)
    if likely == original:
        sure, likely = [], text
    yield likely, 0.0, _kept(found, seen, sure)
    if sure:
        yield text, min(margin(found[each], least) for each in sure), _kept(found, seen, ())
    for back in ([max(doubted, key=found.__getitem__)], doubted) if doubted else ():
        other = joined(taken_back(before, after, _even(sure + back, opened)), text)
        if other != original:
            yield other, max(margin(found[each], least) for each in back), Kept()


def _chances(before: Sequence[str], after: Sequence[str], seen: Mapping[LineChange, Signs]) -> dict[LineChange, float]:
    """How likely each change is only paraphrased; none of two that move lines is more so than the other."""
    trees = read_trees(_TREES)
    found = {change: chance(trees, its) for change, its in seen.items()}
    return found | {each: min(found[each], found[other]) for each, other in _moves(before, after, [*found])}


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


def _stripped(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(str.strip, lines))


def _even(back: list[LineChange], opened: Mapping[LineChange, Counter[str]]) -> list[LineChange]:
    """The changes to take back, without those that close what one that is kept opens, or open what one closes."""
    for kind in set[str]().union(*opened.values()):
        every, alone = (sum(opened[each][kind] for each in some) for some in (opened, back))
        if alone and not every:
            back = [each for each in back if not opened[each][kind]]
    return back


def _kept(found: Mapping[LineChange, float], seen: Mapping[LineChange, Signs], back: Collection[LineChange]) -> Kept:
    """The changes that a text keeps where some are taken back."""
    kept = [each for each in found if each not in back]
    likeliest = max(kept, key=found.__getitem__, default=None)
    return Kept(tuple(found[each] for each in kept), 0.0 if likeliest is None else seen[likeliest].get("alike", 0.0))


def taken_back(before: Sequence[str], after: Sequence[str], found: Sequence[LineChange]) -> tuple[str, ...]:
    """The new lines with those of the file in the place of some changes."""
    patches = (Patch(each.after_start, each.after_end, tuple(before[each.start : each.end])) for each in found)
    return patched(after, patches) or ()


def margin(chance: float, least: float) -> float:
    """What speaks against the other way, where the chance of one decides from `least` on."""
    return _LEAST + abs(chance - least) * _STEEP


def joined(lines: Sequence[str], like: str) -> str:
    """Lines as a text that ends as another does."""
    return "\n".join(lines) + "\n" * like.endswith("\n")
