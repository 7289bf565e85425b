"""In: one block of an answer, and the file as it is. Out: the texts that the block may make of it, with their costs."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec.structs import replace

from redraft.edit.align.merge import aligned
from redraft.edit.answer.block import Block
from redraft.edit.guard.account import Account, Evidence
from redraft.edit.merge.declarations.structure import Structure, Way
from redraft.edit.merge.lines.insertion import with_way
from redraft.edit.merge.lines.lost import is_by_blanks, undone, without_brought
from redraft.edit.merge.lines.units import is_inside, outline_of
from redraft.edit.merge.options.described import at_spot, in_place, own_lines
from redraft.edit.merge.options.option import About, Option
from redraft.edit.merge.options.runs import by_signs, without_notes
from redraft.edit.merge.places.overlap import is_whole, may_be_other, share_known, shows_new_heads, takes_from_others
from redraft.edit.merge.places.placing import Placing
from redraft.edit.outline import Outline
from redraft.edit.words import Directive
from redraft.edit.words.asides import is_use
from redraft.edit.words.hints import last_line, last_lines, names_another_file, speaks_of

# What speaks against a reading, in units of doubt: one is about what it takes to look at the next candidate.
_WHOLE_CONTAINER, _GONE, _LINES, _MISPLACED, _UNPLACED = 1.0, 1.2, 0.4, 0.6, 1.5
_BY_LINES = 0.15  # what speaks for lines against declarations in a block that is cut out by lines
_BY_BLANKS = 2.0  # what speaks against a place of which a block shows blank lines alone
_TAKEN = 1.5  # what speaks against a new declaration that ends in a line of another one
_NOTHING = 1.0  # what speaks against a change that changes nothing, where the block shows other neighbours
_GONE_AS_ASKED, _NOT_WHOLE, _MOST = 0.1, 0.3, 5.0
_AS_VERSION = 0.3  # what speaks against lines that may be versions of the block's, where nobody says that they are
_LEFT_OUT = 0.8  # what speaks against leaving out a block of which nobody says that it is an example
_TORN, _TORN_BY_LINES, _UNEXPLAINED, _STRAY, _REPEATED = 0.35, 0.8, 0.5, 1.0, 0.3
_TAKING, _ASIDE = ("remove", "rename", "replace"), ("example", "run")  # words after which declarations may be gone
_FEW_KNOWN, _MOST_KNOWN = 0.2, 0.5  # shares of lines known: a place is described up to it; above it nothing is new

_WAYS = (
    ("declarations", Way(), 0.0),
    ("containers whole", Way(whole=True), _WHOLE_CONTAINER),
    ("siblings gone", Way(gone=True), _GONE),
)


class Options:
    """The ways to read one block on one file; `reason` says why there are none."""

    def __init__(self, file: Outline, block: Block, directives: Sequence[Directive], about: About) -> None:
        known, self._instruction, self._before, self._more = about.known, about.instruction, about.before, about.more
        self._file, self._directives, self._known, self._path = file, directives, known, known.path
        self._block, self._noted = without_notes(block, known)
        self._is_new, self._share_known = shows_new_heads(self._block, known), share_known(self._block, known, file)
        self._placing = Placing(file, self._block, directives, known, self._share_known <= _FEW_KNOWN or self._is_new)
        self._verb = self._placing.verb
        self._adjoins = speaks_of("adjoining", last_line(block.prose))  # nothing lies between what it shows
        self._renames = self._verb != "add" and speaks_of("renames", f"{about.instruction}\n{block.prose}")
        self.reason = ""

    def all(self) -> Iterator[Option]:
        if self._verb in _ASIDE and self._may_be_other:
            yield Option(self._file.lines, 0.0, "left out", is_tolerant=False)
            return
        if self._block.explicit:
            yield from self._as_signed()
            return
        found, elsewhere = [*self._in_file()], [*self._at_place()]
        yield from (*found, *elsewhere)
        is_named = names_another_file(self._block.prose, self._path)
        if self._more and (not found or is_named or self._may_be_other):
            yield from self._left_out(bool(found), bool(found or elsewhere), is_named)

    def _in_file(self) -> Iterator[Option]:
        """The block as the whole file, by its declarations and by its lines, with what the changes say against that."""
        whole = [*self._as_whole()]
        other = _NOT_WHOLE * any(option.cost == 0.0 for option in whole)
        misplaced = _MISPLACED * bool(self._placing.place or self._placing.puts(self._shown))
        account = Account(self._file.lines, (self._block,), self._before)
        for option in (*whole, *self._as_declarations(), *self._as_lines()):
            evidence = account.judge_lines(option.lines)
            cost = 0.0 if option.shows_all else other + self._unaccounted(evidence)
            cost = cost + misplaced + self._idle(option.lines, evidence)
            yield replace(option, cost=option.cost + cost, is_cut=self._is_cut)

    def _unaccounted(self, evidence: Evidence) -> float:
        """What speaks against lines that the block does not account for; what is added may look like what is there."""
        broken = len(evidence.broken) or (self._block.is_faithful or self._adjoins) * evidence.apart
        torn = min(4, broken) * (_TORN_BY_LINES if self._is_cut else _TORN)
        beside = min(6, len(evidence.unexplained)) * _UNEXPLAINED + min(3, len(evidence.strays)) * _STRAY
        return torn + beside + min(5, evidence.repeated) * _REPEATED * (self._verb != "add")

    def _idle(self, lines: tuple[str, ...], evidence: Evidence) -> float:
        """What speaks against changing nothing where that leaves what is shown, told or to be removed undone."""
        is_other = bool(evidence.broken) or (self._tells_removal and evidence.apart > 0)
        return _NOTHING * (lines == self._file.lines and is_other)

    @cached_property
    def _is_cut(self) -> bool:
        """Whether a block is cut out by lines and not by declarations: what it leaves out has a marker, or it begins or
        ends inside of something."""
        is_open = bool(self._shown.faults) or self._block.has_markers or self._tells_removal
        return is_open or is_inside(self._block.texts, self._shown)

    @cached_property
    def _tells_removal(self) -> bool:
        """Whether the user asks for something to go, or the words before a block say that it does."""
        return speaks_of("removal", self._instruction) or speaks_of("removal", self._block.prose)

    @cached_property
    def _may_be_other(self) -> bool:
        return may_be_other(self._block, self._known)

    @cached_property
    def _named(self) -> frozenset[str]:
        """Declarations of which the answer says that they go."""
        ordered = (name for directive in self._directives if directive.verb in _TAKING for name in directive.names)
        text, block = self._file.lines, self._block
        old = (node.name for node in self._file.nodes if self._adjoins or text[node.head].strip() in block.old)
        names = frozenset((*ordered, *self._noted, *old))
        return names | {name.rpartition(".")[2] for name in names}

    @cached_property
    def _shown(self) -> Outline:
        return outline_of(self._block, self._path)

    @property
    def _declared(self) -> frozenset[str]:
        return frozenset(node.name for node in self._file.nodes)

    def _as_signed(self) -> Iterator[Option]:
        """Lines with the signs of a diff among others, by its own rules, or by the lines around them."""
        made = by_signs(self._file.lines, self._block)
        if not isinstance(made, str):
            yield Option(made, 0.0, "hunks", self._declared, is_tolerant=False)
            return
        self.reason = made
        found = aligned(self._file.lines, self._block, self._path)
        for way in () if isinstance(found, str) else found:
            yield Option(with_way(self._file.lines, way), 0.3, "lines of a diff", self._declared, is_tolerant=False)

    def _as_whole(self) -> Iterator[Option]:
        """The block as the whole file."""
        lines = self._block.texts
        if self._block.has_markers or not lines:
            return
        says = self._verb == "whole" or speaks_of("whole", last_lines(self._block.prose))
        if is_whole(lines, self._file, self._shown, says):
            lines += [""] * (self._block.blanks - 1)
            yield Option(tuple(lines), 0.0 if says else 0.1, "whole file", self._declared, shows_all=True)

    def _as_declarations(self) -> Iterator[Option]:
        for name, way, cost in _WAYS:
            way = replace(way, adds=self._verb == "add" and self._placing.spot is not None, renames=self._renames)
            reader = Structure(self._file, self._block, self._shown, self._path, self._placing.spot, way)
            lines = reader.lines()
            if lines is None:
                continue
            cost = _GONE_AS_ASKED if way.gone and self._tells_removal else cost
            cost += _MOST * (way.gone and self._verb == "add")
            cost += _BY_LINES * self._is_cut
            cost += _UNPLACED * (reader.unplaced and not reader.matched and self._placing.spot is None)
            cost += _MISPLACED * (reader.elsewhere or self._placing.misses(lines))
            yield Option(lines, cost, name, self._named | reader.succeeded)

    def _as_lines(self) -> Iterator[Option]:
        found = aligned(self._file.lines, self._block, self._path)
        if isinstance(found, str):
            self.reason = found
            return
        brought = {*self._file.lines}.difference(self._before or self._file.lines)
        shows = not brought.isdisjoint(self._shown.lines)
        if shows or any(undone(self._before, self._file.lines, with_way(self._file.lines, way)) for way in found):
            apart = aligned(without_brought(self._before, self._file.lines), self._block, self._path)
            found = found if isinstance(apart, str) else (*found, *apart)
        for way in found:
            lines = with_way(self._file.lines, way)
            is_told = self._placing.spot and not self._placing.holds(lines)
            misplaced = _MISPLACED * bool(is_told or self._placing.misses(lines))
            misplaced += _BY_BLANKS * is_by_blanks(self._file.lines, self._block, way)
            taken = _TAKEN * takes_from_others(self._file, self._block, self._shown, lines)
            yield Option(lines, _LINES * (not self._is_cut) + misplaced + taken, "lines", self._named)

    def _left_out(self, is_found: bool, is_placed: bool, is_named: bool) -> Iterator[Option]:
        """The file as it is, where the block may be none of its own: a usage example, or code for another file."""
        is_used = is_use(self._block.prose) and (bool(self.reason) or self._may_be_other)
        is_told = is_placed and not is_used and (self._placing.spot, self._placing.scope) != (None, None)
        if is_told or {node.kind for node in self._shown.nodes} == {"import"}:
            return
        is_aside = self._may_be_other and (self._verb in _ASIDE or is_used or is_named)
        if is_named or is_aside or not (is_found and self._share_known):
            yield Option(self._file.lines, 0.0 if is_aside else _LEFT_OUT, "left out", is_tolerant=False)

    def _at_place(self) -> Iterator[Option]:
        """New lines at the place that the words tell, or instead of what they say is replaced."""
        placing, file, block = self._placing, self._file, self._block
        if (spot := placing.spot) is not None and not block.has_markers and not placing.begins_there:
            own = own_lines(file, block, spot)
            is_new = placing.is_sure or placing.puts(self._shown) or not placing.knows(self._shown, own)
            is_new &= len(own) < len(block.lines) or self._share_known <= _MOST_KNOWN or self._is_new
            if is_new and (placing.place is None or self._verb == "add"):
                yield at_spot(file, block, spot, self._shown)
        if placing.place is not None:
            yield in_place(file, block, placing.place)
        elif not self._share_known and placing.version is not None:
            yield replace(in_place(file, block, placing.version), cost=_AS_VERSION)
