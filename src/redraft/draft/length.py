"""In: what a forward costs on this device and how this edit's drafts fared. Out: how many ids to draft next."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class Policy(Protocol):
    """Chooses the length of each draft of one edit."""

    def length(self) -> int: ...

    def seen(self, drafted: int, accepted: int) -> None: ...


@dataclass(frozen=True)
class Fixed:
    """The same length each time."""

    tokens: int

    def length(self) -> int:
        return self.tokens

    def seen(self, drafted: int, accepted: int) -> None:
        """A fixed length learns nothing."""


VANILLA = Fixed(0)
WHOLE = Fixed(1 << 30)


@dataclass(frozen=True)
class Cost:
    """Seconds that a forward over k tokens takes: `fixed + per_token * max(k - free, 0)`.

    The first `free` tokens add nothing where reading the weights lasts longer than computing with them.
    """

    fixed: float
    per_token: float
    free: int = 0

    def of(self, tokens: int) -> float:
        return self.fixed + self.per_token * max(tokens - self.free, 0)


def fit(samples: Sequence[tuple[int, float]]) -> Cost:
    """The least-squares line through measured (tokens, seconds); neither term is negative."""
    mean_tokens = sum(tokens for tokens, _ in samples) / len(samples)
    mean_seconds = sum(seconds for _, seconds in samples) / len(samples)
    spread = sum((tokens - mean_tokens) ** 2 for tokens, _ in samples)
    slope = sum((tokens - mean_tokens) * (seconds - mean_seconds) for tokens, seconds in samples) / (spread or 1.0)
    per_token = min(max(slope, 0.0), mean_seconds / mean_tokens)
    return Cost(mean_seconds - per_token * mean_tokens, per_token)


class Fastest:
    """The length that maximises expected accepted tokens per second.

    The i-th drafted id is worth its time while its chance of being accepted is above `rate * cost.per_token`, where
    `rate` is the best long-run number of tokens per second: drafting it costs `per_token`, accepting it saves
    `1 / rate`. The chance is `first` for the first id, and each next one follows with `1 - hazard`. As many ids as
    cost nothing are always drafted.
    """

    # Before anything is seen: five guesses of six hold after a divergence, and a prediction errs once in 200 ids. Where
    # nothing is known to be repeated, a guess is as likely wrong as right, and one in eight of the ids after it errs.
    _FIRST, _FIRST_UNKNOWN = 5 / 6, 1 / 2
    _IDS_PER_ERROR, _IDS_PER_ERROR_UNKNOWN = 200, 8
    # Weight of the newest draft in `first`: runs of new text are recognised after three or four rejections.
    _RECENT = 0.4
    # What still counts of the past after each further rejection, of that of so many ids at least: an output changes
    # from copied to new text and back.
    _KEPT, _LEAST_KNOWN = 0.8, 8

    def __init__(self, cost: Cost, is_known: bool = True) -> None:
        """`is_known` says whether a text is known that the output repeats nearly everywhere."""
        self._cost = cost
        self._diverged = False
        self._first = self._FIRST if is_known else self._FIRST_UNKNOWN
        self._accepted = float(self._IDS_PER_ERROR if is_known else self._IDS_PER_ERROR_UNKNOWN)
        self._errors = 1.0

    def length(self) -> int:
        """At least 1, so that drafts that fared badly get another chance."""
        hazard = self._errors / (self._accepted + self._errors)
        first = self._first if self._diverged else 1 - hazard
        threshold = self._rate(hazard) * self._cost.per_token
        if threshold == 0:
            return WHOLE.tokens
        worth = 1 + math.floor(math.log(min(threshold / first, 1.0)) / math.log1p(-hazard))
        return max(1, worth, self._cost.free - 1)

    def seen(self, drafted: int, accepted: int) -> None:
        if drafted and self._diverged:
            self._first += self._RECENT * ((accepted > 0) - self._first)
        if drafted:
            is_error = accepted < drafted and (accepted > 0 or not self._diverged)
            known = self._accepted + self._errors
            kept = self._KEPT if accepted < drafted and known > self._LEAST_KNOWN else 1.0
            self._accepted, self._errors = kept * self._accepted + accepted, kept * self._errors + is_error
            self._diverged = accepted < drafted

    def _rate(self, hazard: float) -> float:
        """The most tokens per second that drafts of one length reach, over the lengths 1, 2, 4, ..."""

        def rate(tokens: int) -> float:
            emitted = 1 + self._first * (1 - (1 - hazard) ** tokens) / hazard
            return emitted / self._cost.of(tokens + 1)

        return max(rate(1 << power) for power in range(16))
