"""In: a block, and what the sentences before it say. Out: the spot or the declaration of the file that they tell."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from redraft.edit.answer.block import Block
from redraft.edit.merge.described import Described, described
from redraft.edit.merge.insertion import Spot
from redraft.edit.merge.lookup import nodes_of
from redraft.edit.merge.numbered import numbered
from redraft.edit.merge.spots import mentioned, replaced, scope_of, span_of, spot_of
from redraft.edit.outline import Outline
from redraft.edit.words import Known, Saying
from redraft.edit.words.hints import last_line, last_lines, speaks_of
from redraft.edit.words.known import is_import
from redraft.edit.words.sentences import sentences


class Placing:
    """Where the sentences before a block say that it goes; `is_new`: it has lines of its own for the most part.

    `before` is the file before any block.
    """

    def __init__(
        self,
        file: Outline,
        block: Block,
        said: Sequence[Saying],
        before: Sequence[str],
        known: Known,
        is_new: bool,
    ) -> None:
        self._block, self._before = block, before
        imports = all(is_import(line.text) for line in block.lines if line.text.strip())
        self._said = [_among_imports(saying, known) for saying in said] if imports else said
        self._file, self._prose, self._is_new = file, block.prose, is_new
        self._known, self._has_markers = known, block.has_markers

    @cached_property
    def spot(self) -> Spot | None:
        """The spot that they tell by names, or describe: two neighbours that agree tell more than a name."""
        found, told = self._described, self.told()
        if found is None or (told is not None and (not found.is_sure or told.at in found.gap)):
            return told
        return self._apart(found.spot)

    @cached_property
    def numbered(self) -> tuple[int, int] | None:
        """The lines that they number, of which the block shows versions."""
        return numbered(self._block, self._before, self._file)

    @cached_property
    def place(self) -> tuple[int, int] | None:
        """The lines of the one thing, or those with numbers, that new lines replace."""
        return replaced(self._said, self._file) or self.numbered

    @property
    def is_sure(self) -> bool:
        """Whether they describe a spot by neighbours on both sides."""
        return self._described is not None and self._described.is_sure

    @cached_property
    def _described(self) -> Described | None:
        verb = next((saying.verb for saying in reversed(self._said) if saying.verb), "")
        if not self._is_new or self._has_markers or verb not in ("add", ""):
            return None
        span = next((span_of(saying.places, self._file) for saying in reversed(self._said) if saying.places), None)
        every = range(len(self._file.lines))
        last = (sentence.text for sentence in sentences(last_line(self._prose), self._known))
        told = [*(saying.text for saying in self._said), *last]
        return described(told, self._file, every if span is None else span)

    def told(self, since: int | None = None) -> Spot | None:
        """The spot that the last sentence names which names one; of several the first from line `since` on."""
        told = (saying.places for saying in reversed(self._said) if saying.places)
        spot = next((spot for places in told if (spot := spot_of(places, self._file, since)) is not None), None)
        return spot and self._apart(spot)

    def _apart(self, spot: Spot) -> Spot:
        """A spot, with blank lines around it where the words ask for them."""
        words = last_lines(self._prose)
        return replace(spot, apart=speaks_of("blanks", words) and not speaks_of("no blanks", words))

    @cached_property
    def scope(self) -> int | None:
        """The declaration in which they say that the block is."""
        for saying in reversed(self._said):
            if (scope := scope_of(saying.places, self._file)) is not None:
                return scope
            nodes = [at for name in saying.names for at in nodes_of(name, self._file)]
            if saying.verb in ("change", "replace") and len(nodes) == 1:
                return nodes[0]
        return mentioned(self._prose, self._file)


def declares_beside(file: Outline, shown: Outline, scope: int) -> bool:
    """Whether a block declares things of its own that are none inside of the declaration that the words name."""
    name = file.nodes[scope].name
    span = range(file.nodes[scope].start, file.nodes[scope].end)
    for node in (shown.nodes[at] for at in shown.top()):
        there = [at for at in file.named(node.name) if node.name and node.name != name]
        outside = any(file.nodes[at].head not in span for at in there)
        if outside or (not there and node.body is not None and node.kind == "function" and node.name != name):
            return True
    return False


def _among_imports(saying: Saying, known: Known) -> Saying:
    """A sentence on imports: names are those that the lines of the file import."""
    names = [tuple(known.imported(name) or name for name in place.names) for place in saying.places]
    places = zip(saying.places, names, strict=True)
    return replace(saying, places=tuple(replace(place, names=found) for place, found in places))
