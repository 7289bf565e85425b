"""In: a text before, after as it is, and after as it should be. Out: how alike the changes are, 0 to 100.

Source: chrF (Popovic 2015) of the changed lines alone, which Zed and cursortab call deltaChrF.
"""

from collections import Counter
from collections.abc import Sequence

from redraft.edit.text.changes import common

_ORDERS, _BETA = range(1, 7), 2.0


def delta_chrf(before: Sequence[str], after: Sequence[str], expected: Sequence[str]) -> float:
    """100 where both change the same, or both nothing."""
    return chrf(_changed(before, after), _changed(before, expected))


def chrf(text: str, reference: str) -> float:
    """The mean over the orders that either text has of the F-score, which weighs recall four times."""
    scores = [_f_score(_grams(text, n), _grams(reference, n)) for n in _ORDERS if max(len(text), len(reference)) >= n]
    return 100 * sum(scores) / len(scores) if scores else 100.0


def _changed(before: Sequence[str], after: Sequence[str]) -> str:
    head = common(before, after)
    tail = common(before[head:][::-1], after[head:][::-1])
    return "\n".join(after[head : len(after) - tail])


def _grams(text: str, n: int) -> Counter[str]:
    return Counter(text[at : at + n] for at in range(len(text) - n + 1))


def _f_score(found: Counter[str], wanted: Counter[str]) -> float:
    same = (found & wanted).total()
    if not same:
        return 0.0
    precision, recall = same / found.total(), same / wanted.total()
    return (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall)
