"""In: a file, and what an answer may make of it. Out: the same without what the answer replaces and does not show.

An answer shows the new import and not the old one that it stands for, the new test and not the two that it replaces.
Boosted trees on where such lines stand, on what is like them and on what is said tell them from those that are only not
shown. They are fitted on answers by `recipes/outdated.py`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.paraphrases import DOUBTED, joined, margin
from redraft.edit.merge.judge.remains import Remain
from redraft.edit.merge.judge.staying import Staying
from redraft.edit.text.lines import is_telling
from redraft.edit.trees import chance, read_trees
from redraft.edit.words import Known

_TREES = Path(__file__).with_name("outdated.json")
_GOES = 0.65  # the chance from which a stretch goes
_STEPS = 4  # stretches that go


def without_outdated(
    original: str, text: str, answer: Answer, asked: str, known: Known
) -> Iterator[tuple[str, float, float]]:
    """The likely texts, the likeliest first, each with what speaks against it, and how likely it is that something that
    it keeps is to go, or that something is to stay which went."""
    before, after = ([*each.removesuffix("\n").split("\n")] for each in (original, text))
    left, gone = after, list[float]()
    while True:
        stretch, its = _likeliest(Staying(before, left, answer, asked, known))
        if stretch is None or its < _GOES or len(gone) == _STEPS:
            break
        left = without(left, stretch)
        gone.append(its)
    if left == before:
        yield text, 0.0, max(gone, default=0.0)
        return
    yield joined(left, text), 0.0, max([its, *(1 - each for each in gone)])
    if gone:
        yield text, margin(min(gone), _GOES), max(gone)
    elif stretch is not None and its >= DOUBTED and (other := without(left, stretch)) != before:
        yield joined(other, text), margin(its, _GOES), 0.0


def _likeliest(seen: Staying) -> tuple[Remain | None, float]:
    """The stretch that is the likeliest to go, and how likely that is."""
    trees = read_trees(_TREES)
    found = [(each, chance(trees, its)) for each, its in seen.found()]
    return max(found, key=lambda each: each[1], default=(None, 0.0))


def without(after: Sequence[str], each: Remain) -> list[str]:
    """The lines without a stretch, and without blank lines on both sides of where it stood."""
    start, end = each.start, each.end
    if each.is_below and (end == len(after) or not is_telling(after[end])):
        start = each.beside + 1
    elif not each.is_below and (start == 0 or not after[start - 1].strip()):
        end = each.beside
    return [*after[:start], *after[end:]]
