"""In: a reading of an answer. Out: which text is taken, if any.

How sure that is comes from answers that were really written: boosted trees on what the reading says of itself, which
`recipes/calibrate.py` fits and writes to confidence.json.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from redraft.edit.features.features import features as features_of
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.trees import chance

WEIGHTS: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("confidence.json").read_bytes())
SURE: float = WEIGHTS["thresholds"]["sure"]  # confidence from which hardly anything is wrong
_EQUAL = 0.05  # a margin of costs between readings that are equally good
_CLEAR = 0.3  # costs that speak for no other reading


class Weighed(Struct, frozen=True, dict=True):
    """A candidate, what looks at it, and the log-probability in nats that a model gives it, less a number that all
    candidates share."""

    candidate: Candidate
    log_probability: float | None = None
    look: Callable[[Candidate], Mapping[str, float]] = lambda _: {}

    @cached_property
    def features(self) -> Mapping[str, float]:
        """What is seen of it, made when it is asked for: only the first candidate's decides."""
        return self.look(self.candidate)


class Decision(Struct, frozen=True):
    """The text that is taken, None where none is; `message` says why then.

    `features` is what the confidence comes from, `is_sure` whether that is enough to write the text.
    """

    text: str | None
    confidence: float
    is_sure: bool = False
    weighed: tuple[Weighed, ...] = ()
    message: str = ""
    features: Mapping[str, float] = field(default_factory=dict)


def by_reading(original: str, reading: Reading, instruction: str = "") -> Decision:
    """The likeliest candidate by what speaks against each."""
    look = partial(features_of, original, reading, instruction=instruction)
    weighed = tuple(Weighed(each, None, look) for each in reading.candidates)
    if not weighed:
        return Decision(None, 0.0, message=reading.reason)
    confidence = min(round(chance(WEIGHTS["merge"], weighed[0].features), 4), 1 / _equals(weighed))
    return _decision(weighed, confidence, weighed[0].features)


def likeliest(original: str, update: str, path: str = "") -> str | None:
    """The file as the deterministic reader has it, whose lines end in newlines alone; None where it is not sure."""
    decision = by_reading(original, read(original, update, path))
    return decision.text if decision.is_sure else None


def _decision(weighed: tuple[Weighed, ...], confidence: float, features: Mapping[str, float]) -> Decision:
    is_sure = confidence >= WEIGHTS["thresholds"]["bare" if features["bare"] else "merge"] and _has_place(features)
    is_sure = is_sure or _is_there(features)
    return Decision(weighed[0].candidate.text, confidence, is_sure, weighed, "", features)


def _equals(weighed: Sequence[Weighed]) -> int:
    """How many candidates are as good as the first: each of them is as likely."""
    costs = [each.candidate.cost for each in weighed]
    return sum(abs(cost - costs[0]) < _EQUAL for cost in costs)


def _has_place(features: Mapping[str, float]) -> bool:
    """Whether there are words, lines of the file, or old versions that can tell where an answer belongs."""
    return not features["bare"] or bool(features["known"]) or bool(features["gone"])


def _is_there(features: Mapping[str, float]) -> bool:
    """Whether the file has all that an answer shows: nobody writes such answers, but people apply one twice."""
    is_clear = features["cost"] <= _CLEAR and features["margin"] >= 1
    return bool(features["nothing"]) and is_clear and not features["missing"]
