"""In: a reading of an answer, and a model's ranking of its candidates if any. Out: which text is taken, if any.

How sure a decision is comes from answers that were really written: boosted trees on what the reading says of itself,
and a logistic regression where a model ranks. `redraft eval calibrate` fits both and writes them to confidence.json.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from math import exp
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.seen.seen import seen as seen_of
from redraft.edit.trees import chance

WEIGHTS: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("confidence.json").read_bytes())
SURE: float = WEIGHTS["thresholds"]["sure"]  # confidence from which hardly anything is wrong
_EQUAL = 0.05  # a margin of costs between readings that are equally good
_CLEAR = 0.3  # costs that speak for no other reading
_FAR = 20.0  # a difference of log-probabilities that is as good as any greater one

Kind = Literal["merge", "ranked"]


class Weighed(Struct, frozen=True, dict=True):
    """A candidate, what looks at it, and what a model gives it: its log-probability in nats, less a number that all
    candidates share."""

    candidate: Candidate
    log_probability: float | None = None
    look: Callable[[Candidate], Mapping[str, float]] = lambda _: {}

    @cached_property
    def seen(self) -> Mapping[str, float]:
        """What is seen of it, made when it is asked for: only the first candidate's decides."""
        return self.look(self.candidate)


class Decision(Struct, frozen=True):
    """The text that is taken, None where none is; `message` says why then.

    `seen` is what the confidence comes from, `is_sure` whether that is enough to write the text.
    """

    text: str | None
    confidence: float
    is_sure: bool = False
    weighed: tuple[Weighed, ...] = ()
    message: str = ""
    seen: Mapping[str, float] = field(default_factory=dict)


def by_reading(original: str, reading: Reading, instruction: str = "") -> Decision:
    """The likeliest candidate by what speaks against each."""
    look = partial(seen_of, original, reading, instruction=instruction)
    weighed = tuple(Weighed(each, None, look) for each in reading.candidates)
    if not weighed:
        return Decision(None, 0.0, message=reading.reason)
    confidence = min(round(chance(WEIGHTS["merge"], weighed[0].seen), 4), 1 / _equals(weighed))
    return _decision("merge", weighed, confidence, weighed[0].seen)


def by_ranking(original: str, reading: Reading, log_probabilities: Sequence[float], instruction: str = "") -> Decision:
    """The candidate that reading and model together find the likeliest."""
    costs = [candidate.cost for candidate in reading.candidates]
    found = joint(costs, log_probabilities, WEIGHTS["ranked"]["nats a cost"])
    order = sorted(range(len(found)), key=lambda at: -found[at])
    weighed = tuple(Weighed(reading.candidates[at], log_probabilities[at]) for at in order)
    seen = seen_of(original, reading, weighed[0].candidate, instruction) | ranked(found)
    return _decision("ranked", weighed, probability(WEIGHTS["ranked"], seen), seen)


def likeliest(original: str, update: str, path: str = "") -> str | None:
    """The file as the deterministic reader has it, whose lines end in newlines alone; None where it is not sure."""
    decision = by_reading(original, read(original, update, path))
    return decision.text if decision.is_sure else None


def joint(costs: Sequence[float], log_probabilities: Sequence[float], nats_a_cost: float) -> list[float]:
    """Nats that speak for each candidate: the model's, less what the reader has against it."""
    pairs = zip(costs, log_probabilities, strict=True)
    return [log_probability - nats_a_cost * cost for cost, log_probability in pairs]


def ranked(found: Sequence[float]) -> dict[str, float]:
    """What joint nats of candidates, in the reader's order, tell of the best of them."""
    best, *others = sorted(found, reverse=True)
    return {
        "nats": min(_FAR, best - others[0]) if others else _FAR,
        "overruled": float(found[0] < best),
    }


def _decision(kind: Kind, weighed: tuple[Weighed, ...], confidence: float, seen: Mapping[str, float]) -> Decision:
    is_sure = confidence >= WEIGHTS["thresholds"]["bare" if seen["bare"] else kind] and _has_place(seen)
    is_sure = is_sure or _is_there(seen)
    return Decision(weighed[0].candidate.text, confidence, is_sure, weighed, "", seen)


def _equals(weighed: Sequence[Weighed]) -> int:
    """How many candidates are as good as the first: each of them is as likely."""
    costs = [each.candidate.cost for each in weighed]
    return sum(abs(cost - costs[0]) < _EQUAL for cost in costs)


def _has_place(seen: Mapping[str, float]) -> bool:
    """Whether there are words, lines of the file, or old versions that can tell where an answer belongs."""
    return not seen["bare"] or bool(seen["known"]) or bool(seen["gone"])


def _is_there(seen: Mapping[str, float]) -> bool:
    """Whether the file has all that an answer shows: nobody writes such answers, but people apply one twice."""
    is_clear = seen["cost"] <= _CLEAR and seen["margin"] >= 1
    return bool(seen["nothing"]) and is_clear and not seen["missing"]


def probability(weights: Mapping[str, float], seen: Mapping[str, float]) -> float:
    """The chance that a decision is right, by a logistic regression."""
    total = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in seen.items())
    return round(1 / (1 + exp(-total)), 4)
