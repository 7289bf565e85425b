"""In: a model folder, packed files of region samples, a course. Out: a run that learns to write regions."""

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from redraft.train.net import Net
from redraft.train.packed import Sequenced, read_packed
from redraft.train.run import Course, Record, Run

_AT_ONCE = 2048  # ids of a forward, which bounds the memory


class RegionRun(Run[Sequenced]):
    """The loss is that of each id that is to be written."""

    def __init__(
        self, model: Path, packed: Sequence[Path], course: Course, out: Path, begin: Path | None = None, **about: float
    ) -> None:
        samples = [one for file in packed for one in read_packed(file)]
        names = ", ".join(file.name for file in packed)
        super().__init__(model, samples, course, out, {"packed": names, **about}, begin)

    def learn(self, batch: Sequence[Sequenced]) -> Record:
        count = sum(len(one.ids) - one.start for one in batch)
        nats, hits = 0.0, 0
        for pack in packs(batch, _AT_ONCE):
            losses, right = self.losses(pack)
            (losses.sum() / count).backward()  # type: ignore[no-untyped-call]
            nats, hits = nats + float(losses.detach().sum()), hits + int(right.sum())
        return {"nats": round(nats / count, 5), "accuracy": round(hits / count, 5)}

    def losses(self, pack: Sequence[Sequenced]) -> tuple[Tensor, Tensor]:
        """What is to become less, of each id that is to be written, and whether it comes out first."""
        return losses_of(self.net, pack)

    def look(self, held: Sequence[Sequenced]) -> Record:
        """Regions wholly right, tokens right and bits a byte, given what comes before."""
        nats, hits, tokens, size, whole = 0.0, 0, 0, 0, 0
        for one in held:
            losses, right = losses_of(self.net, [one])
            nats, hits, tokens = nats + float(losses.sum()), hits + int(right.sum()), tokens + len(right)
            size, whole = size + one.size, whole + bool(right.all())
        found = {"wholly_right": whole, "tokens_right": round(hits / max(1, tokens), 5)}
        return found | {"bits_per_byte": round(nats / math.log(2) / max(size, 1), 5)}


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
    return net.losses(*asked(net, pack))


def asked(net: Net, pack: Sequence[Sequenced]) -> tuple[Tensor, Tensor]:
    """The states from which samples read together are to write, and the ids that they are to write."""
    device = net.norm.device
    ids = torch.tensor([id_ for one in pack for id_ in one.ids], device=device)
    places = torch.cat([torch.arange(len(one.ids), device=device) for one in pack])
    states = net.states(ids, places, [len(one.ids) for one in pack])
    found, begin = [], 0
    for one in pack:
        found.append(torch.arange(begin + one.start - 1, begin + len(one.ids) - 1, device=device))
        begin += len(one.ids)
    rows = torch.cat(found)
    return states[rows], ids[rows + 1]
