"""In: a model and answers. Out: bits per byte of the answers' text, which compares models with different tokenizers."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

import torch
from torch.nn import functional

from redraft.engines.verifier import Model
from redraft.errors import RedraftError
from redraft.train.answers import Answer

_CHUNK = 512  # bounds the memory for logits


@dataclass(frozen=True)
class Measured:
    """`bits_per_byte` counts the bits of all that the model writes, places and the end included."""

    edits: int
    bytes: int
    bits_per_byte: float


def bits_per_byte(nats: float, size: int) -> float:
    """A loss in nats, summed over the ids of a text of `size` bytes."""
    return nats / log(2) / size


def measure(model: Model, answers: Iterable[Answer]) -> Measured:
    """All bits of all answers by all bytes; raises RedraftError when there is not a byte."""
    edits, size, loss = 0, 0, 0.0
    for answer in answers:
        edits, size, loss = edits + 1, size + answer.size, loss + nats(model, answer)
    if not size:
        raise RedraftError("there is no edit whose answer could be measured")
    return Measured(edits, size, bits_per_byte(loss, size))


@torch.inference_mode()
def nats(model: Model, answer: Answer) -> float:
    """The model's loss on an answer, summed over the ids of its output."""
    session, loss = model.session(), 0.0
    *before, last = answer.prompt
    for start in range(0, len(before), _CHUNK):
        session.forward(before[start : start + _CHUNK], 1)
    fed = [last, *answer.output[:-1]]
    for start in range(0, len(fed), _CHUNK):
        ids = fed[start : start + _CHUNK]
        logits = session.forward(ids, len(ids)).float()
        targets = torch.tensor(answer.output[start : start + _CHUNK], device=logits.device)
        loss += functional.cross_entropy(logits, targets, reduction="sum").item()
    return loss
