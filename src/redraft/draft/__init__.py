"""In: nothing. Out: the types that drafters and the loop share. Ids only: no text, no torch."""

from collections.abc import Sequence
from typing import Literal, Protocol

# Spelled a second time because `edit`, which spells it too, and `draft` do not import each other.
Origin = Literal["prediction", "original", "update", "output", "model"]
# Of one position: an id and the natural logarithm of its probability, first the id chosen, then the likeliest ones.
Logprobs = tuple[tuple[int, float], ...]


class Drafter(Protocol):
    """Guesses what comes after `output`: a function of what it was built from and `output`, nothing else."""

    def draft(self, output: Sequence[int], limit: int) -> Sequence[int]:
        """At most `limit` ids that may come next; empty when there is no guess."""
        ...

    def origins(self) -> Sequence[Origin]:
        """Who drafted each id of the last draft."""
        ...
