"""In: outcomes. Out: how many of the results that were about as sure as each other are right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from redraft.edit.guard.check import WRITTEN
from redraft.evals.outcome import Outcome
from redraft.evals.report.intervals import interval

# Most of what is written is said to be right in more than nine of ten cases: there the bins are narrow.
_BINS = {"to 0.5": 0.5, "to 0.8": 0.8, "to 0.9": 0.9, "to 0.95": 0.95, "to 0.97": 0.97, "to 0.99": 0.99, "to 1": 1.0}


@dataclass(frozen=True)
class Bin:
    """Results that are applied with a confidence up to a bound, and which of them are right, that is equal as trees."""

    name: str
    said: float
    hits: Sequence[bool]

    @property
    def share(self) -> float:
        return mean(self.hits)

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.hits)


def bins(outcomes: Iterable[Outcome]) -> list[Bin]:
    """Those that hold results, from unsure to sure; none for a system that does not say how sure it is."""
    found: dict[str, list[tuple[float, bool]]] = {name: [] for name in _BINS}
    for outcome in outcomes:
        if outcome.status in WRITTEN and outcome.confidence is not None:
            name = next((name for name, most in _BINS.items() if outcome.confidence <= most), "to 1")
            found[name].append((outcome.confidence, outcome.equal_as_trees))
    return [
        Bin(name, mean(said for said, _ in results), [right for _, right in results])
        for name, results in found.items()
        if results
    ]
