"""In: what attention should prefer. Out: strengths, one a frequency, that score it so, by linear programming.

A score that depends on a difference d alone is a sum of a cos(w d) + b sin(w d): over rotary pairs d is how far back a
token is, over the codes of places it is how many lines later a line stands. The least total amplitude is the solution.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Kernel:
    """Cosine and sine coefficients in nats, one each a frequency."""

    cosine: Vector
    sine: Vector


class Preferences:
    """Collects linear conditions on the score of differences."""

    def __init__(self, frequencies: Sequence[float]) -> None:
        self.frequencies = np.asarray(frequencies)
        self._rows: list[Vector] = []
        self._bounds: list[Vector] = []

    def score(self, differences: Sequence[int]) -> Vector:
        """Shape (differences, 2 x frequencies): what the coefficients are multiplied by."""
        angles = np.outer(differences, self.frequencies)
        return np.hstack([np.cos(angles), np.sin(angles)])

    def at_least(self, rows: Vector, nats: float) -> None:
        """Each row of coefficients has to come to `nats` or more."""
        self._rows.append(-rows)
        self._bounds.append(np.full(len(rows), -nats))

    def solve(self) -> Kernel:
        """Raises ValueError when no coefficients meet all conditions."""
        rows, bounds = np.vstack(self._rows), np.concatenate(self._bounds)
        solution = linprog(np.ones(2 * rows.shape[1]), A_ub=np.hstack([rows, -rows]), b_ub=bounds, bounds=(0, None))
        if not solution.success:
            raise ValueError("no coefficients meet these preferences")
        coefficients = solution.x[: rows.shape[1]] - solution.x[rows.shape[1] :]
        return Kernel(*np.split(coefficients, 2))


def nearer(frequencies: Sequence[float], limit: int, slope: float, context: int) -> Kernel:
    """Of tokens up to `limit` back the nearer one, by `slope` nats a token; before those that are farther back."""
    wanted = Preferences(frequencies)
    near = wanted.score(range(limit + 2))
    wanted.at_least(near[:-1] - near[1:], slope)
    far = wanted.score([*range(limit + 8, 600), *range(600, 2000, 5), *range(2000, context, 25)])
    wanted.at_least(near[limit] - far, 6)
    return wanted.solve()


def not_before(frequencies: Sequence[float], nats: float, count: int) -> Kernel:
    """`nats` or more for lines that stand later or are the same, for which it is exact; minus that for earlier ones."""
    wanted = Preferences(frequencies)
    wanted.at_least(wanted.score(range(count)), nats)
    wanted.at_least(-wanted.score([0]), -nats)
    wanted.at_least(-wanted.score(range(-count, 0)), nats)
    return wanted.solve()


def first_after(frequencies: Sequence[float], first: float, slope: float, lines: int, gap: float, count: int) -> Kernel:
    """The same line by `first` nats; of later ones up to `lines` the nearer by `slope` nats a line.

    Before earlier lines, and those that are half as far again, all of these win by `gap` nats.
    """
    wanted = Preferences(frequencies)
    near = wanted.score(range(lines + 1))
    wanted.at_least(near[:1] - near[1:2], first)
    wanted.at_least(near[1:2] - near[:1], -1.4 * first)
    wanted.at_least(near[1:-1] - near[2:], slope)
    wanted.at_least(near[2:] - near[1:-1], -3 * slope)
    wanted.at_least(near[-1] - wanted.score(range(lines + lines // 2, count)), gap)
    wanted.at_least(near[-1] - wanted.score(range(-count, 0)), gap)
    return wanted.solve()
