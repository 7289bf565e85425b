"""In: fitted weights, and signs by name; a chance. Out: how likely is what they were fitted for; its log-odds."""

from collections.abc import Mapping
from math import exp, log

_EDGE = 0.001


def chance(weights: Mapping[str, float], signs: Mapping[str, float]) -> float:
    """The logistic function of the weighted signs and the weight "bias"; a sign that is not given is 0."""
    total = sum(weight * (1.0 if name == "bias" else signs.get(name, 0.0)) for name, weight in weights.items())
    return 1 / (1 + exp(-total))


def log_odds(share: float) -> float:
    """At most those of a chance of 0.999, and at least those of 0.001."""
    held = min(max(share, _EDGE), 1 - _EDGE)
    return log(held / (1 - held))
