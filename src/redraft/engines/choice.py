"""In: the logits after each fed id. Out: the model's own next token at each position, likeliest or drawn."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import torch
import torch.nn.functional as nn

from redraft.draft.loop import Targets
from redraft.engines import Sampling

_BLOCK = 256


class Choice(Protocol):
    """How a token is chosen from its logits: a function of the logits and of the position in the output."""

    def choose(self, logits: torch.Tensor, first: int) -> Targets:
        """`logits` (n, vocabulary); row i decides on output token `first + i`."""
        ...


class Likeliest:
    """Greedy decoding; of equal logits the lowest id."""

    def choose(self, logits: torch.Tensor, first: int) -> Targets:
        # Finding a maximum is several times faster than finding its place, so the place is looked for in one block.
        padded = nn.pad(logits, (0, -logits.shape[-1] % _BLOCK), value=-torch.inf)
        blocks = padded.view(len(padded), -1, _BLOCK)
        highest = blocks.amax(-1)
        top, block = highest.max(-1, keepdim=True)
        best = blocks.take_along_dim(block[..., None], 1)[:, 0]
        place = best.argmax(-1, keepdim=True)
        others = highest.scatter(-1, block, -torch.inf).amax(-1), best.scatter(-1, place, -torch.inf).amax(-1)
        margins = top[:, 0].float() - torch.maximum(*others).float()
        return Targets((block * _BLOCK + place)[:, 0].tolist(), margins.tolist())


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

    def choose(self, logits: torch.Tensor, first: int) -> Targets:
        drawn = self._draw(logits, first)
        likeliest = Likeliest().choose(logits, first)
        if self._verified < first:
            return Targets(drawn, likeliest.margins)
        agreed = _agreement(likeliest.ids, self._speculation[first:])
        self._verified = first + agreed
        return Targets([*likeliest.ids[:agreed], *drawn[agreed:]], likeliest.margins)

    def _draw(self, logits: torch.Tensor, first: int) -> list[int]:
        shares = torch.softmax(logits.float() / self._temperature, -1).cpu().double().cumsum(-1)
        numbers = torch.tensor(self._uniform(first, len(logits)), dtype=torch.float64)
        found = torch.searchsorted(shares, numbers[:, None] * shares[:, -1:], right=True)
        ids: list[int] = found[:, 0].clamp(max=logits.shape[-1] - 1).tolist()
        return ids

    def _uniform(self, first: int, count: int) -> list[float]:
        self._numbers += [self._random.random() for _ in range(first + count - len(self._numbers))]
        return self._numbers[first : first + count]


class Told:
    """Another choice; with each token its log-probability and those of the `count` likeliest, at temperature 1."""

    def __init__(self, choice: Choice, count: int) -> None:
        self._choice, self._count = choice, count

    def choose(self, logits: torch.Tensor, first: int) -> Targets:
        shares = torch.log_softmax(logits.float(), -1)
        targets = self._choice.choose(logits, first)
        chosen = shares.gather(-1, torch.tensor(targets.ids, device=shares.device)[:, None])
        top, ids = shares.topk(self._count)
        rows = zip(targets.ids, chosen[:, 0].tolist(), ids.tolist(), top.tolist(), strict=True)
        told = [((id_, share), *zip(others, theirs, strict=True)) for id_, share, others, theirs in rows]
        return replace(targets, logprobs=told)


def _agreement(ids: Sequence[int], speculation: Sequence[int]) -> int:
    pairs = enumerate(zip(ids, speculation, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(ids), len(speculation)))


def choice_of(sampling: Sampling, speculation: Sequence[int]) -> Choice:
    """How `sampling` chooses, where `speculation` is the output that is expected most."""
    choice: Choice = Likeliest()
    if sampling.temperature > 0:
        choice = Drawn(sampling.temperature, sampling.seed, () if sampling.exact else speculation)
    return choice if sampling.logprobs is None else Told(choice, sampling.logprobs)
