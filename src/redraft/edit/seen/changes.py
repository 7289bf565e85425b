"""In: a file, an answer, and a candidate. Out: what tells of each change whether it is meant, and of all together."""

from collections.abc import Sequence
from math import log1p

from redraft.edit.merge.read import Candidate, Reading
from redraft.edit.merge.signs import Signs, signs
from redraft.edit.seen.edit import most

_SURE = 0.99


def of_changes(original: str, reading: Reading, taken: Candidate, asked: str) -> list[Signs]:
    """The signs of each change, in order; none where they are too many."""
    before, after = (text.removesuffix("\n").split("\n") for text in (original, taken.text))
    return [its for _, its in signs(before, after, reading.answer, asked, reading.known)]


def doubts(chances: Sequence[float]) -> dict[str, float]:
    """Features of a whole edit, by the chances that its changes are not meant."""
    return {
        "change doubted": max(chances, default=0.0),
        "changes doubted": most(sum(chances)),
        "changes doubted together": -sum(log1p(-min(chance, _SURE)) for chance in chances),
    }
