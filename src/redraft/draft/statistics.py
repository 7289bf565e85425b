"""In: what each forward added. Out: forwards, drafted and accepted ids, tokens by origin, and a histogram."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from redraft.draft import Origin


@dataclass
class Statistics:
    """Sums over the forwards of one edit or many; `histogram[n]` counts the forwards that accepted n drafted ids."""

    forwards: int = 0
    drafted: int = 0
    accepted: int = 0
    tokens: Counter[Origin] = field(default_factory=Counter)
    histogram: Counter[int] = field(default_factory=Counter)

    def add(self, origins: Sequence[Origin], drafted: int, accepted: int) -> None:
        """Count one forward."""
        self.forwards += 1
        self.drafted += drafted
        self.accepted += accepted
        self.tokens.update(origins)
        self.histogram[accepted] += 1
