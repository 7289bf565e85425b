"""In: a model and answers. Out: bits per byte of the answers' text, which compares models with different tokenizers."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

from redraft.engines.loss import nats
from redraft.engines.verifier import Model
from redraft.errors import RedraftError
from redraft.train.answers import Answer


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
        edits, size, loss = edits + 1, size + answer.size, loss + nats(model, answer.prompt, answer.output)
    if not size:
        raise RedraftError("there is no edit whose answer could be measured")
    return Measured(edits, size, bits_per_byte(loss, size))
