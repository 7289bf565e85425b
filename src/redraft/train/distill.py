"""In: a student's folder, packed samples, what a teacher knows of them. Out: a run that learns from both.

The loss is the cross-entropy with a mixture: the text's own id, and the teacher's likeliest ids by their
probabilities (Hinton et al. 2015, at temperature 1).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from redraft.train.packed import Sequenced
from redraft.train.regions import RegionRun, losses_of
from redraft.train.run import Course
from redraft.train.teacher import Known


class DistilledRun(RegionRun):
    """`weight` is the teacher's share of the loss; with 0 it is the run of the text alone. `known`, by sample, has to
    be there before the training."""

    fixed = ("rank", "weight")

    def __init__(
        self, student: Path, packed: Path, course: Course, out: Path, begin: Path | None = None, weight: float = 0.5
    ) -> None:
        super().__init__(student, packed, course, out, begin, weight=weight)
        self.weight = weight
        self.known: Mapping[str, Known] = {}

    def losses(self, pack: Sequence[Sequenced]) -> tuple[Tensor, Tensor]:
        if not self.weight:
            return super().losses(pack)
        targets, shares = zip(*(mixed(one, self.known[one.id], self.weight) for one in pack), strict=True)
        device = self.net.norm.device
        return losses_of(self.net, pack, (torch.cat(targets).to(device), torch.cat(shares).to(device)))


def mixed(one: Sequenced, known: Known, weight: float) -> tuple[Tensor, Tensor]:
    """A row for each id that is to be written: that id and the teacher's, and the share of each in the loss."""
    own = torch.tensor(one.ids[one.start :])[:, None]
    taught = torch.softmax(known.logs.float(), -1) * weight
    return torch.cat([own, known.ids.long()], 1), torch.cat([torch.full(own.shape, 1 - weight), taught], 1)
