"""In: a model, the ids of a prompt and of an output. Out: what the model loses on the output, in nats."""

from collections.abc import Sequence

import torch
from torch.nn import functional

from redraft.engines.verifier import Model

_CHUNK = 512  # bounds the memory for logits


@torch.inference_mode()
def nats(model: Model, prompt: Sequence[int], output: Sequence[int]) -> float:
    """The model's loss, summed over the ids of the output."""
    session, loss = model.session(), 0.0
    *before, last = prompt
    for start in range(0, len(before), _CHUNK):
        session.forward(before[start : start + _CHUNK], 1)
    fed = [last, *output[:-1]]
    for start in range(0, len(fed), _CHUNK):
        ids = fed[start : start + _CHUNK]
        logits = session.forward(ids, len(ids)).float()
        targets = torch.tensor(output[start : start + _CHUNK], device=logits.device)
        loss += functional.cross_entropy(logits, targets, reduction="sum").item()
    return loss
