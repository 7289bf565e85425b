"""In: a model, the ids of a prompt and of an output. Out: what the model loses on the output, in nats."""

from collections.abc import Sequence

from redraft.engines import logits
from redraft.engines.verifier import Model

_CHUNK = 256  # bounds the memory for logits


def nats(model: Model, prompt: Sequence[int], output: Sequence[int]) -> float:
    """The model's loss, summed over the ids of the output."""
    session, loss = model.session(), 0.0
    *before, last = prompt
    for start in range(0, len(before), _CHUNK):
        session.forward(before[start : start + _CHUNK], 1)
    fed = [last, *output[:-1]]
    for start in range(0, len(fed), _CHUNK):
        ids = fed[start : start + _CHUNK]
        loss += logits.nats(session.forward(ids, len(ids)), output[start : start + _CHUNK])
    return loss
