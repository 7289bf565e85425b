"""In: the output, one id at a time. Out: the text and the position in it from which to go on drafting.

Where the output leaves the text that it followed, every place that ends like the output is weighed: the bits of
surprise of the ids that agree there, less the bits that say how far that place is from where one would expect it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.draft.automaton import SuffixAutomaton
from redraft.draft.text import TAIL, Text

# Bits, chosen on the cases of tests/test_forwards.py and on random line edits without an update; the optimum is broad.
_LESSER_SOURCE = 0.5
_REPLACED = 4.0
_FOLLOWED = 4.0
_SURE = 20.0
# Ids that a better text must share before it is gone back to: sooner, and a sketch is left within its hunk.
_REJOIN = 16
_ANCHORS = 4


@dataclass(frozen=True)
class Place:
    """A position in text number `text`, and the bits that speak for it."""

    text: int
    position: int
    score: float


@dataclass(frozen=True)
class _Anchor:
    """The output left a text at `position`, being `written` ids long."""

    position: int
    written: int

    def expected(self, length: int) -> tuple[int, int]:
        """Where an output of `length` ids goes on: there, after an insertion; or as far on as the output is."""
        return self.position, self.position + length - self.written

    def cost(self, end: int, length: int) -> float:
        return math.log2(1 + min(abs(end - expected) for expected in self.expected(length)))


class Follower:
    """Reads the output; `place` is where it goes on. The output itself is the last text."""

    def __init__(self, sources: Sequence[Text]) -> None:
        self.texts = [*sources, Text("output", ())]
        self.place = Place(0, 0, _SURE)
        self._run = 0
        self._anchors = [[_Anchor(0, 0)] for _ in self.texts]
        self._automaton: SuffixAutomaton | None = None

    def read(self, output: Sequence[int], length: int) -> None:
        """Read the id that makes the output `length` ids long."""
        place, token = self.place, output[length - 1]
        ids = self.texts[place.text].ids
        if place.position < len(ids) and ids[place.position] == token:
            self._run += 1
            self.place = Place(place.text, place.position + 1, place.score)
            if place.text:
                self.place = self.rejoin(self.place, output[max(length - TAIL, 0) : length], length)
            return
        if place.score + _FOLLOWED * self._run >= _SURE:
            self._anchors[place.text] = [_Anchor(place.position, length - 1), *self._anchors[place.text]][:_ANCHORS]
        self._run = 0
        self.place = self._anchor(output, length)

    def rejoin(self, place: Place, tail: Sequence[int], length: int) -> Place:
        """The place in a text before `place.text` that ends like `tail` too, or else `place`."""
        run = list(tail[-_REJOIN:])
        if len(run) < _REJOIN:
            return place
        for number, text in enumerate(self.texts[: place.text]):
            expected = self._anchors[number][0].expected(length)
            ends = {end for near in expected for end in text.ends(run, near)}
            found = max((self._weigh(number, end, tail, length) for end in ends), key=_score, default=place)
            if ends and found.score >= _SURE:
                return found
        return place

    def _anchor(self, output: Sequence[int], length: int) -> Place:
        """The likeliest place after a divergence."""
        longest = self._index(output, length)
        tail = list(output[max(length - TAIL, 0) : length])
        run = tail[-max(longest, 1) :]
        found: set[tuple[int, int]] = set()
        for number, text in enumerate(self.texts):
            for near in {near for anchor in self._anchors[number] for near in anchor.expected(length)}:
                ends = (*text.ends(tail[-1:], near), *text.ends(run, near))
                found.update((number, end) for end in ends if end < len(text.ids))
        weighed = (self._weigh(number, end, tail, length) for number, end in found)
        return max((self._replaced(length), *weighed), key=_score)

    def _replaced(self, length: int) -> Place:
        """As many ids replaced as were written since the output left the text that it followed last."""
        anchors = [anchors[0] for anchors in self._anchors]
        text = max(range(len(anchors)), key=lambda number: anchors[number].written)
        return Place(text, anchors[text].expected(length)[1], _REPLACED - (length - anchors[text].written))

    def _weigh(self, text: int, end: int, tail: Sequence[int], length: int) -> Place:
        costs = (anchor.cost(end, length) + age for age, anchor in enumerate(self._anchors[text]))
        score = self.texts[text].evidence(tail, end) - min(costs) - _LESSER_SOURCE * text
        return Place(text, end, score)

    def _index(self, output: Sequence[int], length: int) -> int:
        """How many of the first `length` ids occur elsewhere, at their end; built at the first divergence."""
        if self._automaton is None:
            self._automaton = SuffixAutomaton(text.ids for text in self.texts[:-1])
        written = self.texts[-1]
        for token in output[len(written.ids) : length]:
            self._automaton.extend(token)
            written.append(token)
        return self._automaton.longest


def _score(place: Place) -> tuple[float, int, int]:
    """Ties fall to the better text, then to the earlier place."""
    return place.score, -place.text, -place.position
