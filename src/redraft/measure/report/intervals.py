"""In: which cases came out right. Out: 95% intervals of their share, and of the difference of two systems' shares."""

from collections.abc import Sequence
from typing import Any

from redraft.measure.accuracy.share import Share

_RESAMPLES = 2000
_SEED = 0
_LEVELS = (0.025, 0.975)


def interval(hits: Sequence[bool]) -> tuple[float, float]:
    """Percentile bootstrap (Efron 1979) of the share of hits, by resampling the cases; the same for the same hits.

    With all or none of the cases hit every resample is alike and the bootstrap says nothing: there it is Wilson's
    interval. Without cases it is (0, 1).
    """
    right, count = sum(hits), len(hits)
    if right in (0, count):
        low, high = Share(right, count).interval
        return (low, 1.0) if right else (0.0, high)
    # Hits among so many cases drawn with replacement are distributed binomially.
    return _percentiles(_random().binomial(count, right / count, _RESAMPLES) / count)


def difference(one: Sequence[bool], other: Sequence[bool]) -> tuple[float, float]:
    """Percentile bootstrap of the share of `one` less that of `other`; raises ValueError for unequal lengths.

    Cases are resampled with both answers. Where each case gives the same difference, it is as far from that as Wilson's
    interval of all of so many is from 1. Without cases it is (-1, 1).
    """
    found = [int(a) - int(b) for a, b in zip(one, other, strict=True)]
    counts, count = [found.count(value) for value in (-1, 0, 1)], len(found)
    if count in counts:
        reach = 1 - Share(count, count).interval[0]
        middle = found[0] if found else 0
        return max(-1.0, middle - reach), min(1.0, middle + reach)
    losses, _, wins = _random().multinomial(count, [number / count for number in counts], _RESAMPLES).T
    return _percentiles((wins - losses) / count)


def _random() -> Any:
    import numpy as np

    return np.random.default_rng(_SEED)


def _percentiles(values: Any) -> tuple[float, float]:
    import numpy as np

    low, high = np.quantile(values, _LEVELS)
    return float(low), float(high)
