"""In: signs of a text that a model chose or wrote. Out: how sure it is, by regressions that `recipes/trust.py` fits."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from redraft.regression import chance

Kind = Literal["chosen", "small", "large"]  # among what is listed, or written by a model of this size

_FITTED: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("trust.json").read_bytes())


def confidence(kind: Kind, signs: Mapping[str, float]) -> float:
    """The logistic function of the weighted signs."""
    return round(chance(_FITTED[kind]["weights"], signs), 4)


def is_trusted(kind: Kind, sure: float) -> bool:
    """Whether so sure a text is written."""
    return sure >= float(_FITTED[kind]["least"])
