"""In: the logits after each fed id. Out: the model's own next token at each position, likeliest or drawn."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy

from redraft.draft.loop import Targets
from redraft.engines import Sampling
from redraft.engines.logits import Logits, array, likeliest, log_shares
from redraft.models.tensors import Array


class Choice(Protocol):
    """How a token is chosen from its logits: a function of the logits and of the position in the output."""

    def choose(self, logits: Logits, first: int) -> Targets:
        """`logits` (n, vocabulary); row i decides on output token `first + i`."""
        ...


class Likeliest:
    """Greedy decoding; of equal logits the lowest id."""

    def choose(self, logits: Logits, first: int) -> Targets:
        return Targets(*likeliest(logits))


class Drawn:
    """Draws from softmax(logits / temperature), one random number for each position of the output.

    The number of a position does not depend on what was drafted, so that drafts change nothing but the time.
    `speculation` is verified greedily first, as Fireworks does: as long as the likeliest tokens repeat it they are
    taken, from the first that does not on tokens are drawn.
    """

    def __init__(self, temperature: float, seed: int | None, speculation: Sequence[int] = ()) -> None:
        self._temperature = temperature
        self._random = random.Random(seed)
        self._numbers: list[float] = []
        self._speculation = speculation
        self._verified = 0

    def choose(self, logits: Logits, first: int) -> Targets:
        drawn = self._draw(array(logits), first)
        ids, margins = likeliest(logits)
        if self._verified < first:
            return Targets(drawn, margins)
        agreed = _agreement(ids, self._speculation[first:])
        self._verified = first + agreed
        return Targets([*ids[:agreed], *drawn[agreed:]], margins)

    def _draw(self, logits: Array, first: int) -> list[int]:
        shares = numpy.exp(log_shares(logits / self._temperature)).cumsum(-1, dtype=numpy.float64)
        numbers = self._uniform(first, len(logits))
        last = logits.shape[-1] - 1
        return [
            min(int(numpy.searchsorted(row, number * row[-1], side="right")), last)
            for row, number in zip(shares, numbers, strict=True)
        ]

    def _uniform(self, first: int, count: int) -> list[float]:
        self._numbers += [self._random.random() for _ in range(first + count - len(self._numbers))]
        return self._numbers[first : first + count]


class WithLogprobs:
    """Another choice; with each token its log-probability and those of the `count` likeliest, at temperature 1."""

    def __init__(self, choice: Choice, count: int) -> None:
        self._choice, self._count = choice, count

    def choose(self, logits: Logits, first: int) -> Targets:
        targets = self._choice.choose(logits, first)
        shares = log_shares(array(logits))
        chosen = numpy.take_along_axis(shares, numpy.array(targets.ids)[:, None], -1)
        ids = numpy.argpartition(-shares, self._count - 1, -1)[:, : self._count]
        top = numpy.take_along_axis(shares, ids, -1)
        order = numpy.argsort(-top, -1)
        ids, top = (numpy.take_along_axis(each, order, -1) for each in (ids, top))
        rows = zip(targets.ids, chosen[:, 0].tolist(), ids.tolist(), top.tolist(), strict=True)
        logprobs = [((id_, share), *zip(others, theirs, strict=True)) for id_, share, others, theirs in rows]
        return replace(targets, logprobs=logprobs)


def _agreement(ids: Sequence[int], speculation: Sequence[int]) -> int:
    pairs = enumerate(zip(ids, speculation, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(ids), len(speculation)))


def choice_of(sampling: Sampling, speculation: Sequence[int]) -> Choice:
    """How `sampling` chooses, where `speculation` is the output that is expected most."""
    choice: Choice = Likeliest()
    if sampling.temperature > 0:
        choice = Drawn(sampling.temperature, sampling.seed, () if sampling.exact else speculation)
    return choice if sampling.logprobs is None else WithLogprobs(choice, sampling.logprobs)
