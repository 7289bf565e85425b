"""In: signs of texts that may be meant. Out: how likely each is to be right, as `recipes/trust.py` fits it."""

from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import Any, Literal

import msgspec

Kind = Literal["small", "large"]  # of the model that says what texts cost

_FITTED: dict[str, dict[str, dict[str, Any]]] = msgspec.json.decode(Path(__file__).with_name("trust.json").read_bytes())


def chances(kind: Kind, is_short: bool, offered: Sequence[Mapping[str, float]]) -> list[float]:
    """Of each text to be the right one, where "none" weighs the case that none of them is (a conditional logit)."""
    weights: dict[str, float] = _fitted(kind, is_short)["weights"]
    worths = [exp(sum(weights[name] * value for name, value in signs.items())) for signs in offered]
    total = exp(weights["none"]) + sum(worths)
    return [worth / total for worth in worths]


def is_trusted(kind: Kind, is_short: bool, chance: float) -> bool:
    """Whether so likely a text is written; in longer files models are right less often, so it has to be likelier."""
    return chance >= float(_fitted(kind, is_short)["least"])


def _fitted(kind: Kind, is_short: bool) -> dict[str, Any]:
    return _FITTED[kind]["short" if is_short else "longer"]
