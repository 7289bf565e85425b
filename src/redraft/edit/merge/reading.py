"""In: nothing. Out: `Candidate` and `Reading`, the values that a reading of an answer travels in."""

from collections.abc import Iterable

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.judge.paraphrases import Kept

MOST = 4  # candidates that are handed on
BEYOND = 2.0  # what a candidate may cost more than the best and still be weighed


class Candidate(Struct, frozen=True):
    """A text that an answer may mean; `cost` is what speaks against it.

    `choices` says how each block was read, `orders` what was done because sentences say so, `kept` how likely each of
    its changes is none, but the file paraphrased, `outdated` how likely something that stays is to go.
    """

    text: str
    cost: float
    choices: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    kept: Kept = Kept()
    outdated: float = 0.0


class Reading(Struct, frozen=True):
    """The candidates, best first; none where the answer has no place in the file, and `reason` says why."""

    answer: Answer
    candidates: tuple[Candidate, ...] = ()
    reason: str = ""

    @property
    def margin(self) -> float:
        """How much more speaks against the second candidate than against the first."""
        costs = [candidate.cost for candidate in self.candidates]
        return costs[1] - costs[0] if len(costs) > 1 else float("inf")


def cheapest(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with different texts, the cheapest first, without those that cost too much."""
    best: dict[str, Candidate] = {}
    for each in sorted(found, key=lambda each: each.cost):
        best.setdefault(each.text, each)
    kept = [each for each in best.values() if each.cost <= next(iter(best.values())).cost + BEYOND]
    return tuple(kept[:MOST])
