"""In: a loss. Out: bits per byte, which compares models with different tokenizers."""

from math import log


def bits_per_byte(nats: float, size: int) -> float:
    """A loss in nats, summed over the ids of a text of `size` bytes."""
    return nats / log(2) / size
