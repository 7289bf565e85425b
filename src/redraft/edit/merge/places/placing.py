"""In: a block, and what the sentences before it say. Out: the spot or the declaration of the file that they tell."""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from msgspec.structs import replace

from redraft.edit.align.likeness import indent
from redraft.edit.answer.block import Block
from redraft.edit.merge.common.insertion import Spot
from redraft.edit.merge.common.lookup import behind_all, item_of, nodes_of, stands, statement_end
from redraft.edit.merge.places.described import Described, described
from redraft.edit.merge.places.overlap import begins_as, has_more, shows_new_heads, tells_apart
from redraft.edit.merge.places.spots import line_of, mentioned, replaced, scope_of, span_of, spot_of
from redraft.edit.outline import Outline
from redraft.edit.text.changes import common
from redraft.edit.text.lines import is_telling, lead_of
from redraft.edit.words import Directive, Known, Place
from redraft.edit.words.grammar import THINGS
from redraft.edit.words.hints import last_line, last_lines, speaks_of
from redraft.edit.words.known import is_import
from redraft.edit.words.sentences import sentences

_ALIKE = 0.8
_CHANGING = ("", "change", "replace")
_WITHIN = ("inside", "start", "end")
_QUOTED = re.compile(r"`[^`]+`")


class Placing:
    """Where the sentences before a block say that it goes; `is_new`: it has lines of its own for the most part."""

    def __init__(self, file: Outline, block: Block, said: Sequence[Directive], known: Known, is_new: bool) -> None:
        self._block = block
        imports = all(is_import(line.text) for line in block.lines if line.text.strip())
        self._said = [_among_imports(directive, known) for directive in said] if imports else said
        self._file, self._prose, self._is_new = file, block.prose, is_new
        self._known, self._has_markers = known, block.has_markers

    @cached_property
    def spot(self) -> Spot | None:
        """The spot that they tell by names, or describe: two neighbours that agree tell more than a name."""
        found, named = self._described, self.named()
        if found is None or (named is not None and (not found.is_sure or named.at in found.gap)):
            return named
        return self._apart(found.spot)

    @property
    def is_told(self) -> bool:
        """Whether they tell a spot or a declaration."""
        return (self.spot, self.scope) != (None, None)

    @cached_property
    def place(self) -> tuple[int, int] | None:
        """The lines of the one thing, or those in one, that new lines replace."""
        return self.given_up or self.renewed

    @cached_property
    def given_up(self) -> tuple[int, int] | None:
        """The lines of the one thing that they say is replaced."""
        return replaced(self._said, self._file)

    @cached_property
    def renewed(self) -> tuple[int, int] | None:
        """The lines of which the block shows versions, one by one, in the declaration that they say it is in."""
        is_change = self._relations == {"inside"} and all(directive.verb in _CHANGING for directive in self._said)
        if self._span is None or self._has_markers or not self._relations <= {"inside"}:
            return None
        count = len(self._block.lines)
        found = self._versions(range(self._span.start, self._span.stop - count + 1), is_change)
        best = max(found, key=found.__getitem__, default=None)
        is_clear = best is not None and (is_change or len(found) == 1)
        return (best, best + count) if best is not None and is_clear else None

    @cached_property
    def version(self) -> tuple[int, int] | None:
        """The only lines of the file of which the block may show versions, where nobody says that it adds any."""
        adds = speaks_of("addition", last_lines(self._prose)) or any(
            directive.verb == "add" for directive in self._said
        )
        count, texts = len(self._block.lines), [line.text for line in self._block.lines]
        if adds or self._has_markers or any(map(is_import, texts)) or not any(map(is_telling, texts)):
            return None
        found = [*self._versions(range(len(self._file.lines) - count + 1), is_change=True)]
        return (found[0], found[0] + count) if len(found) == 1 else None

    def _versions(self, starts: Iterable[int], is_change: bool) -> dict[int, float]:
        """How alike the block is to the lines from each of some places on to which it is alike."""
        shown = [line.text.strip() for line in self._block.lines]
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

    def puts(self, block: Block, shown: Outline) -> bool:
        """Whether the words say where a block that they set apart, or whose heads are new, is added, and nothing is
        called so."""
        verb = next((directive.verb for directive in reversed(self._said) if directive.verb), "")
        nodes = (shown.nodes[at] for at in shown.top())
        lines = [line.text for line in block.lines]
        names = (node.name for node in nodes if indent(lines[node.head]) == indent(lines[0]))
        return shows_new_heads(block, self._known) and verb == "add" and self._is_free(names)

    def _is_free(self, names: Iterable[str]) -> bool:
        """Whether there is a spot, and nothing has one of some names."""
        telling = (name for name in names if not name.isdigit() and tells_apart(name, self._file))
        return self.spot is not None and not any(self._file.named(name) for name in telling)

    @property
    def begins_there(self) -> bool:
        """Whether the block begins as a stretch of the file, or in the declaration that they tell; where nobody says
        that it adds lines, whether any line of it is in there."""
        adds = any(directive.verb == "add" for directive in self._said)
        return self.begins_inside or begins_as(self._file, self._block) or (not adds and any(self._inside))

    @property
    def begins_inside(self) -> bool:
        """Whether the block's first line stands once in the declaration of which they tell no more than its name, or,
        where more lines follow, its start or end."""
        return next(self._inside, False)

    @property
    def _inside(self) -> Iterator[bool]:
        """Whether each line of the block stands so in that declaration."""
        edges = {"start", "end"} if len(self._block.lines) > 1 else set[str]()
        if self.scope is None or not self._relations or not self._relations <= {"inside", *edges}:
            return
        node = self._file.nodes[self.scope]
        own = [line.strip() for line in self._file.lines[node.start : node.end]]
        shown = (line.text.strip() for line in self._block.lines if line.text.strip())
        yield from (is_telling(text) and own.count(text) == 1 for text in shown)

    @property
    def _relations(self) -> set[str]:
        return {place.relation for directive in self._said for place in directive.places}

    @property
    def is_sure(self) -> bool:
        """Whether they describe a spot by neighbours on both sides."""
        return self._described is not None and self._described.is_sure

    def holds(self, lines: Sequence[str]) -> bool:
        """Whether the file's lines become others only in the declaration that they name, of which they tell no more."""
        if self.scope is None or self._relations != {"inside"} or self._described is not None:
            return False
        node, old = self._file.nodes[self.scope], self._file.lines
        return node.start <= common(old, lines) and common(old[::-1], lines[::-1]) >= len(old) - node.end

    def misses(self, lines: Sequence[str]) -> bool:
        """Whether the file's lines become others, but none in or beside the declaration in which they say it is."""
        last = self._said[-1] if self._said else None
        if last is None or last.verb not in ("", "change") or self.scope is None or lines == self._file.lines:
            return False
        node, old = self._file.nodes[self.scope], self._file.lines
        named = {*last.names, *(name for place in last.places for name in place.names)}
        is_outside = common(old, lines) > node.end or len(old) - common(old[::-1], lines[::-1]) < node.start
        return is_outside and (not last.places or node.name in named)

    @cached_property
    def _described(self) -> Described | None:
        verb = next((directive.verb for directive in reversed(self._said) if directive.verb), "")
        if not self._is_new or self._has_markers or verb not in ("add", ""):
            return None
        span = next(
            (span_of(directive.places, self._file) for directive in reversed(self._said) if directive.places), None
        )
        every = range(len(self._file.lines))
        last = (sentence.text for sentence in sentences(last_line(self._prose), self._known))
        named = [*(directive.text for directive in self._said), *last]
        return described(named, self._file, every if span is None else span)

    def named(self, since: int | None = None) -> Spot | None:
        """The spot that the last sentence names which names one; of several the first from line `since` on."""
        named = (
            self._places(directive)
            for directive in reversed(self._said)
            if directive.places and not _changes(directive)
        )
        spots = ((spot, places) for places in named if (spot := spot_of(places, self._file, since)) is not None)
        return next((self._behind(self._apart(self._beside_item(*found))) for found in spots), None)

    def _places(self, directive: Directive) -> tuple[Place, ...]:
        """The places of a sentence: in what it says is changed, and beside what the block shows of several."""
        places = tuple(replace(each, names=tuple(map(self._as_shown, each.names))) for each in directive.places)
        return (
            (*places, Place("inside", directive.names))
            if (directive.verb, len(directive.names)) == ("change", 1)
            else places
        )

    def _as_shown(self, name: str) -> str:
        """What is called so, or of several lines that have it the one that the block shows."""
        there = [self._file.lines[each.start].strip() for each in stands(name, self._file) if name not in THINGS]
        shown = [line.text.strip() for line in self._block.lines if line.text.strip() in there]
        return shown[0] if len(there) > 1 == len(shown) == there.count(shown[0]) else name

    def _beside_item(self, spot: Spot, places: Sequence[Place]) -> Spot:
        """A spot beside a line, or beside the item of a list that holds it where the block begins as an item."""
        if spot.like is not None or not self._block.lines[0].text.lstrip().startswith("- "):
            return spot
        for relation, at in (("before", spot.at), ("after", spot.at - 1)):
            names = (name for place in places if place.relation in (relation, "between") for name in place.names)
            line = self._file.lines[at] if 0 <= at < len(self._file.lines) else ""
            item = item_of(at, self._block.lines[0].text, self._file) if any(name in line for name in names) else None
            if item is not None:
                lead = lead_of(self._file.lines[item.start])
                return Spot(item.start if relation == "before" else item.stop, lead=lead)
        return spot

    def _behind(self, spot: Spot) -> Spot:
        """A spot below a line, or below all that the line opens."""
        at = behind_all(spot.at, self._block.lines[0].text, spot.lead, last_lines(self._prose), self._file)
        if spot.like is not None or at == spot.at:
            return spot
        return replace(spot, at=at, apart=not "".join(self._file.lines[at : at + 1]).strip())

    def _apart(self, spot: Spot) -> Spot:
        """A spot, with blank lines around it where the words ask for them, or without where they ask for none."""
        words = _QUOTED.sub("", last_lines(self._prose))
        asks, refuses = speaks_of("blanks", words), speaks_of("no blanks", words)
        return replace(spot, apart=asks and not refuses, close=refuses)

    @cached_property
    def _span(self) -> range | None:
        """The lines of the declaration in which they say that the block is, or of what a line that they quote opens."""
        if self.scope is not None:
            return range(self._file.nodes[self.scope].start, self._file.nodes[self.scope].end)
        heads = (line_of(directive.places, self._file) for directive in reversed(self._said))
        return next((range(at, statement_end(at, self._file)) for at in heads if at is not None), None)

    @cached_property
    def scope(self) -> int | None:
        """The declaration in which they say that the block is."""
        for directive in reversed(self._said):
            if (scope := scope_of(directive.places, self._file)) is not None:
                return scope
            nodes = [at for name in directive.names for at in nodes_of(name, self._file)]
            if directive.verb in ("change", "replace") and len(nodes) == 1:
                return nodes[0]
        return mentioned(self._prose, self._file)


def _likeness(text: str, line: str, is_change: bool) -> float:
    if text == line:
        return 1.0
    alike = _ratio(text, line) if is_change else 0.0
    return max(alike, _ALIKE * has_more(line, text, is_change))


def _ratio(text: str, line: str) -> float:
    """How alike two lines are by their characters; 0 where that is less than `_ALIKE`."""
    if 2 * min(len(text), len(line)) < _ALIKE * (len(text) + len(line)):
        return 0.0
    matcher = SequenceMatcher(None, text, line, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0


def _changes(directive: Directive) -> bool:
    """Whether a sentence says in what something is replaced, and not where something goes."""
    return directive.verb in ("replace", "change") and all(place.relation in _WITHIN for place in directive.places)


def _among_imports(directive: Directive, known: Known) -> Directive:
    """A sentence on imports: names are those that the lines of the file import."""
    names = [tuple(known.imported(name) or name for name in place.names) for place in directive.places]
    places = zip(directive.places, names, strict=True)
    return replace(directive, places=tuple(replace(place, names=found) for place, found in places))
