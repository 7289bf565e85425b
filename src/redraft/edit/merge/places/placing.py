"""In: a block, and what the sentences before it say. Out: the spot or the declaration of the file that they tell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from redraft.edit.align.likeness import indent
from redraft.edit.answer.block import Block
from redraft.edit.merge.lines.insertion import Spot
from redraft.edit.merge.lines.lookup import item_of, nodes_of, statement_end
from redraft.edit.merge.places.described import Described, described
from redraft.edit.merge.places.overlap import begins_as, has_more, shows_new_heads, tells_apart
from redraft.edit.merge.places.spots import line_of, mentioned, named_in, replaced, scope_of, span_of, spot_of
from redraft.edit.outline import Node, Outline
from redraft.edit.text.changes import common
from redraft.edit.text.lines import is_telling, lead_of, ratio_from, written
from redraft.edit.words import Directive, Known, Place
from redraft.edit.words.hints import last_line, last_lines, speaks_of
from redraft.edit.words.known import is_import
from redraft.edit.words.sentences import sentences

_ALIKE = 0.8
_CHANGING = ("", "change", "replace")
_QUOTED = re.compile(r"`[^`]+`")


class Placing:
    """Where the sentences before a block say that it goes; `is_new`: it has lines of its own for the most part."""

    def __init__(
        self, file: Outline, block: Block, directives: Sequence[Directive], known: Known, is_new: bool
    ) -> None:
        self._block = block
        self._texts = block.texts
        imports = all(map(is_import, written(self._texts)))
        self._directives = [_among_imports(each, known) for each in directives] if imports else directives
        self.verb = next((directive.verb for directive in reversed(directives) if directive.verb), "")
        self._file, self._prose, self._is_new = file, block.prose, is_new
        self._known, self._has_markers = known, block.has_markers

    @cached_property
    def spot(self) -> Spot | None:
        """The spot that they tell by names, or describe: two neighbours that agree tell more than a name."""
        found, named = self._described, self._named
        if found is None or (named is not None and (not found.is_sure or named.at in found.gap)):
            return named
        return self._apart(found.spot)

    @cached_property
    def place(self) -> tuple[int, int] | None:
        """The lines of the one thing that they say is replaced, or of versions of the block in one."""
        return replaced(self._directives, self._file) or self._renewed

    @property
    def _renewed(self) -> tuple[int, int] | None:
        """The lines of which the block shows versions, one by one, in the declaration that they say it is in."""
        if self._span is None or self._has_markers or not self._relations <= {"inside"}:
            return None
        is_change = bool(self._relations) and all(directive.verb in _CHANGING for directive in self._directives)
        count = len(self._texts)
        found = self._versions(range(self._span.start, self._span.stop - count + 1), is_change)
        if not found or not (is_change or len(found) == 1):
            return None
        best = max(found, key=found.__getitem__)
        return best, best + count

    @cached_property
    def version(self) -> tuple[int, int] | None:
        """The only lines of the file of which the block may show versions, where nobody says that it adds any."""
        adds, count = self._adds or speaks_of("addition", last_lines(self._prose)), len(self._texts)
        if adds or self._has_markers or any(map(is_import, self._texts)) or not any(map(is_telling, self._texts)):
            return None
        found = [*self._versions(range(len(self._file.lines) - count + 1), is_change=True)]
        return (found[0], found[0] + count) if len(found) == 1 else None

    def _versions(self, starts: Iterable[int], is_change: bool) -> dict[int, float]:
        """How alike the block is to the lines from each of some places on to which it is alike."""
        shown = [*map(str.strip, self._texts)]
        return {at: likeness for at in starts if (likeness := self._likeness(shown, at, is_change)) >= _ALIKE}

    def _likeness(self, shown: Sequence[str], at: int, is_change: bool) -> float:
        """How alike lines are to the file's from a place on, the least alike, or 0 where one is too little; where no
        change is told, they only have more than those."""
        least = 1.0
        for text, line in zip(shown, self._file.lines[at : at + len(shown)], strict=True):
            least = min(least, _likeness(text, line.strip(), is_change))
            if least < _ALIKE:
                return 0.0
        return least

    def knows(self, shown: Outline, own: range) -> bool:
        """Whether something that a block shows in some lines has the name of one thing of the file."""
        return any(shown.nodes[at].head in own and tells_apart(shown.nodes[at].name, self._file) for at in shown.top())

    def puts(self, shown: Outline) -> bool:
        """Whether the words say where a block whose heads are new is added, and nothing is called so."""
        if self.verb != "add" or not shows_new_heads(self._block, self._known) or self.spot is None:
            return False
        nodes = (shown.nodes[at] for at in shown.top())
        names = {node.name for node in nodes if indent(self._texts[node.head]) == indent(self._texts[0])}
        return not any(tells_apart(name, self._file) for name in names if not name.isdigit())

    @property
    def begins_there(self) -> bool:
        """Whether the block begins as a stretch of the file, or in the declaration that they tell; where nobody says
        that it adds lines, whether any line of it is in there."""
        is_inside = next(self._inside, False) if self._adds else any(self._inside)
        return is_inside or begins_as(self._file, self._block)

    @property
    def _adds(self) -> bool:
        return any(directive.verb == "add" for directive in self._directives)

    @property
    def _inside(self) -> Iterator[bool]:
        """Whether each line of the block stands once in the declaration of which they tell no more than its name, or,
        where more lines follow, its start or end."""
        edges = {"start", "end"} if len(self._texts) > 1 else set[str]()
        if self.scope is None or not self._relations or not self._relations <= {"inside", *edges}:
            return
        own = [*map(str.strip, self._file.lines[self.scope.start : self.scope.end])]
        yield from (is_telling(text) and own.count(text) == 1 for text in map(str.strip, written(self._texts)))

    @property
    def _relations(self) -> set[str]:
        return {place.relation for directive in self._directives for place in directive.places}

    @property
    def is_sure(self) -> bool:
        """Whether they describe a spot by neighbours on both sides."""
        return self._described is not None and self._described.is_sure

    def holds(self, lines: Sequence[str]) -> bool:
        """Whether the file's lines become others only in the declaration that they name, of which they tell no more."""
        if self.scope is None or self._relations != {"inside"} or self._described is not None:
            return False
        node, old = self.scope, self._file.lines
        return node.start <= common(old, lines) and common(old[::-1], lines[::-1]) >= len(old) - node.end

    def misses(self, lines: Sequence[str]) -> bool:
        """Whether the file's lines become others, but none in or beside the declaration in which they say it is."""
        if not self._directives or self.scope is None or lines == self._file.lines:
            return False
        last, node, old = self._directives[-1], self.scope, self._file.lines
        named = {*last.names}.union(*(place.names for place in last.places))
        is_outside = common(old, lines) > node.end or len(old) - common(old[::-1], lines[::-1]) < node.start
        return is_outside and last.verb in ("", "change") and (not last.places or node.name in named)

    @cached_property
    def _described(self) -> Described | None:
        if not self._is_new or self._has_markers or self.verb not in ("add", ""):
            return None
        placed = next((directive.places for directive in reversed(self._directives) if directive.places), ())
        last = (sentence.text for sentence in sentences(last_line(self._prose), self._known))
        named = [*(directive.text for directive in self._directives), *last]
        return described(named, self._file, span_of(placed, self._file))

    @property
    def _named(self) -> Spot | None:
        """The spot that the last sentence names which names one."""
        for directive in reversed(self._directives):
            places = self._places(directive) if directive.places else ()
            if (spot := spot_of(places, self._file)) is not None:
                return self._apart(self._beside_item(spot, places))
        return None

    def _places(self, directive: Directive) -> tuple[Place, ...]:
        """The places of a sentence, and in what it says is changed."""
        is_change = directive.verb == "change" and len(directive.names) == 1
        return (*directive.places, *[Place("inside", directive.names)] * is_change)

    def _beside_item(self, spot: Spot, places: Sequence[Place]) -> Spot:
        """A spot beside a line, or beside the item of a list that holds it where the block begins as an item."""
        if spot.like is not None or not self._texts[0].lstrip().startswith("- "):
            return spot
        for relation, at in (("before", spot.at), ("after", spot.at - 1)):
            line = "".join(self._file.lines[max(0, at) : at + 1])
            is_named = any(name in line for name in named_in(places, relation, "between"))
            item = item_of(at, self._texts[0], self._file) if is_named else None
            if item is not None:
                lead = lead_of(self._file.lines[item.start])
                return Spot(item.start if relation == "before" else item.stop, lead=lead)
        return spot

    def _apart(self, spot: Spot) -> Spot:
        """A spot, with blank lines around it where the words ask for them, or without where they ask for none."""
        words = _QUOTED.sub("", last_lines(self._prose))
        asks, refuses = speaks_of("blanks", words), speaks_of("no blanks", words)
        return replace(spot, apart=asks and not refuses, close=refuses)

    @cached_property
    def _span(self) -> range | None:
        """The lines of the declaration in which they say that the block is, or of what a line that they quote opens."""
        if self.scope is not None:
            return range(self.scope.start, self.scope.end)
        heads = (line_of(directive.places, self._file) for directive in reversed(self._directives))
        return next((range(at, statement_end(at, self._file)) for at in heads if at is not None), None)

    @cached_property
    def scope(self) -> Node | None:
        """The declaration in which they say that the block is."""
        for directive in reversed(self._directives):
            if (scope := scope_of(directive.places, self._file)) is not None:
                return scope
            nodes = [at for name in directive.names for at in nodes_of(name, self._file)]
            if directive.verb in ("change", "replace") and len(nodes) == 1:
                return self._file.nodes[nodes[0]]
        return mentioned(self._prose, self._file)


def _likeness(text: str, line: str, is_change: bool) -> float:
    if text == line:
        return 1.0
    alike = ratio_from(_ALIKE, text, line) if is_change else 0.0
    return max(alike, _ALIKE * has_more(line, text, is_change))


def _among_imports(directive: Directive, known: Known) -> Directive:
    """A sentence on imports: names are those that the lines of the file import."""
    names = [tuple(known.imported(name) or name for name in place.names) for place in directive.places]
    places = zip(directive.places, names, strict=True)
    return replace(directive, places=tuple(replace(place, names=found) for place, found in places))
