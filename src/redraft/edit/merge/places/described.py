"""In: sentences that describe a place, and a file's outline. Out: the one place whose neighbours have their words.

No name need be declared: words of comments, strings and lines count, the rarer in the file the more.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import log

from msgspec import Struct

from redraft.edit.merge.lines.insertion import Spot
from redraft.edit.merge.lines.written import written_places
from redraft.edit.outline import Outline
from redraft.edit.text.lines import lead_of
from redraft.edit.words.phrases import Phrase, phrases

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]{2,}|[^\W\d_a-zA-Z]{2,}")
_QUOTE = 2.0  # what quoted text counts more than a word that is as rare
_CLEAR = 0.8  # share of the best place's score that the next one may have
_RARE = 0.25  # share of the greatest weight that each neighbour needs
_MOST_LINES = 5000


class Described(Struct, frozen=True):
    """A spot, the lines before which it may as well be, and whether two neighbours agree on it."""

    spot: Spot
    gap: range
    is_sure: bool


def described(sentences: Sequence[str], file: Outline, span: range) -> Described | None:
    """The spot in a span that the last sentence describes which describes one; None where none fits, or several do."""
    if len(file.lines) > _MOST_LINES:
        return None
    for sentence in reversed(sentences):
        if found := phrases(sentence):
            return _Places(file, span).best(found)
    return None


class _Places:
    """The places between written lines of a file, and what stands above and below each."""

    def __init__(self, file: Outline, span: range) -> None:
        self._file = file
        self._words = [_words_in(line) for line in file.lines]
        self._count = Counter(chain.from_iterable(self._words))
        inner = ((a + 1, b) for a, b in pairwise([-1, *written_places(file.lines), len(file.lines)]))
        self._gaps = [gap for gap in inner if span.start <= gap[0] and gap[1] <= span.stop]
        self._starts: dict[int, list[int]] = {}
        self._ends: dict[int, list[int]] = {}
        for at, node in enumerate(file.nodes):
            self._starts.setdefault(node.start, []).append(at)
            self._ends.setdefault(node.end, []).append(at)

    def best(self, sentences: Sequence[Phrase]) -> Described | None:
        least = _RARE * log(1 + len(self._file.lines))
        telling = [phrase for phrase in sentences if max(map(self._weight, self._said(phrase)), default=0.0) >= least]
        scores = [[self._score(phrase, gap) for phrase in telling] for gap in self._gaps]
        ranked = sorted(range(len(scores)), key=lambda at: -sum(scores[at]))
        if not telling or not ranked or sum(scores[ranked[0]]) < least:
            return None
        first, others = ranked[0], [sum(scores[at]) for at in ranked[1:2]]
        if others and others[0] > _CLEAR * sum(scores[first]):
            return None
        fits = [phrase for phrase, score in zip(telling, scores[first], strict=True) if score >= least]
        sides = {phrase.relation for phrase in fits}
        gap = self._gaps[first]
        return Described(self._spot(gap, next(iter(fits), telling[0])), range(gap[0], gap[1] + 1), len(sides) == 2)

    def _said(self, phrase: Phrase) -> set[str]:
        return set[str]().union(*map(_words_in, (*phrase.words, *phrase.quotes)))

    def _weight(self, word: str) -> float:
        """How much a word tells: the more, the rarer it is."""
        return log((1 + len(self._file.lines)) / self._count[word]) if self._count[word] else 0.0

    def _score(self, phrase: Phrase, gap: tuple[int, int]) -> float:
        """How much of a phrase the neighbour on its side has in its heading, the greatest of what may be meant."""
        return max((self._fit(phrase, lines) for lines in self._beside(phrase, gap)), default=0.0)

    def _beside(self, phrase: Phrase, gap: tuple[int, int]) -> Iterator[range]:
        """The lines that head what ends above a gap, or begins below it."""
        yield from map(self._heading, self._nodes(phrase, gap))
        line = gap[0] - 1 if phrase.relation == "after" else gap[1]
        if 0 <= line < len(self._file.lines):
            yield range(line, line + 1)

    def _nodes(self, phrase: Phrase, gap: tuple[int, int]) -> Sequence[int]:
        """What ends above a gap or begins below it, as a phrase says."""
        return self._ends.get(gap[0], ()) if phrase.relation == "after" else self._starts.get(gap[1], ())

    def _fit(self, phrase: Phrase, lines: range) -> float:
        has = set[str]().union(*self._words[lines.start : lines.stop])
        text = "\n".join(self._file.lines[lines.start : lines.stop])
        quoted = set[str]().union(*(_words_in(quote) for quote in phrase.quotes if quote in text))
        return sum(self._weight(word) * (_QUOTE if word in quoted else 1.0) for word in self._said(phrase) & has)

    def _spot(self, gap: tuple[int, int], phrase: Phrase) -> Spot:
        """The spot beside what a phrase means of all that ends or begins at a gap."""
        at, beside = (gap[0], gap[0] - 1) if phrase.relation == "after" else (gap[1], gap[1])
        if found := self._nodes(phrase, gap):
            node = max(found, key=lambda at: (self._fit(phrase, self._heading(at)), -at))
            return Spot(at, node)
        return Spot(at, lead=lead_of("".join(self._file.lines[max(0, beside) : beside + 1])))

    def _heading(self, node: int) -> range:
        """The lines up to the head of a declaration, and its comments."""
        return range(self._file.nodes[node].start, self._file.nodes[node].head + 1)


def _words_in(text: str) -> set[str]:
    """The words of a text and of the names in it, in lower case and the singular."""
    return {word.lower().removesuffix("s") for word in _WORD.findall(text)}
