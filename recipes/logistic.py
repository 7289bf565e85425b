"""In: features by name, what was right, and groups. Out: a logistic regression with L2, cross-validated by group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

_STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
_FOLDS = 10
_STEPS = 50


@dataclass(frozen=True)
class Example:
    """One decision: what was seen, whether it was right, its repository, and how much it counts."""

    features: Mapping[str, float]
    right: bool
    group: str
    weight: float = 1.0


@dataclass(frozen=True)
class Fit:
    """Weights by name, "bias" among them; `strength` is that of the L2 penalty; `held` is what each example is given by
    a fit that has seen nothing of its group."""

    weights: Mapping[str, float]
    strength: float
    held: Sequence[float]


def names_of(examples: Sequence[Example]) -> list[str]:
    """What is seen of any of them."""
    return sorted({name for each in examples for name in each.features})


def values_of(examples: Sequence[Example], names: Sequence[str]) -> Any:
    """Shape (examples, names); 0 where a name is not seen."""
    return np.array([[each.features.get(name, 0.0) for name in names] for each in examples])


def folds_of(examples: Sequence[Example]) -> list[int]:
    """For each the part that it is held out in, the same for all of a group."""
    return [fold_of(each.group) for each in examples]


def fold_of(group: str) -> int:
    return crc32(group.encode()) % _FOLDS


def fit(examples: Sequence[Example]) -> Fit:
    """The regression with the penalty that does best on groups that were held out."""
    names = names_of(examples)
    values = values_of(examples, names)
    right = np.array([float(each.right) for each in examples])
    folds = np.array(folds_of(examples))
    counts = np.array([each.weight for each in examples])
    held = {strength: _held(values, right, counts, folds, strength) for strength in _STRENGTHS}
    best = min(held, key=lambda strength: _loss(held[strength], right, counts))
    weights = _newton(values, right, counts, best)
    named = {"bias": weights[0], **dict(zip(names, weights[1:], strict=True))}
    return Fit({name: round(float(weight), 4) for name, weight in named.items()}, best, held[best].tolist())


def _held(values: Any, right: Any, counts: Any, folds: Any, strength: float) -> Any:
    found = np.full(len(right), right.mean())
    for fold in np.unique(folds):
        inside = folds == fold
        if len(np.unique(right[~inside])) == 2:
            found[inside] = _chances(
                values[inside], _newton(values[~inside], right[~inside], counts[~inside], strength)
            )
    return found


def _chances(values: Any, weights: Any) -> Any:
    return 1 / (1 + np.exp(-(weights[0] + values @ weights[1:])))


def _loss(chances: Any, right: Any, counts: Any) -> float:
    sure = np.clip(np.where(right > 0, chances, 1 - chances), 1e-9, 1)
    return float(-(counts * np.log(sure)).sum() / counts.sum())


def _newton(values: Any, right: Any, counts: Any, strength: float) -> Any:
    """Weights on the values as they are; the penalty is on those of values of unit variance, and not on the bias."""
    middle, spread = values.mean(0), values.std(0)
    spread[spread == 0] = 1.0
    rows = np.c_[np.ones(len(values)), (values - middle) / spread]
    penalty = strength * np.eye(rows.shape[1])
    penalty[0, 0] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chances = 1 / (1 + np.exp(-rows @ weights))
        curvature = rows.T @ (rows * (counts * chances * (1 - chances))[:, None]) + penalty
        step = np.linalg.solve(curvature, rows.T @ (counts * (right - chances)) - penalty @ weights)
        weights += step
        if abs(step).max() < 1e-9:
            break
    plain = weights[1:] / spread
    return np.concatenate([[weights[0] - plain @ middle], plain])
