"""In: how sure decisions were. Out: how many of those that were about as sure as each other are right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

from redraft.edit.guard.check import WRITTEN
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.intervals import interval

# Most of what is written is said to be right in more than nine of ten cases: there the bins are narrow.
_EDGES = (0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.97, 0.99, 1.0)


@dataclass(frozen=True)
class Scored:
    """A decision: the chance that it is right, as it was said, and whether it was."""

    chance: float
    right: bool
    tidy: bool | None = None


@dataclass(frozen=True)
class Bin:
    """Decisions with a confidence up to a bound, what was said in the mean, and which of them are right."""

    most: float
    said: float
    hits: Sequence[bool]

    @property
    def name(self) -> str:
        return f"to {self.most:g}"

    @property
    def share(self) -> float:
        return mean(self.hits)

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.hits)


def bins(found: Sequence[Scored]) -> list[Bin]:
    """Those that hold decisions, from unsure to sure."""
    groups = {high: [each for each in found if _is_in(each, low, high)] for low, high in pairwise(_EDGES)}
    return [
        Bin(high, mean(each.chance for each in group), [each.right for each in group])
        for high, group in groups.items()
        if group
    ]


def _is_in(each: Scored, low: float, high: float) -> bool:
    return low < each.chance <= high or each.chance == low == 0


def scored(outcomes: Iterable[Outcome]) -> list[Scored]:
    """What is written; right is equal as trees. Nothing of a system that does not say how sure it is."""
    return [
        Scored(outcome.confidence, outcome.equal_as_trees)
        for outcome in outcomes
        if outcome.status in WRITTEN and outcome.confidence is not None
    ]
