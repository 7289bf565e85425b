"""In: a reading of an answer, and a model's ranking of its candidates if any. Out: which text is taken, if any.

How sure a decision is comes from answers that were really written: a logistic regression on what the reading says of
itself, whose weights `redraft eval calibrate` fits and writes to confidence.json.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

from redraft.edit.merge.read import Candidate, Reading

WEIGHTS: dict[str, dict[str, float]] = json.loads(Path(__file__).with_name("confidence.json").read_text("utf-8"))
SURE = WEIGHTS["thresholds"]["sure"]  # confidence from which no model is asked
LEAST = WEIGHTS["thresholds"]["least"]  # confidence below which nothing is written
_FAR = 3.0  # a margin of costs that is as good as any greater one
_NATS = 20.0  # the same for log-probabilities


@dataclass(frozen=True)
class Weighed:
    """A candidate and what a model gives it: its log-probability in nats, less a number that all candidates share."""

    candidate: Candidate
    log_probability: float | None = None


@dataclass(frozen=True)
class Decision:
    """The text that is taken, None where none is; `message` says why then."""

    text: str | None
    confidence: float
    weighed: tuple[Weighed, ...] = ()
    message: str = ""


def by_reading(reading: Reading) -> Decision:
    """The likeliest candidate by what speaks against each."""
    weighed = tuple(Weighed(candidate) for candidate in reading.candidates)
    if not weighed:
        return Decision(None, 0.0, (), reading.reason)
    return Decision(weighed[0].candidate.text, probability("merge", features(reading)), weighed)


def by_ranking(reading: Reading, log_probabilities: Sequence[float]) -> Decision:
    """The candidate that reading and model together find the likeliest."""
    pairs = zip(reading.candidates, log_probabilities, strict=True)
    weighed = sorted((Weighed(*pair) for pair in pairs), key=_joint, reverse=True)
    best = weighed[0]
    seen = features(reading) | {
        "nats": min(_NATS, _joint(best) - _joint(weighed[1])) if len(weighed) > 1 else _NATS,
        "overruled": float(best.candidate is not reading.candidates[0]),
    }
    return Decision(best.candidate.text, probability("ranked", seen), tuple(weighed))


def _joint(weighed: Weighed) -> float:
    """Nats that speak for a candidate: the model's, and the reading's costs in nats."""
    assert weighed.log_probability is not None
    return weighed.log_probability - WEIGHTS["ranked"]["nats a cost"] * weighed.candidate.cost


def features(reading: Reading) -> dict[str, float]:
    """What a reading says of itself."""
    best = reading.candidates[0]
    return {
        "cost": min(best.cost, _FAR),
        "margin": min(reading.margin, _FAR),
        "candidates": float(len(reading.candidates)),
        "blocks": min(5.0, float(len(reading.answer.blocks))),
        "diff": float(any("hunks" in choice for choice in best.choices)),
        "lines": float(any(choice.startswith("lines") for choice in best.choices)),
        "told": float(any(choice.startswith(("as told", "in ", "left out")) for choice in best.choices)),
        "orders": float(bool(best.orders)),
    }


def probability(kind: str, seen: Mapping[str, float]) -> float:
    """The chance that a decision is right."""
    weights = WEIGHTS[kind]
    total = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in seen.items())
    return round(1 / (1 + exp(-total)), 4)


def doubt(reading: Reading) -> str:
    """Where the two likeliest candidates differ, in words for people."""
    if len(reading.candidates) < 2:
        return "the answer leaves open what it changes: show more of the lines around the change"
    first, second = (candidate.text.split("\n") for candidate in reading.candidates[:2])
    at = next((n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0)
    lines = [text[at].strip() if at < len(text) else "" for text in (first, second)]
    return (
        f"the answer can be read in several ways: line {at + 1} of the new file could be {lines[0]!r} or {lines[1]!r}; "
        "show more of the lines around the change"
    )
