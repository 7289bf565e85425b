"""In: a file, an answer and what was asked. Out: the texts that the answer may mean, the likeliest first."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.answer.parsed import known_of, parsed
from redraft.edit.merge.context.blanks import keeps_blanks
from redraft.edit.merge.context.omitted import Mentions, mentions_of
from redraft.edit.merge.context.tolerance import Tolerance, paraphrased, settled, tolerances
from redraft.edit.merge.context.wrapped import wrapped
from redraft.edit.merge.judge.outdated import without_outdated
from redraft.edit.merge.judge.paraphrases import looked_over
from redraft.edit.merge.options.option import About, Option
from redraft.edit.merge.options.options import Options
from redraft.edit.merge.options.runs import gone_by_notes
from redraft.edit.merge.passes.orders import Left, ordered
from redraft.edit.merge.passes.spelled import between_markers, spelled
from redraft.edit.merge.reading import BEYOND, MOST, Candidate, Reading, cheapest
from redraft.edit.outline import Outline, outline
from redraft.edit.text.changes import common, split_lines
from redraft.edit.text.lines import written
from redraft.edit.words import directives
from redraft.edit.words.hints import last_line, last_lines, speaks_of

_WIDTH = 6  # texts that are followed from block to block
_NOWHERE = "the answer has no place in the file: show a line of the file beside each change"
_BY_NUMBER = re.compile(r"(?i)\b(?:delete|remove|drop|replace|change) lines? \d+(?: ?(?:-|\u2013|to) ?\d+)?")
_NOT_DONE = "'{}' in words is not carried out: show those lines as a diff, with - in front of what goes"
_NO_CODE = "the answer holds no code, and its words name no change of this file: show the lines that change"
_FAR, _REACH = 0.3, 100  # what speaks against a block whose change is so many lines from the last one's
_BACK = 0.1  # what speaks against one above it
_ALL_SHOWN = 0.8
_CARELESS = 2  # lines paraphrased, from which comments are taken for paraphrased, too


class _State(Struct, frozen=True):
    lines: tuple[str, ...]
    cost: float = 0.0
    choices: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    at: int = 0  # the line of the last block's first change


def read(original: str, update: str, path: str = "", instruction: str = "") -> Reading:
    """Reads an answer on a file whose lines end in newlines alone. What the likeliest text probably only paraphrases is
    taken back, and what it probably replaces goes; in doubt the text is there in both ways."""
    found = _AnswerReader(original, update, path, instruction).reading()
    if not found.candidates:
        return found
    first, *others = found.candidates
    known = known_of(outline(split_lines(original), path), path)
    texts = looked_over(original, first.text, found.answer, instruction, known)
    likely, *ways = (replace(first, text=text, cost=first.cost + cost, kept=kept) for text, cost, kept in texts)
    texts_left = without_outdated(original, likely.text, found.answer, instruction, known)
    ways += (replace(likely, text=text, cost=likely.cost + cost, outdated=chance) for text, cost, chance in texts_left)
    return replace(found, candidates=cheapest((*ways, *others)))


class _AnswerReader:
    """An answer on a file as it is, and what it may make of it."""

    def __init__(self, original: str, update: str, path: str, instruction: str) -> None:
        self._original, self._instruction = original, instruction
        self._lines = tuple(split_lines(original))
        self._file = outline(self._lines, path)
        self._known = known_of(self._file, path)
        self._answer = parsed(original, update, path)
        self._about = About(self._known, instruction, self._lines)
        self._mentions = mentions_of(self._answer, instruction, path, self._file, self._known)
        subjects = ("separators", "quotes")
        separated, quoted = (speaks_of(each, f"{self._answer.prose}\n{instruction}") for each in subjects)
        self._blocks = [replace(each, is_separated=separated, is_quoted=quoted) for each in self._answer.blocks]
        self._noted = [name for block in self._blocks for name in gone_by_notes(block, self._lines, self._known)]

    def reading(self) -> Reading:
        (as_shown, _), states = self._readers, self._states()
        if not states:
            return Reading(self._answer, (), next((reader.reason for reader in as_shown if reader.reason), _NOWHERE))
        if not as_shown and all(state.lines == self._lines for state in states):
            numbers = _BY_NUMBER.search(self._answer.prose)
            return Reading(self._answer, (), _NOT_DONE.format(numbers[0]) if numbers else _NO_CODE)
        best = _best(states, MOST)
        likely = (state for state in best if state.cost <= best[0].cost + BEYOND)
        return Reading(self._answer, tuple(map(self._candidate, likely)))

    def _candidate(self, state: _State) -> Candidate:
        is_ended = self._original.endswith("\n") or not self._original or speaks_of("end break", self._answer.prose)
        text = "\n".join(state.lines) + "\n" * (is_ended and bool(state.lines))
        return Candidate(text, state.cost, state.choices, state.orders)

    def _states(self) -> list[_State]:
        """What the answer makes of the file, by what may be paraphrased; where nothing but breaks changes, these are
        meant."""
        as_shown, as_broken = self._readers
        states: list[_State] = []
        is_spacious = keeps_blanks(self._blocks, self._lines)
        for tolerance in tolerances(self._answer, self._instruction, self._file.language, is_spacious):
            ways = self._followed(as_broken if tolerance.wraps else as_shown, tolerance)
            if tolerance.wraps and all(way.lines == self._lines for way in ways):
                ways = self._followed(as_shown, tolerance)
            states += ways
        return states

    @cached_property
    def _readers(self) -> tuple[list["_BlockReader"], list["_BlockReader"]]:
        """The readers of the blocks as they are, and with lines broken as in the file; twice these where the breaks are
        all that changes."""
        as_broken = wrapped(self._blocks, self._lines, takes=bool(self._noted))
        as_shown = self._readers_of(self._blocks)
        readers = as_shown if as_broken == self._blocks else self._readers_of(as_broken)
        are_breaks = sum(block.explicit for block in as_broken) > sum(block.explicit for block in self._blocks)
        return (readers if are_breaks else as_shown), readers

    def _readers_of(self, shown: Sequence[Block]) -> list["_BlockReader"]:
        """A reader for each block, or pair of blocks, in the file's spelling."""
        blocks = spelled(self._lines, shown, self._known)
        about = replace(self._about, more=len(blocks) > 1)
        return [_BlockReader(block, about) for block in blocks]

    def _followed(self, readers: Sequence["_BlockReader"], tolerance: Tolerance) -> list[_State]:
        """The best states after all blocks and sentences; none where one has no place."""
        states = [_State(self._lines, tolerance.cost)]
        for reader in readers:
            states = _best([way for state in states for way in reader.ways(state, tolerance, self._mentions)], _WIDTH)
        return [way for state in states for way in self._by_words(state)]

    def _by_words(self, state: _State) -> Iterator[_State]:
        """The state with what the sentences and notes order beside the blocks: deletions, renames, moves."""
        gone = frozenset(map(str.strip, Counter(self._lines) - Counter(state.lines)))
        left = Left(self._known, frozenset(self._lines), gone | self._shown, self._shown, self._changing)
        lines, orders = ordered(state.lines, self._answer.passages, self._noted, left)
        if lines == state.lines:
            yield state
            return
        yield replace(state, lines=lines, orders=orders)
        yield replace(state, cost=state.cost + 1.0)

    @cached_property
    def _shown(self) -> frozenset[str]:
        return frozenset(map(str.strip, self._answer.code))

    @cached_property
    def _changing(self) -> frozenset[str]:
        """The lines, without indentation, of blocks that show anything otherwise than it stands in the file."""
        file = _joined(self._lines)
        runs = ((block, run) for block in self._blocks for run in between_markers(block.lines))
        changed = {block for block, run in runs if _joined(run) not in file}
        return frozenset(text.strip() for block in changed for text in block.texts)


class _BlockReader:
    """The ways to read one block, on whatever the blocks before have made of the file."""

    def __init__(self, block: Block, about: About) -> None:
        self._block, self._about, self._path = block, about, about.known.path
        self._directives = directives(block.prose, about.known)
        self._verbs = {directive.verb for directive in self._directives if directive.verb}
        self._seen: dict[tuple[str, ...], tuple[Option, ...]] = {}
        self._is_rewritten = not block.has_markers and speaks_of("rewritten", last_lines(block.prose))
        self._is_rewritten |= speaks_of("adjoining", last_line(block.prose))
        self.reason = ""

    def ways(self, state: _State, tolerance: Tolerance, mentions: Mentions) -> Iterator[_State]:
        before = outline(state.lines, self._path)
        if self._verbs == {"add"} and not mentions.gone:
            mentions = replace(mentions, removes_nothing=True)
        for option in self._options(state, before):
            leeway = replace(tolerance, omitted=tolerance.omitted and not (option.shows_all or self._is_rewritten))
            option = replace(option, named=option.named | mentions.quoted)
            lines = settled(state.lines, option.lines, leeway, mentions) if option.is_tolerant else option.lines
            after = outline(lines, self._path)
            cost = option.cost + option.against(before, after, mentions.gone, self._about.before)
            may_be_careless = tolerance.cost < _ALL_SHOWN and option.is_tolerant
            if may_be_careless and paraphrased(state.lines, option.lines) >= _CARELESS:
                cost -= tolerance.cost
            at = state.at
            if lines != state.lines:
                at = common(state.lines, lines)
                cost += _FAR * min(1.0, abs(at - state.at) / _REACH) + _BACK * (at < state.at) if state.at else 0.0
            choices = (*state.choices, option.name)
            yield replace(state, lines=lines, cost=state.cost + cost, choices=choices, at=at)

    def _options(self, state: _State, file: Outline) -> tuple[Option, ...]:
        if state.lines not in self._seen:
            options = Options(file, self._block, self._directives, self._about)
            self._seen[state.lines] = tuple(options.all())
            self.reason = self.reason or options.reason
        return self._seen[state.lines]


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"\n{line.strip()}\n" for line in written(lines))


def _best(states: Iterable[_State], count: int) -> list[_State]:
    """The cheapest states with different texts."""
    found: dict[tuple[str, ...], _State] = {}
    for state in states:
        found[state.lines] = min(found.get(state.lines, state), state, key=lambda state: state.cost)
    return sorted(found.values(), key=lambda state: state.cost)[:count]
