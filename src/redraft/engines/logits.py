"""In: logits, an array of numpy or a tensor of torch on any device. Out: the likeliest ids, or what a text costs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from redraft.models.tensors import Array

if TYPE_CHECKING:
    from torch import Tensor

Logits = Any  # an Array or a Tensor, (ids, vocabulary)
_BLOCK = 256


def likeliest(logits: Logits) -> tuple[list[int], list[float]]:
    """The id of the highest logit in each row, of equal ones the lowest, and its distance to the next highest."""
    if not isinstance(logits, numpy.ndarray):
        return _likeliest_on_device(logits)
    rows = numpy.arange(len(logits))
    ids = logits.argmax(-1)
    top = logits[rows, ids]
    logits[rows, ids] = -numpy.inf
    margins = top - logits.max(-1)
    logits[rows, ids] = top
    return ids.tolist(), margins.tolist()


def nats(logits: Logits, ids: Sequence[int]) -> float:
    """What the ids lose, one a row, summed."""
    if not isinstance(logits, numpy.ndarray):
        return _nats_on_device(logits, ids)
    return float(-log_shares(logits)[numpy.arange(len(ids)), ids].sum(dtype=numpy.float64))


def array(logits: Logits) -> Array:
    """The same in float32, where numpy reaches it."""
    return logits if isinstance(logits, numpy.ndarray) else logits.float().cpu().numpy()


def log_shares(logits: Array) -> Array:
    """The logarithms of the softmax of each row."""
    found: Array = logits - logits.max(-1, keepdims=True)
    found -= numpy.log(numpy.exp(found).sum(-1, keepdims=True))
    return found


def _likeliest_on_device(logits: "Tensor") -> tuple[list[int], list[float]]:
    # Finding a maximum is several times faster than finding its place, so the place is looked for in one block.
    import torch
    import torch.nn.functional as nn

    padded = nn.pad(logits, (0, -logits.shape[-1] % _BLOCK), value=-torch.inf)
    blocks = padded.view(len(padded), -1, _BLOCK)
    highest = blocks.amax(-1)
    top, block = highest.max(-1, keepdim=True)
    best = blocks.take_along_dim(block[..., None], 1)[:, 0]
    place = best.argmax(-1, keepdim=True)
    others = highest.scatter(-1, block, -torch.inf).amax(-1), best.scatter(-1, place, -torch.inf).amax(-1)
    margins = top[:, 0].float() - torch.maximum(*others).float()
    return (block * _BLOCK + place)[:, 0].tolist(), margins.tolist()


def _nats_on_device(logits: "Tensor", ids: Sequence[int]) -> float:
    import torch
    import torch.nn.functional as nn

    return nn.cross_entropy(logits.float(), torch.tensor(ids, device=logits.device), reduction="sum").item()
