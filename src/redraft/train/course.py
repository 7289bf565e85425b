"""In: a network and material. Out: the network trained, a record a step, and a state from which a run goes on."""

import json
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from redraft.train.bits import bits_per_byte
from redraft.train.lean import Net
from redraft.train.material import Material

STATE = "state.pt"
_WARM = 10  # steps over which the rate rises
_FLOOR = 0.05  # of the rate, at the end
_AVERAGED = 0.97  # of the running average of the weights, that stays from step to step

Record = dict[str, Any]


@dataclass(frozen=True)
class Course:
    """`pairs` is the share of a step that is pairs; `strength` and `ranking` scale their margin and their loss."""

    steps: int
    rate: float = 3e-4
    batch: int = 8
    pairs: float = 0.2
    strength: float = 0.3
    ranking: float = 0.2
    seed: int = 0


class Training:
    """Float32 masters of the weights that are trained, their optimiser, and a running average that is what is kept."""

    def __init__(self, net: Net, course: Course, compiled: bool) -> None:
        self.net, self.course, self.step, self.tokens, self.seconds = net, course, 0, 0, 0.0
        self._parameters = list(net.trained().values())
        self._masters = [parameter.detach().float().clone() for parameter in self._parameters]
        self._average = [master.clone() for master in self._masters]
        self._optimizer = torch.optim.AdamW(
            self._masters, lr=course.rate, betas=(0.9, 0.95), weight_decay=0, fused=True
        )
        if compiled:
            for block in net.blocks:
                block.compile(dynamic=True)

    def run(self, singles: Sequence[Material], pairs: Sequence[Material]) -> Iterator[Record]:
        """One record a step; what a step draws depends on the seed and its number alone."""
        while self.step < self.course.steps:
            started = time.perf_counter()
            record = self._one(self._drawn(singles, pairs))
            seconds = time.perf_counter() - started
            self.seconds += seconds
            yield record | {"tokens_per_second": round(record.pop("read") / seconds), "tokens": self.tokens}

    def _drawn(self, singles: Sequence[Material], pairs: Sequence[Material]) -> list[Material]:
        rng = Random(f"{self.course.seed} {self.step}")
        share = self.course.pairs if singles else 1.0
        kinds = (pairs if pairs and rng.random() < share else singles for _ in range(self.course.batch))
        return [rng.choice(kind) for kind in kinds]

    def _one(self, batch: Sequence[Material]) -> Record:
        for master in self._masters:
            master.grad = torch.zeros_like(master)
        learned = sum(len(made.learned) for made in batch)
        nats, right, margins = 0.0, 0, list[float]()
        for made in batch:
            loss, correct, margin = lesson(self.net, made)
            nats, right = nats + loss.item(), right + correct
            aim = loss / max(learned, 1)
            if margin is not None:
                margins.append(margin.item())
                aim = aim - self.course.ranking / len(batch) * functional.logsigmoid(self.course.strength * margin)
            aim.backward()  # type: ignore[no-untyped-call]
            for master, parameter in zip(self._masters, self._parameters, strict=True):
                assert master.grad is not None
                if parameter.grad is not None:
                    master.grad += parameter.grad
                parameter.grad = None
        self._update()
        read = sum(len(made.ids) for made in batch)
        self.tokens += read
        shares = {"nats": nats / max(learned, 1), "accuracy": right / max(learned, 1)}
        record: Record = {"step": self.step, **shares, "read": read}
        return record | ({"ranked": sum(m > 0 for m in margins) / len(margins)} if margins else {})

    def _update(self) -> None:
        torch.nn.utils.clip_grad_norm_(self._masters, 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = rate(self.course, self.step)
        self._optimizer.step()
        self.step += 1
        stays = min(_AVERAGED, self.step / (self.step + 5))
        with torch.no_grad():
            torch._foreach_lerp_(self._average, self._masters, 1 - stays)
        self._put(self._masters)

    def _put(self, values: Sequence[Tensor]) -> None:
        with torch.no_grad():
            for parameter, value in zip(self._parameters, values, strict=True):
                parameter.copy_(value)

    def averaged(self) -> "_Averaged":
        """While this lasts the network has the average of its last weights, which is what validates best."""
        return _Averaged(self)

    def save(self, folder: Path, settings: Mapping[str, Any]) -> None:
        """All that a run needs to go on, whole or not at all."""
        state = {
            "settings": json.dumps(settings, sort_keys=True),
            "optimizer": self._optimizer.state_dict(),
            "masters": self._masters,
            "average": self._average,
            "progress": (self.step, self.tokens, self.seconds),
        }
        part = folder / f"{STATE}.part"
        torch.save(state, part)
        os.replace(part, folder / STATE)

    def resume(self, folder: Path) -> None:
        """From a state that there is."""
        state = torch.load(folder / STATE, weights_only=True)
        self._optimizer.load_state_dict(state["optimizer"])
        for mine, saved in ((self._masters, state["masters"]), (self._average, state["average"])):
            for own, value in zip(mine, saved, strict=True):
                own.copy_(value)
        self.step, self.tokens, self.seconds = state["progress"]
        self._put(self._masters)


class _Averaged:
    def __init__(self, training: Training) -> None:
        self._training = training

    def __enter__(self) -> None:
        self._training._put(self._training._average)

    def __exit__(self, *error: object) -> None:
        self._training._put(self._training._masters)


def rate(course: Course, step: int) -> float:
    """Rising over the first steps, then a cosine to a twentieth."""
    fall = 0.5 * (1 + math.cos(math.pi * step / course.steps))
    return course.rate * (_FLOOR + (1 - _FLOOR) * fall) * min(1.0, (step + 1) / _WARM)


def lesson(net: Net, made: Material) -> tuple[Tensor, int, Tensor | None]:
    """The loss on what is learned, how much of that comes out first, and how far right is ahead of wrong."""
    ids = torch.tensor(made.ids)
    states = net.states(ids, torch.tensor(made.places), mask(made, net.norm.dtype) if made.wrong else None)
    learned = torch.tensor(made.learned, dtype=torch.long)
    loss, right = net.loss(states[learned], ids[learned + 1])
    if not made.wrong:
        return loss, right, None
    mine, theirs = torch.tensor(made.right, dtype=torch.long), torch.tensor(made.wrong)
    margin = net.loss(states[theirs], torch.tensor(made.wrong_ids))[0] - net.loss(states[mine], ids[mine + 1])[0]
    return loss, right, margin


def mask(made: Material, dtype: torch.dtype) -> Tensor:
    """What no id may see: all that comes after it, and from the wrong text on the rest of the right one."""
    size = len(made.ids)
    hidden = torch.ones(size, size, dtype=torch.bool).triu_(1)
    hidden[made.length :, made.shared : made.length] = True
    return torch.zeros(size, size, dtype=dtype).masked_fill_(hidden, -torch.inf)


@torch.no_grad()
def validate(net: Net, singles: Sequence[Material], pairs: Sequence[Material]) -> Record:
    """On outputs as a whole: shares of tokens right, of those near changes, of files; bits a byte; pairs in order."""
    right = tokens = near_right = near = whole = size = 0
    nats = 0.0
    for made in singles:
        ids, places = torch.tensor(made.ids), torch.arange(made.start - 1, made.length - 1)
        states = net.states(ids, torch.tensor(made.places))[places]
        hits, loss = _hits(net, states, ids[places + 1])
        nats, size, tokens = nats + loss, size + made.size, tokens + len(places)
        right += int(hits.sum())
        beside = torch.tensor(made.near)
        near, near_right = near + int(beside.sum()), near_right + int(hits[beside].sum())
        whole += bool(hits.all())
    ranked = sum(float(lesson(net, made)[2] or 0) > 0 for made in pairs)
    shares = {"tokens_right": right / max(tokens, 1), "near_right": near_right / max(near, 1)}
    found: Record = {"files": len(singles), "wholly_right": whole, **shares}
    found["bits_per_byte"] = bits_per_byte(nats, max(size, 1))
    return found | ({"pairs": len(pairs), "pairs_right": ranked} if pairs else {})


def _hits(net: Net, states: Tensor, targets: Tensor) -> tuple[Tensor, float]:
    """Which targets come out first, and the loss on all of them."""
    weight = net.embedding.weight if net.head is None else net.head.weight
    hits, loss = [], 0.0
    for start in range(0, len(targets), 512):
        logits = functional.linear(states[start : start + 512], weight).float()
        wanted = targets[start : start + 512]
        hits.append(logits.argmax(-1) == wanted)
        loss += functional.cross_entropy(logits, wanted, reduction="sum").item()
    return torch.cat(hits), loss
