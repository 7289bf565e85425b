"""In: the changes of a file. Out: how each stands among the others and in the file: size, company, spelling habits.

A line that is paraphrased keeps what the changes beside it share, and spells as its writer does, not as the file.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import log1p

from redraft.edit.merge.common.differing import is_name, share, stems
from redraft.edit.merge.judge.differences import Differences
from redraft.edit.text.lines import is_telling

_FAR = 1000  # lines to another change where there is none
_AGAIN = 30  # lines around new ones in which the same may stand
_NO_HABIT = 9.0  # a logarithm greater than those of what files repeat


class Standing(Differences):
    """What differs, and how much that is beside all the rest."""

    def _of_size(self, at: int) -> Iterator[tuple[str, float]]:
        gone, come = self._differing[at]
        old, new = (" ".join(map(str.strip, lines)) for lines in (self.old(at), self.new(at)))
        beside = (other for other in (at - 1, at + 1) if 0 <= other < len(self.found))
        yield "tokens go", log1p(len(gone))
        yield "tokens come", log1p(len(come))
        yield "token share", (len(gone) + len(come)) / max(1, sum(len(o) + len(n) for o, n in self._differing))
        yield "distance", log1p(max(0, min((self._distance(at, other) for other in beside), default=_FAR)))
        yield "at", at / len(self.found)
        if old and new:
            yield "characters", log1p(len(old))
            yield "characters more or less", log1p(abs(len(old) - len(new)))

    def _of_whole(self) -> Iterator[tuple[str, float]]:
        yield "words", log1p(len(self._answer.prose.split()))
        yield "lines shown", log1p(self.shown)
        yield "lines", log1p(len(self.before))
        yield "blocks", float(len(self._answer.blocks))
        yield "slips of shown", self._slips / max(1, self.shown)

    def _of_company(self, at: int) -> Iterator[tuple[str, float]]:
        others = [other for other in range(len(self.found)) if other != at]
        yield "other versions", float(sum(bool(self.old(other) and self.new(other)) for other in others))
        yield "other gains", float(sum(not self.old(other) for other in others))
        for name, shares in (("spoken", self._shares), ("asked", self._asked_shares)):
            yield f"others more {name}", sum(shares[other] > shares[at] for other in others) / max(1, len(others))
        (gone, come), named = self._names[at], [self._names[other] for other in others]
        shared = {name for sides in named for side in sides for name in side}
        new = {name for _, side in named for name in side}
        yield "shared with others", len((gone | come) & shared) / max(1, len(gone | come))
        yield "comes in others", len(come & new) / max(1, len(come))

    @cached_property
    def _names(self) -> list[tuple[set[str], set[str]]]:
        """The names that go and that come in each stretch."""
        return [({*filter(is_name, gone)}, {*filter(is_name, come)}) for gone, come in self._differing]

    @cached_property
    def _asked_shares(self) -> list[float]:
        """For each stretch the share of its differing words that are asked for."""
        return [share(stems(" ".join((*gone, *come))), self.speech.asked) for gone, come in self._differing]

    def _of_habits(self, at: int) -> Iterator[tuple[str, float]]:
        """Whether the file spaces and quotes as the old line does, or as the new one."""
        habits, (old, new) = (
            _habits(tuple(self.before)),
            (Counter(_signs_of(side(at))) for side in (self.old, self.new)),
        )
        if not old or not new:
            return
        gone = [log1p(max(0, habits[piece] - 1)) for piece in old - new]
        come = [log1p(habits[piece]) for piece in new - old]
        before, after = (sum(found) / max(1, len(found)) for found in (gone, come))
        yield "habit goes", before
        yield "habit comes", after
        yield "habit lost", before - after
        yield "least habit", min(come, default=_NO_HABIT)
        yield "unknown habits", come.count(0.0) / max(1, len(come))

    def _again_near(self, at: int) -> float:
        """How near to new lines one of them stands again."""
        each, new = self.found[at], {line.strip() for line in self.new(at) if is_telling(line)}
        for distance in range(1, _AGAIN):
            around = (each.after_start - distance, each.after_end - 1 + distance)
            if any(0 <= n < len(self.after) and self.after[n].strip() in new for n in around):
                return 1 / distance
        return 0.0


@lru_cache(maxsize=4)
def _habits(lines: tuple[str, ...]) -> Counter[str]:
    """In how many lines each piece with a sign stands."""
    return Counter(piece for line in lines for piece in {*_signs_of([line])})


def _signs_of(lines: Sequence[str]) -> Iterator[str]:
    """All pieces of three characters with one that is no letter or digit."""
    for line in map(str.strip, lines):
        yield from (line[at : at + 3] for at in range(len(line) - 2) if not line[at : at + 3].isalnum())
