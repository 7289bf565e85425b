"""In: a model folder, samples, a course, how a batch is learned. Out: a run in a folder: log, state, adapter."""

import json
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor

from redraft.engines.folder import Folder, open_folder, read_json
from redraft.engines.sizes import reads
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.errors import RedraftError
from redraft.train.adapted import adapt, begin_from, join, write_adapter
from redraft.train.net import Net
from redraft.train.run_folder import check_same, writing

SETTINGS, LOG, STATE, ADAPTER = "settings.json", "log.jsonl", "state.pt", "adapter"
_WARM = 8  # steps over which the rate rises
_FLOOR = 0.05  # of the rate, at the end
_AVERAGED = 0.95  # of the running average of what is trained, that stays from step to step
_SAVED = 600  # seconds from one saved state to the next

Record = dict[str, Any]


class Sample(Protocol):
    """Something to learn from, as long as its ids; `held` is what only validates."""

    @property
    def held(self) -> bool: ...
    def __len__(self) -> int: ...


S = TypeVar("S", bound=Sample)


@dataclass(frozen=True)
class Course:
    """`tokens` of training in all, over which the rate falls; `batch`: tokens a step; `pull`: how much of the way back
    to where it began is taken in each step, as a multiple of the rate."""

    tokens: int
    rate: float = 4e-4
    rank: int = 16
    batch: int = 4096
    longest: int = 1600
    seed: int = 0
    pull: float = 0.0


def plain_folder(model: Path) -> Folder:
    """Raises RedraftError for a model that is not of the families whose arithmetic is that of the network."""
    folder = open_folder(model)
    if not reads(folder) or folder.config["model_type"] == "qwen3":  # which has norms of its own in its heads
        raise RedraftError(f"{model} is not a plain Llama or Qwen2 model")
    return folder


class Run(ABC, Generic[S]):
    """One run in one folder; started again, it goes on from its last state.

    Raises RedraftError for a model of another family, samples of which none is to be trained on, an adapter of another
    base, and the folder of another run.
    """

    fixed: tuple[str, ...] = ("rank",)  # settings that are not to change where a run goes on

    def __init__(
        self, model: Path, samples: Sequence[S], course: Course, out: Path, about: Mapping[str, Any], begin: Path | None
    ) -> None:
        self.folder, self.course, self.out = plain_folder(model), course, out
        found = [one for one in samples if len(one) <= course.longest]
        self.training = [one for one in found if not one.held]
        self.held = [one for one in found if one.held]
        if not self.training:
            raise RedraftError("there is no sample to train on")
        self.settings = asdict(course) | dict(about)
        if (out / SETTINGS).exists():
            check_same(out, read_json(out / SETTINGS), {name: self.settings[name] for name in self.fixed})
        self.step = self.tokens = self.drawn = 0
        self.shuffled: tuple[int, list[int]] = (-1, [])  # an epoch and its order
        self.seconds = 0.0
        self.net = Net(self.folder, dtype_of(fastest_dtype(device_of(None))))
        torch.manual_seed(course.seed)
        self.parameters: list[Tensor] = list(adapt(self.net, course.rank).values())
        if begin is not None:
            begin_from(self.net, begin)
        self.net.to(device_of(None))
        self.start = [parameter.detach().clone() for parameter in self.parameters] if course.pull else []
        self.average = [parameter.detach().clone() for parameter in self.parameters]
        self.optimizer = torch.optim.AdamW(self.parameters, lr=course.rate, betas=(0.9, 0.98), weight_decay=0.01)

    @abstractmethod
    def learn(self, batch: Sequence[S]) -> Record:
        """Makes the gradient of a batch; returns what is said of it."""

    @abstractmethod
    def look(self, held: Sequence[S]) -> Record:
        """What is said of held out samples."""

    def train(self, validated: int, every: int, say: Callable[[Record], None]) -> None:
        """To the end; before the first step and every so many steps so many held out samples are looked at."""
        with writing(self.out):
            (self.out / SETTINGS).write_text(json.dumps(self.settings) + "\n")
            if (self.out / STATE).exists():
                self.resume()
            saved = time.monotonic()
            with (self.out / LOG).open("a") as log:
                if not self.step:
                    log.write(json.dumps({"step": 0} | self.validate(self.held[:validated])) + "\n")
                for record in self._steps():
                    is_last = self.tokens >= self.course.tokens
                    if self.step % every == 0 or is_last:
                        record |= self.validate(self.held[:validated])
                    log.write(json.dumps(record) + "\n")
                    log.flush()
                    say(record)
                    if is_last or time.monotonic() - saved > _SAVED:
                        self.save()
                        saved = time.monotonic()

    def _steps(self) -> Iterator[Record]:
        while self.tokens < self.course.tokens:
            started = time.perf_counter()
            batch = self._drawn()
            found = self.learn(batch)
            self._move()
            seconds = time.perf_counter() - started
            self.seconds += seconds
            read = sum(map(len, batch))
            self.tokens += read
            self.step += 1
            yield {
                "step": self.step,
                **found,
                "samples": len(batch),
                "tokens": self.tokens,
                "tokens_per_second": round(read / seconds, 1),
                "seconds": round(self.seconds),
            }

    def _drawn(self) -> list[S]:
        batch = self._batch(self.drawn)
        self.drawn += len(batch)
        return batch

    def _batch(self, drawn: int) -> list[S]:
        """The samples of an endless row of shuffled epochs that come after so many."""
        batch: list[S] = []
        while not batch or sum(map(len, batch)) < self.course.batch:
            batch.append(self._at(drawn + len(batch)))
        return batch

    def _at(self, drawn: int) -> S:
        epoch, at = divmod(drawn, len(self.training))
        if self.shuffled[0] != epoch:
            order = list(range(len(self.training)))
            Random(f"{self.course.seed} {epoch}").shuffle(order)
            self.shuffled = epoch, order
        return self.training[self.shuffled[1][at]]

    def ahead(self) -> list[S]:
        """The samples of the course in the order in which it draws them, until each was drawn."""
        found: list[S] = []
        while len(found) < len(self.training) and sum(map(len, found)) < self.course.tokens:
            found += self._batch(len(found))
        return found

    def _move(self) -> None:
        """A step along the gradient."""
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        rate = self._rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        stays = min(_AVERAGED, (self.step + 1) / (self.step + 6))
        with torch.no_grad():
            if self.start:
                torch._foreach_lerp_(self.parameters, self.start, min(1.0, rate * self.course.pull))
            torch._foreach_lerp_(self.average, self.parameters, 1 - stays)
        join(self.net)
        self.optimizer.zero_grad(set_to_none=True)

    def _rate(self) -> float:
        fall = 0.5 * (1 + math.cos(math.pi * min(1.0, self.tokens / self.course.tokens)))
        return self.course.rate * (_FLOOR + (1 - _FLOOR) * fall) * min(1.0, (self.step + 1) / _WARM)

    @torch.no_grad()
    def validate(self, held: Sequence[S]) -> Record:
        """`look` with the running average."""
        kept = [parameter.detach().clone() for parameter in self.parameters]
        self._put(self.average)
        found = {"held": len(held)} | self.look(held)
        self._put(kept)
        return found

    def _put(self, values: Sequence[Tensor]) -> None:
        with torch.no_grad():
            torch._foreach_copy_(self.parameters, list(values))
        join(self.net)

    def save(self) -> None:
        """The state and the adapter, each whole or not at all."""
        state = {
            "parameters": [parameter.detach() for parameter in self.parameters],
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "progress": (self.step, self.tokens, self.drawn, self.seconds),
        }
        part = self.out / f"{STATE}.part"
        torch.save(state, part)
        os.replace(part, self.out / STATE)
        kept = [parameter.detach().clone() for parameter in self.parameters]
        self._put(self.average)
        write_adapter(self.net, str(self.folder.config.get("_name_or_path", "")), self.out / ADAPTER)
        self._put(kept)

    def resume(self) -> None:
        state = torch.load(self.out / STATE, weights_only=True)
        self._put(state["parameters"])
        self.average = state["average"]
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.tokens, self.drawn, self.seconds = state["progress"]
