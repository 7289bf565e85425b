"""In: a network and material. Out: the network trained, a record a step, and a state from which a run goes on."""

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from redraft.train.bits import bits_per_byte
from redraft.train.lean import Net, Text
from redraft.train.material import Material

STATE = "state.pt"
_WARM = 10  # steps over which the rate rises
_FLOOR = 0.05  # of the rate, at the end
_PACKED = 2048  # ids that are read at once, so that the sum of gradients in float32 costs little a token
_AVERAGED = 0.97  # of the running average of the weights, that stays from step to step

Record = dict[str, Any]
Draw = Callable[[Random], Material]


@dataclass(frozen=True)
class Course:
    """`minutes` of training end it before its steps do, where they are given, and the rate falls accordingly.

    `pairs` is the share of a step that is pairs; `strength` and `ranking` scale their margin and their loss.
    """

    steps: int
    minutes: float | None = None
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
            net.compile_layers()

    @property
    def progress(self) -> float:
        """The share of the course that is done."""
        limit = self.course.minutes
        return max(self.step / self.course.steps, self.seconds / (60 * limit) if limit else 0.0)

    def run(self, singles: Draw, pairs: Draw | None) -> Iterator[Record]:
        """One record a step; what a step draws depends on the seed and its number alone."""
        while self.progress < 1:
            started = time.perf_counter()
            record = self._one(self._drawn(singles, pairs))
            seconds = time.perf_counter() - started
            self.seconds += seconds
            speed = round(record.pop("read") / seconds)
            yield record | {"tokens_per_second": speed, "tokens": self.tokens, "done": round(self.progress, 4)}

    def _drawn(self, singles: Draw, pairs: Draw | None) -> list[Material]:
        rng = Random(f"{self.course.seed} {self.step}")
        kinds = (pairs if pairs and rng.random() < self.course.pairs else singles for _ in range(self.course.batch))
        return [kind(rng) for kind in kinds]

    def _one(self, batch: Sequence[Material]) -> Record:
        for master in self._masters:
            master.grad = torch.zeros_like(master)
        weights = sum(sum(made.weights) for made in batch)
        found = [result for pack in packs(batch, _PACKED) for result in self._backward(pack, weights, len(batch))]
        self._update()
        self.tokens += (read := sum(len(made.ids) for made in batch))
        learned = max(1, sum(len(made.learned) for made in batch))
        margins = [one.margin.item() for one in found if one.margin is not None]
        nats, hits = (sum(parts) / learned for parts in zip(*((one.nats, one.hits) for one in found), strict=True))
        record: Record = {"step": self.step, "nats": nats, "accuracy": hits, "read": read}
        return record | ({"ranked": sum(margin > 0 for margin in margins) / len(margins)} if margins else {})

    def _backward(self, pack: Sequence[Material], weights: float, count: int) -> list["Outcome"]:
        """Adds the gradients of texts that are read at once to the masters'."""
        found = outcomes(self.net, pack)
        aim = torch.stack([one.loss for one in found]).sum() / max(weights, 1)
        margins = [one.margin for one in found if one.margin is not None]
        if margins:
            close = functional.logsigmoid(self.course.strength * torch.stack(margins)).sum()
            aim = aim - self.course.ranking / count * close
        aim.backward()  # type: ignore[no-untyped-call]
        for master, parameter in zip(self._masters, self._parameters, strict=True):
            assert master.grad is not None
            if parameter.grad is not None:
                master.grad += parameter.grad
            parameter.grad = None
        return found

    def _update(self) -> None:
        torch.nn.utils.clip_grad_norm_(self._masters, 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = rate(self.course, self.progress, self.step)
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


def rate(course: Course, progress: float, step: int) -> float:
    """Rising over the first steps, then a cosine to a twentieth."""
    fall = 0.5 * (1 + math.cos(math.pi * min(progress, 1)))
    return course.rate * (_FLOOR + (1 - _FLOOR) * fall) * min(1.0, (step + 1) / _WARM)


def packs(batch: Sequence[Material], limit: int) -> list[list[Material]]:
    """The batch in parts of at most so many ids, or of one text; long texts first, each where there is room."""
    found = list[list[Material]]()
    for made in sorted(batch, key=lambda made: -len(made.ids)):
        room = (pack for pack in found if sum(len(other.ids) for other in pack) + len(made.ids) <= limit)
        if (pack := next(room, None)) is None:
            found.append(pack := [])
        pack.append(made)
    return found


def can_compile() -> bool:
    """Whether there is a C++ compiler, without which torch compiles nothing for a processor."""
    return any(shutil.which(name) for name in (os.environ.get("CXX", "c++"), "g++", "clang++"))


@dataclass(frozen=True)
class Outcome:
    """Of one text: the weighted loss, the loss in nats, how many come out first, how far right is ahead of wrong."""

    loss: Tensor
    nats: float
    hits: int
    margin: Tensor | None


def outcomes(net: Net, pack: Sequence[Material]) -> list[Outcome]:
    """What comes of each text of a pack, all read at once."""
    texts = [Text(len(made.ids), mask(made, net.norm.dtype) if made.wrong else None) for made in pack]
    ids = [torch.tensor(made.ids) for made in pack]
    places = torch.tensor([place for made in pack for place in made.places])
    read = torch.split(net.states(torch.cat(ids), places, texts), [len(made.ids) for made in pack])
    asked = [_asked(made, own) for made, own in zip(pack, ids, strict=True)]
    rows = torch.cat([states[at] for states, (at, _) in zip(read, asked, strict=True)])
    losses, hits = net.losses(rows, torch.cat([wanted for _, wanted in asked]))
    sizes = [len(wanted) for _, wanted in asked]
    return [_outcome(*each) for each in zip(pack, torch.split(losses, sizes), torch.split(hits, sizes), strict=True)]


def _asked(made: Material, ids: Tensor) -> tuple[Tensor, Tensor]:
    """The places that have a loss, and the ids that are wanted there: what is learned, the right ones, the wrong."""
    own = torch.tensor([*made.learned, *made.right], dtype=torch.long)
    wanted = torch.cat([ids[own + 1], torch.tensor(made.wrong_ids, dtype=torch.long)])
    return torch.cat([own, torch.tensor(made.wrong, dtype=torch.long)]), wanted


def _outcome(made: Material, losses: Tensor, hits: Tensor) -> Outcome:
    learned, right, wrong = torch.split(losses, [len(made.learned), len(made.right), len(made.wrong)])
    loss = learned @ torch.tensor(made.weights)
    margin = wrong.sum() - right.sum() if made.wrong else None
    return Outcome(loss, learned.sum().item(), int(hits[: len(learned)].sum()), margin)


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
        losses, hits = net.losses(states, ids[places + 1])
        nats, size, tokens = nats + float(losses.sum()), size + made.size, tokens + len(places)
        right += int(hits.sum())
        beside = torch.tensor(made.near)
        near, near_right = near + int(beside.sum()), near_right + int(hits[beside].sum())
        whole += bool(hits.all())
    ranked = sum(float(outcomes(net, [made])[0].margin or 0) > 0 for made in pairs)
    shares = {"tokens_right": right / max(tokens, 1), "near_right": near_right / max(near, 1)}
    found: Record = {"files": len(singles), "wholly_right": whole, **shares}
    found["bits_per_byte"] = bits_per_byte(nats, max(size, 1))
    return found | ({"pairs": len(pairs), "pairs_right": ranked} if pairs else {})
