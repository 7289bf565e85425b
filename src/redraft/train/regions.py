"""In: a model folder, a packed file of region samples, a course. Out: a run in a folder: log, state, adapter."""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor

from redraft.engines.folder import open_folder
from redraft.engines.sizes import reads
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.errors import RedraftError
from redraft.train.adapted import adapt, join, write_adapter
from redraft.train.net import Net
from redraft.train.packed import Sequenced, read_packed
from redraft.train.run_folder import check_same, writing

SETTINGS, LOG, STATE, ADAPTER = "regions.json", "log.jsonl", "state.pt", "adapter"
_WARM = 8  # steps over which the rate rises
_FLOOR = 0.05  # of the rate, at the end
_AVERAGED = 0.95  # of the running average of what is trained, that stays from step to step
_SAVED = 600  # seconds from one saved state to the next

Record = dict[str, Any]


@dataclass(frozen=True)
class RegionCourse:
    """`tokens` of training in all, over which the rate falls; `batch` and `packed`: tokens a step and a forward."""

    tokens: int
    rate: float = 4e-4
    rank: int = 16
    batch: int = 4096
    packed: int = 2048
    longest: int = 1600
    seed: int = 0


class RegionRun:
    """One run in one folder; started again, it goes on from its last state.

    Raises RedraftError for a model of another family, a file without samples, and the folder of another run.
    """

    def __init__(self, model: Path, packed: Path, course: RegionCourse, out: Path) -> None:
        self.folder, self.course, self.out = open_folder(model), course, out
        if not reads(self.folder):
            raise RedraftError(f"{model} is not a plain Llama or Qwen2 model")
        found = [one for one in read_packed(packed) if len(one.ids) <= course.longest]
        self.training = [one for one in found if not one.held]
        self.held = [one for one in found if one.held]
        if not self.training:
            raise RedraftError(f"{packed} has no sample to train on")
        self.settings = asdict(course) | {"packed": packed.name}
        self.step = self.tokens = self.drawn = 0
        self.seconds = 0.0
        self.net = Net(self.folder, dtype_of(fastest_dtype(device_of(None))))
        torch.manual_seed(course.seed)
        self.parameters: list[Tensor] = list(adapt(self.net, course.rank).values())
        self.net.to(device_of(None))
        self.average = [parameter.detach().clone() for parameter in self.parameters]
        self.optimizer = torch.optim.AdamW(self.parameters, lr=course.rate, betas=(0.9, 0.98), weight_decay=0.01)

    def train(self, validated: int, every: int, say: Callable[[Record], None], threads: int | None = None) -> None:
        """To the end; every so many steps so many held out samples are looked at."""
        with writing(self.out):
            if (self.out / SETTINGS).exists():
                check_same(self.out, json.loads((self.out / SETTINGS).read_text()), {"rank": self.course.rank})
            (self.out / SETTINGS).write_text(json.dumps(self.settings) + "\n")
            if (self.out / STATE).exists():
                self.resume()
            saved = time.monotonic()
            with (self.out / LOG).open("a") as log:
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
            nats, hits, count = self._learn(batch)
            seconds = time.perf_counter() - started
            self.seconds += seconds
            read = sum(len(one.ids) for one in batch)
            self.tokens += read
            self.step += 1
            yield {
                "step": self.step,
                "nats": round(nats / count, 5),
                "accuracy": round(hits / count, 5),
                "samples": len(batch),
                "tokens": self.tokens,
                "tokens_per_second": round(read / seconds, 1),
                "seconds": round(self.seconds),
            }

    def _drawn(self) -> list[Sequenced]:
        """The next samples of an endless row of shuffled epochs."""
        batch: list[Sequenced] = []
        while not batch or sum(len(one.ids) for one in batch) < self.course.batch:
            epoch, at = divmod(self.drawn, len(self.training))
            order = list(range(len(self.training)))
            Random(f"{self.course.seed} {epoch}").shuffle(order)
            batch.append(self.training[order[at]])
            self.drawn += 1
        return batch

    def _learn(self, batch: Sequence[Sequenced]) -> tuple[float, int, int]:
        count = sum(len(one.ids) - one.start for one in batch)
        nats, hits = 0.0, 0
        for pack in packs(batch, self.course.packed):
            losses, right = losses_of(self.net, pack)
            (losses.sum() / count).backward()  # type: ignore[no-untyped-call]
            nats, hits = nats + float(losses.detach().sum()), hits + int(right.sum())
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        self.optimizer.step()
        join(self.net)
        self.optimizer.zero_grad(set_to_none=True)
        stays = min(_AVERAGED, (self.step + 1) / (self.step + 6))
        with torch.no_grad():
            torch._foreach_lerp_(self.average, self.parameters, 1 - stays)
        return nats, hits, count

    def _rate(self) -> float:
        fall = 0.5 * (1 + math.cos(math.pi * min(1.0, self.tokens / self.course.tokens)))
        return self.course.rate * (_FLOOR + (1 - _FLOOR) * fall) * min(1.0, (self.step + 1) / _WARM)

    @torch.no_grad()
    def validate(self, held: Sequence[Sequenced]) -> Record:
        """With the average: regions wholly right, tokens right and bits a byte, given what comes before."""
        nats, hits, tokens, size, whole = 0.0, 0, 0, 0, 0
        kept = [parameter.detach().clone() for parameter in self.parameters]
        self._put(self.average)
        for one in held:
            losses, right = losses_of(self.net, [one])
            nats, hits, tokens = nats + float(losses.sum()), hits + int(right.sum()), tokens + len(right)
            size, whole = size + one.size, whole + bool(right.all())
        self._put(kept)
        found = {"held": len(held), "wholly_right": whole, "tokens_right": round(hits / max(1, tokens), 5)}
        return found | {"bits_per_byte": round(nats / math.log(2) / max(size, 1), 5)}

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


def packs(batch: Sequence[Sequenced], limit: int) -> list[list[Sequenced]]:
    """The batch in parts of at most so many ids, or of one sample; long ones first, each where there is room."""
    found = list[list[Sequenced]]()
    for one in sorted(batch, key=lambda one: -len(one.ids)):
        room = (pack for pack in found if sum(len(other.ids) for other in pack) + len(one.ids) <= limit)
        if (pack := next(room, None)) is None:
            found.append(pack := [])
        pack.append(one)
    return found


def losses_of(net: Net, pack: Sequence[Sequenced]) -> tuple[Tensor, Tensor]:
    """Of each id that samples read together are to write: the loss, and whether it comes out first."""
    device = net.norm.device
    ids = torch.tensor([id_ for one in pack for id_ in one.ids], device=device)
    places = torch.cat([torch.arange(len(one.ids), device=device) for one in pack])
    states = net.states(ids, places, [len(one.ids) for one in pack])
    asked, begin = [], 0
    for one in pack:
        asked.append(torch.arange(begin + one.start - 1, begin + len(one.ids) - 1, device=device))
        begin += len(one.ids)
    rows = torch.cat(asked)
    return net.losses(states[rows], ids[rows + 1])
