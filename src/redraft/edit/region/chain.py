"""In: lines of a block and a file. Out: which line of the file each line of the block is, or is like."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import log1p

from msgspec import Struct

from redraft.edit.text.lines import is_telling, ratio_from

_MOST_PLACES = 12  # of one line in the file; more say nothing about where a block belongs
_LIKE = 0.62  # from this likeness on a line may be the new version of another
_COMPARED = 6  # lines that share the rarest words with a line are compared letter by letter
_CHAINS = 3  # a block may show stretches in another order than the file
_JUMP = 0.35  # what a step of another length costs, times the logarithm of the difference
_LEAST = 0.9  # a chain that is worth less is chance


class Pair(Struct, frozen=True):
    """Line `shown` of the block stands at `line` of the file, or `is_like` the line there."""

    shown: int
    line: int
    weight: float
    is_like: bool


class Lines:
    """A file's lines by what they say."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.places: dict[str, list[int]] = defaultdict(list)
        self.by_word: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(lines):
            self.places[line.strip()].append(at)
            for word in words_of(line):
                self.by_word[word].append(at)

    def pairs(self, shown: Mapping[int, str]) -> list[Pair]:
        """All that lines of a block, by number, may be in the file."""
        return [pair for at, text in shown.items() for pair in self._pairs(at, text.strip())]

    def _pairs(self, at: int, text: str) -> Iterator[Pair]:
        if not is_telling(text):
            return
        places = self.places.get(text, ())
        if len(places) <= _MOST_PLACES:
            yield from (Pair(at, line, 1 / len(places) + 0.1, False) for line in places)
        if not places:
            yield from (Pair(at, line, 0.6 * like, True) for line, like in self._like(text))

    def _like(self, text: str) -> Iterator[tuple[int, float]]:
        votes: dict[int, float] = defaultdict(float)
        for word in sorted(words_of(text)):
            lines = self.by_word.get(word, ())
            for line in lines if len(lines) <= 40 else ():
                votes[line] += 1 / (1 + log1p(len(lines)))
        for line in sorted(votes, key=lambda line: (-votes[line], line))[:_COMPARED]:
            if (like := likeness(text, self.lines[line].strip())) >= _LIKE:
                yield line, like


def chains(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The best runs of pairs whose lines rise in block and file, each line of the block in one of them."""
    found = list[list[Pair]]()
    left = sorted(pairs, key=lambda pair: (pair.shown, pair.line))
    for _ in range(_CHAINS):
        best = _best(left)
        if sum(pair.weight for pair in best) < _LEAST and (found or not any(pair.weight > 0.5 for pair in best)):
            break
        found.append(best)
        used = {pair.shown for pair in best}
        left = [pair for pair in left if pair.shown not in used]
    return found


def _best(pairs: Sequence[Pair]) -> list[Pair]:
    worth: list[float] = []
    before: list[int] = []
    for at, pair in enumerate(pairs):
        best, previous = 0.0, -1
        for other in range(max(0, at - 150), at):
            step, jump = pair.shown - pairs[other].shown, pair.line - pairs[other].line
            if step > 0 and jump > 0:
                value = worth[other] - min(1.5, _JUMP * log1p(abs(jump - step))) + (0.3 if step == jump else 0)
                if value > best:
                    best, previous = value, other
        worth.append(best + pair.weight)
        before.append(previous)
    found: list[Pair] = []
    at = max(range(len(worth)), key=worth.__getitem__, default=-1)
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


@lru_cache(maxsize=65536)
def words_of(line: str) -> frozenset[str]:
    """The words of a line."""
    return frozenset("".join(sign if sign.isalnum() or sign == "_" else " " for sign in line).split())


@lru_cache(maxsize=16384)
def likeness(one: str, other: str) -> float:
    """From 0 to 1, by letters; 0 where it is too little to count."""
    return ratio_from(_LIKE, one, other)
