"""In: a model folder, files of lists, a course. Out: a run that learns which text of a list to choose, or none.

The texts that the readers list stand for all that may be written, so the expected reward of choosing among them by
their normalised probabilities is a sum, and its gradient exact: no text has to be drawn, as in REINFORCE (Williams
1992). The file as it is stands for a refusal. `pairs` is the loss of Bradley and Terry (1952) on each two of different
worth.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from redraft.data.list_samples import REFUSED
from redraft.train.lists import Choices, read_lists
from redraft.train.net import Net
from redraft.train.run import Course, Record, Run

_WARMTH = 4.0  # nats by which texts are told apart softly: of two long texts one is mostly far likelier


def expected_reward(values: Tensor, rewards: Tensor) -> Tensor:
    """What is to become less: the reward to expect, negated; `values` are log-probabilities, a row a text."""
    return -(torch.softmax(values / _WARMTH, 0) * rewards).sum()


def pairs(values: Tensor, rewards: Tensor) -> Tensor:
    """How much the better one of each pair is not yet the likelier one."""
    better = rewards[:, None] > rewards[None, :]
    ahead = (values[:, None] - values[None, :])[better] / _WARMTH
    return functional.softplus(-ahead).sum() / max(1, int(better.sum()))


def unwritten(values: Tensor, rewards: Tensor) -> Tensor:
    """The nats of the likeliest right text, from where the texts part; none where no text is right."""
    return -values[rewards > REFUSED].max() if bool((rewards > REFUSED).any()) else values.sum() * 0.0


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"reward": expected_reward, "pairs": pairs}


class PolicyRun(Run[Choices]):
    """`loss` is one of LOSSES; `writing` is what a nat of the right text weighs beside it."""

    def __init__(
        self,
        model: Path,
        lists: Sequence[Path],
        course: Course,
        out: Path,
        begin: Path | None = None,
        loss: str = "reward",
        writing: float = 0.0,
    ) -> None:
        self.loss, self.writing = LOSSES[loss], writing
        names = ", ".join(file.name for file in lists)
        said = {"lists": names, "loss": loss} | ({"writing": writing} if writing else {})
        super().__init__(model, [one for file in lists for one in read_lists(file)], course, out, said, begin)

    def learn(self, batch: Sequence[Choices]) -> Record:
        total, said = 0.0, Counter[str]()
        for one in batch:
            values, rewards = values_of(self.net, one), self._rewards(one)
            loss = (self.loss(values, rewards) + self.writing * unwritten(values, rewards)) / len(batch)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
            said[outcome(values.detach(), rewards)] += 1
        return {"loss": round(total, 5)} | dict(said)

    def look(self, held: Sequence[Choices]) -> Record:
        """How the likeliest texts come out, the loss, and the mean reward."""
        said, total, reward, nats = Counter[str](), 0.0, 0.0, 0.0
        for one in held:
            values, rewards = values_of(self.net, one), self._rewards(one)
            said[f"held_{outcome(values, rewards)}"] += 1
            total += float(self.loss(values, rewards))
            reward += float(rewards[values.argmax()])
            nats += float(unwritten(values, rewards))
        figures = {"held_loss": total, "held_reward": reward, "held_nats": nats}
        return {name: round(value / max(1, len(held)), 5) for name, value in figures.items()} | dict(said)

    def _rewards(self, one: Choices) -> Tensor:
        return torch.tensor(one.rewards, device=self.net.norm.device)


def outcome(values: Tensor, rewards: Tensor) -> str:
    """Whether the likeliest text is right, wrong, or the file as it is, which stands last in a list."""
    best = int(values.argmax())
    if best == len(rewards) - 1 and rewards[best] < 1:
        return "kept"
    return "right" if rewards[best] > 0 else "wrong"


def values_of(net: Net, one: Choices) -> Tensor:
    """The log-probability of each text from where they part, in nats; the trunk is read once for all of them."""
    device, trunk = net.norm.device, len(one.trunk)
    lengths = [len(branch) for branch in one.branches]
    ids = torch.tensor([*one.trunk, *(id_ for branch in one.branches for id_ in branch)], device=device)
    places = torch.cat([torch.arange(trunk), *(torch.arange(trunk, trunk + length) for length in lengths)]).to(device)
    states = net.states(ids, places, [trunk, *lengths], branching=True)
    rows, owners = list[int](), list[int]()
    at = trunk
    for owner, length in enumerate(lengths):
        rows += [trunk - 1, *range(at, at + length - 1)][:length]
        owners += [owner] * length
        at += length
    losses, _ = net.losses(states[torch.tensor(rows, device=device)], ids[trunk:])
    values = torch.zeros(len(lengths), device=device)
    return values.index_add(0, torch.tensor(owners, device=device), -losses)
