"""In: how likely one way to take a part of an answer is. Out: what speaks against the other way."""

from collections.abc import Sequence

DOUBTED = 0.2  # the chance from which both ways are likely
_LEAST, _STEEP = 0.1, 2.0  # what speaks against the other way at the least, and how it grows with the chance


def margin(chance: float, least: float) -> float:
    """What speaks against the other way, where the chance of one decides from `least` on."""
    return _LEAST + abs(chance - least) * _STEEP


def joined(lines: Sequence[str], like: str) -> str:
    """Lines as a text that ends as another does."""
    return "\n".join(lines) + "\n" * like.endswith("\n")
