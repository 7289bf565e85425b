"""In: how many of so many. Out: `Share`: the same with its interval."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

_Z = 1.96  # of a normal distribution, for 95%


@dataclass(frozen=True)
class Share:
    """How many of so many were right, with a 95% interval (Wilson 1927)."""

    right: int
    count: int

    @staticmethod
    def of(hits: Iterable[bool]) -> "Share":
        found = list(hits)
        return Share(sum(found), len(found))

    @property
    def interval(self) -> tuple[float, float]:
        if not self.count:
            return 0.0, 1.0
        rate, n = self.right / self.count, self.count
        middle = (rate + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z * sqrt(rate * (1 - rate) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.right} of {self.count} ({100 * low:.1f}-{100 * high:.1f}%)"
