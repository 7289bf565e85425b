"""In: a student's folder, packed samples, what a teacher knows of them. Out: a run that learns from both.

The loss is that of Hinton et al. 2015: the cross-entropy with the text, and that with the teacher's likeliest ids, both
softened by a temperature and scaled by its square.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from redraft.train.packed import Sequenced
from redraft.train.regions import RegionRun, asked
from redraft.train.run import Course
from redraft.train.teacher import Known


class DistilledRun(RegionRun):
    """`weight` is the teacher's share of the loss; with 0 it is the run of the text alone. `known`, by sample, has to
    be there before the training."""

    fixed = ("rank", "weight", "temperature")

    def __init__(
        self,
        student: Path,
        packed: Path,
        course: Course,
        out: Path,
        begin: Path | None = None,
        weight: float = 0.5,
        temperature: float = 1.0,
    ) -> None:
        super().__init__(student, [packed], course, out, begin, weight=weight, temperature=temperature)
        self.weight, self.temperature = weight, temperature
        self.known: Mapping[str, Known] = {}

    def losses(self, pack: Sequence[Sequenced]) -> tuple[Tensor, Tensor]:
        states, own = asked(self.net, pack)
        text, hits = self.net.losses(states, own)
        if not self.weight:
            return text, hits
        ids, shares = softened([self.known[one.id] for one in pack], self.temperature)
        taught, _ = self.net.losses(states, ids.to(own.device), shares.to(own.device), self.temperature)
        return (1 - self.weight) * text + self.weight * self.temperature**2 * taught, hits


def softened(known: Sequence[Known], temperature: float) -> tuple[Tensor, Tensor]:
    """The teacher's ids, a row for each one that is to be written, and their shares, which add up to 1."""
    logs = torch.cat([one.logs for one in known]).float()
    return torch.cat([one.ids for one in known]).long(), torch.softmax(logs / temperature, -1)
