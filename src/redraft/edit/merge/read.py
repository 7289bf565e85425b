"""In: a file, an answer and what was asked. Out: the texts that the answer may mean, the likeliest first."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.answer import Answer, Block
from redraft.edit.answer.parsed import known_of, parsed
from redraft.edit.merge.context.omitted import Spoken, spoken
from redraft.edit.merge.context.spacious import keeps_blanks
from redraft.edit.merge.context.tolerance import Tolerance, paraphrased, settled, tolerances
from redraft.edit.merge.context.wrapped import wrapped
from redraft.edit.merge.judge.outdated import without_outdated
from redraft.edit.merge.judge.paraphrases import looked_over
from redraft.edit.merge.options.option import About, Option
from redraft.edit.merge.options.options import Options
from redraft.edit.merge.options.runs import gone_by_notes
from redraft.edit.merge.passes.orders import ordered
from redraft.edit.merge.passes.spelled import runs, spelled
from redraft.edit.merge.reading import Candidate, Reading, cheapest
from redraft.edit.outline import Outline, outline
from redraft.edit.text.changes import common
from redraft.edit.words import Directive, Known, directives
from redraft.edit.words.hints import last_line, last_lines, speaks_of

_WIDTH = 6  # texts that are followed from block to block
_KEPT = 4  # candidates that are handed on
_NOWHERE = "the answer has no place in the file: show a line of the file beside each change"
_BY_NUMBER = re.compile(r"(?i)\b(?:delete|remove|drop|replace|change) lines? \d+(?: ?(?:-|\u2013|to) ?\d+)?")
_NOT_DONE = "'{}' in words is not carried out: show those lines as a diff, with - in front of what goes"
_NO_CODE = "the answer holds no code, and its words name no change of this file: show the lines that change"
_FAR, _REACH = 0.3, 100  # what speaks against a block whose change is so many lines from the last one's
_BACK = 0.1  # what speaks against one above it
_ALL_SHOWN = 0.8
_BEYOND = 2.0  # what a candidate may cost more than the best and still be weighed
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
    found = _read(original, update, path, instruction)
    if not found.candidates:
        return found
    first, *others = found.candidates
    known = known_of(outline(_lines(original), path), path)
    texts = looked_over(original, first.text, found.answer, instruction, known)
    likely, *ways = (replace(first, text=text, cost=first.cost + cost, kept=kept) for text, cost, kept in texts)
    texts_left = without_outdated(original, likely.text, found.answer, instruction, known)
    ways += (replace(likely, text=text, cost=likely.cost + cost, left=left) for text, cost, left in texts_left)
    return replace(found, candidates=cheapest((*ways, *others)))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.removesuffix("\n").split("\n")) if text else ()


def _read(original: str, update: str, path: str, instruction: str) -> Reading:
    """Reads an answer on a file as it is."""
    lines = _lines(original)
    file = outline(lines, path)
    known = known_of(file, path)
    answer = parsed(original, update, path)
    about = About(path, instruction, before=lines)
    said = spoken(answer, instruction, path, file, known)
    subjects = ("blanks", "separators", "quotes")
    spaced, separated, quoted = (speaks_of(each, f"{answer.prose}\n{instruction}") for each in subjects)
    blocks = [replace(each, is_spaced=spaced, is_separated=separated, is_quoted=quoted) for each in answer.blocks]
    as_shown = _readers(lines, blocks, known, about)
    noted = [name for block in blocks for name in gone_by_notes(block, lines, known)]
    changing = _kept(answer.blocks, lines)
    as_broken = wrapped(blocks, lines, takes=bool(noted))
    readers = as_shown if as_broken == blocks else _readers(lines, as_broken, known, about)
    if sum(block.explicit for block in as_broken) > sum(block.explicit for block in blocks):
        as_shown = readers  # the breaks are all that changes
    states: list[_State] = []
    for tolerance in tolerances(answer, instruction, file.language, keeps_blanks(blocks, lines)):
        found = _followed(_State(lines, tolerance.cost), readers if tolerance.wraps else as_shown, tolerance, said)
        ways = [way for state in found for way in _by_words(state, answer, noted, changing, known, about)]
        if tolerance.wraps and all(way.lines == lines for way in ways):  # where nothing else changes, that is meant
            found = _followed(_State(lines, tolerance.cost), as_shown, tolerance, said)
            ways = [way for state in found for way in _by_words(state, answer, noted, changing, known, about)]
        states += ways
    if not states:
        return Reading(answer, (), next((reader.reason for reader in as_shown if reader.reason), _NOWHERE))
    if not as_shown and all(state.lines == lines for state in states):
        numbers = _BY_NUMBER.search(answer.prose)
        return Reading(answer, (), _NOT_DONE.format(numbers[0]) if numbers else _NO_CODE)
    is_ended = original.endswith("\n") or not original or speaks_of("end break", answer.prose)
    end = "\n" * is_ended
    kept = _best(states, _KEPT)
    kept = [state for state in kept if state.cost <= kept[0].cost + _BEYOND]
    return Reading(
        answer, tuple(Candidate("\n".join(s.lines) + end * bool(s.lines), s.cost, s.choices, s.orders) for s in kept)
    )


def _readers(lines: tuple[str, ...], shown: Sequence[Block], known: Known, about: About) -> list["_BlockReader"]:
    """A reader for each block, or pair of blocks, in the file's spelling."""
    blocks = spelled(lines, shown, known)[1]
    about = replace(about, more=len(blocks) > 1)
    return [_BlockReader(block, directives(block.prose, known), known, about) for block in blocks]


def _followed(state: _State, readers: Sequence["_BlockReader"], tolerance: Tolerance, said: Spoken) -> list[_State]:
    """The best states after all blocks; none where one has no place."""
    states = [state]
    for reader in readers:
        states = _best([way for state in states for way in reader.ways(state, tolerance, said)], _WIDTH)
    return states


class _BlockReader:
    """The ways to read one block, on whatever the blocks before have made of the file."""

    def __init__(self, block: Block, said: Sequence[Directive], known: Known, about: About) -> None:
        self._block, self._said, self._known, self._about = block, said, known, about
        self._seen: dict[tuple[str, ...], tuple[Option, ...]] = {}
        self._is_rewritten = not block.has_markers and speaks_of("rewritten", last_lines(block.prose))
        self._is_rewritten |= speaks_of("adjoining", last_line(block.prose))
        self.reason = ""

    def ways(self, state: _State, tolerance: Tolerance, said: Spoken) -> Iterator[_State]:
        before = outline(state.lines, self._about.path)
        said = replace(said, removes_nothing=True) if self._only_adds and not said.gone else said
        for option in self._options(state, before):
            leeway = replace(tolerance, omitted=tolerance.omitted and not (option.shows_all or self._is_rewritten))
            option = replace(option, named=option.named | said.quoted)
            lines = settled(state.lines, option.lines, leeway, said) if option.is_tolerant else option.lines
            cost = option.cost + option.against(before, outline(lines, self._about.path), said.gone, self._about.before)
            if (
                tolerance.cost < _ALL_SHOWN
                and option.is_tolerant
                and paraphrased(state.lines, option.lines) >= _CARELESS
            ):
                cost -= tolerance.cost
            at = state.at
            if lines != state.lines:
                at = common(state.lines, lines)
                cost += _FAR * min(1.0, abs(at - state.at) / _REACH) + _BACK * (at < state.at) if state.at else 0.0
            choices = (*state.choices, option.name)
            yield replace(state, lines=lines, cost=state.cost + cost, choices=choices, at=at)

    @property
    def _only_adds(self) -> bool:
        """Whether the words before the block say that it adds something, and no more."""
        return {directive.verb for directive in self._said if directive.verb} == {"add"}

    def _options(self, state: _State, file: Outline) -> tuple[Option, ...]:
        if state.lines not in self._seen:
            options = Options(file, self._block, self._said, self._known, self._about)
            self._seen[state.lines] = tuple(options.all())
            self.reason = self.reason or options.reason
        return self._seen[state.lines]


def _by_words(
    state: _State, answer: Answer, noted: Sequence[str], kept: Collection[str], known: Known, about: About
) -> Iterator[_State]:
    """The state with what the sentences and notes order beside the blocks: deletions, renames, moves."""
    shown = Counter(line.text.strip() for block in answer.blocks for line in block.lines if line.kind == "code")
    gone = {line.strip() for line in Counter(about.before) - Counter(state.lines)}
    said = [*(block.prose for block in answer.blocks), answer.after]
    known_lines = gone.union(shown)
    lines, orders = ordered(state.lines, said, noted, known, about.path, tuple(about.before), known_lines, shown, kept)
    if lines == state.lines:
        yield state
        return
    yield replace(state, lines=lines, orders=orders)
    yield replace(state, cost=state.cost + 1.0)


def _kept(blocks: Sequence[Block], before: Sequence[str]) -> Collection[str]:
    """The lines, without indentation, of blocks that show anything otherwise than it stands in the file."""
    file = _joined(before)
    parts = ((block, run) for block in blocks for run in runs(block.lines) if run[0].kind != "marker")
    changed = {block for block, run in parts if _joined(line.text for line in run) not in file}
    return {line.text.strip() for block in changed for line in block.lines}


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"\n{line.strip()}\n" for line in lines if line.strip())


def _best(states: Iterable[_State], count: int) -> list[_State]:
    """The cheapest states with different texts; a text that is reached in several ways is a little cheaper."""
    found: dict[tuple[str, ...], _State] = {}
    for state in states:
        found[state.lines] = min(found.get(state.lines, state), state, key=lambda state: state.cost)
    return sorted(found.values(), key=lambda state: state.cost)[:count]
