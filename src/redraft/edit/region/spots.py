"""In: a block, a file's lines and its outline. Out: the places in the file where the block may change something."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct

from redraft.edit.answer.block import Block, Line
from redraft.edit.outline.nodes import Outline
from redraft.edit.outline.outline import outline
from redraft.edit.region.chain import Lines, Pair, chains
from redraft.edit.text.lines import is_telling, width_of
from redraft.edit.words.known import is_import

_WIDE = 60  # lines between two shown ones that may all go
_FEW = 0.25  # the weight of a line that stands in more than six places
_END_WORDS = re.compile(r"\b(?:end|bottom|append|last|below everything)\b", re.IGNORECASE)
_END = 6  # lines beside a shown one that are looked at where nothing says how far a change goes

_BORDER = Line("...", "marker")  # behind a block


class Spot(Struct, frozen=True):
    """Lines `first` to `last`, both included, where the file has them; the more weight, the likelier one changes."""

    first: int
    last: int
    weight: float


class _Run(Struct, frozen=True):
    """Lines `start:end` of a block that the file does not have, and what is shown of the file right before and right
    behind them, with no marker between."""

    start: int
    end: int
    before: Pair | None
    after: Pair | None

    @property
    def is_alone(self) -> bool:
        return self.before is None and self.after is None


def spots(block: Block, file: Lines, known: Outline, path: str) -> list[Spot]:
    """Where a block may change the file, the places that speak for themselves first."""
    candidates = file.pairs(_code(block))
    found = chains(candidates)
    pairs = sorted(chain.from_iterable(found), key=lambda pair: pair.shown)
    runs = [_run(block, *ends, pairs) for ends in _runs(block, {pair.shown for pair in pairs if not pair.is_like})]
    alone = [run for run in runs if run.is_alone]
    chosen = {pair.line for pair in pairs}
    return [
        *(Spot(pair.line, pair.line, 3) for pair in pairs if block.lines[pair.shown].kind == "removed"),
        *chain.from_iterable(_gaps(block, each) for each in found),
        *chain.from_iterable(map(_beside, runs)),
        *chain.from_iterable(_by_name(block, run, known, path) for run in alone),
        *chain.from_iterable(_imports(block, run, file.lines) for run in alone),
        *_indented(block, pairs, file.lines),
        *_context(pairs),
        *(spot for spot in _others(candidates) if spot.first not in chosen),
        *_ends(block, bool(runs), bool(alone), len(file.lines)),
    ]


def _code(block: Block) -> dict[int, str]:
    """The lines that the file may have."""
    return {at: line.text for at, line in enumerate(block.lines) if line.kind != "marker" and not line.added}


def _gaps(block: Block, run: Sequence[Pair]) -> Iterator[Spot]:
    """Lines that a block passes over, or shows otherwise."""
    for one, other in pairwise(run):
        between = block.lines[one.shown + 1 : other.shown]
        marked = any(line.kind == "marker" for line in between)
        if not marked and 1 < other.line - one.line <= _WIDE and (other.line - one.line != other.shown - one.shown):
            yield Spot(one.line, other.line, 2)
    yield from (Spot(pair.line, pair.line, 2.5) for pair in run if pair.is_like)


def _runs(block: Block, known: set[int]) -> Iterator[tuple[int, int]]:
    """Stretches of the block, half-open, that the file does not have."""
    start = None
    for at, line in enumerate((*block.lines, _BORDER)):
        is_in_run = start is not None and bool(line.text.strip())
        if line.kind == "code" and at not in known and (is_in_run or is_telling(line.text)):
            start = at if start is None else start
        elif start is not None and (line.text.strip() or line.kind == "marker"):
            yield start, at
            start = None


def _run(block: Block, start: int, end: int, pairs: Sequence[Pair]) -> _Run:
    marks = [-1, *(at for at, line in enumerate(block.lines) if line.kind == "marker"), len(block.lines)]
    behind = bisect_left(marks, start)
    low, high = marks[behind - 1], marks[behind]
    near = [pair for pair in pairs if low < pair.shown < high and not pair.is_like]
    before = next((pair for pair in reversed(near) if pair.shown < start), None)
    return _Run(start, end, before, next((pair for pair in near if pair.shown >= end), None))


def _beside(run: _Run) -> Iterator[Spot]:
    before, after, size = run.before, run.after, run.end - run.start + _END
    if before and after and before.line < after.line <= before.line + _WIDE:
        yield Spot(before.line, after.line, 3)
        return
    if before:
        yield Spot(before.line, before.line + size, 2.5)
    if after:
        yield Spot(after.line - size, after.line, 2.5)


def _by_name(block: Block, run: _Run, known: Outline, path: str) -> Iterator[Spot]:
    """Declarations of a run that the file has; without any, the end of the file."""
    shown = outline([line.text if line.kind != "marker" else "" for line in block.lines], path)
    names = [node.name for node in shown.nodes if run.start <= node.head < run.end and node.name]
    found = [known.nodes[at] for name in names for at in known.named(name)[:2]]
    yield from (Spot(own.start, min(own.end, own.start + _WIDE) - 1, 2) for own in found)
    if not found and known.lines:
        yield Spot(max(0, len(known.lines) - 3), len(known.lines) - 1, 0.8)


def _others(pairs: Sequence[Pair]) -> Iterator[Spot]:
    """Where else lines may be meant: what stands in several places may change in all."""
    for pair in pairs:
        weight = 1.3 * pair.weight / 0.6 if pair.is_like else 0.6
        if pair.is_like or pair.weight > _FEW:
            yield Spot(pair.line, pair.line, weight)


def _indented(block: Block, pairs: Sequence[Pair], lines: Sequence[str]) -> Iterator[Spot]:
    """Lines that the block shows as deep as the file does not, where it shows most others as deep."""
    shifts = {pair: width_of(block.lines[pair.shown].text) - width_of(lines[pair.line]) for pair in pairs}
    usual = Counter(shifts.values()).most_common(1)
    yield from (Spot(pair.line, pair.line, 2) for pair, shift in shifts.items() if shift != usual[0][0])


def _ends(block: Block, is_new: bool, is_alone: bool, count: int) -> Iterator[Spot]:
    """The end of the file, where something is new behind all that is shown, or the words speak of an end."""
    if is_new and _END_WORDS.search(block.prose):
        yield Spot(max(0, count - 3), count - 1, 1.6)
    elif is_alone:
        yield Spot(max(0, count - 2), count - 1, 0.5)


def _imports(block: Block, run: _Run, lines: Sequence[str]) -> Iterator[Spot]:
    if not any(is_import(line.text) for line in block.lines[run.start : run.end]):
        return
    there = [at for at, line in enumerate(lines) if is_import(line) and line[:1].strip()]
    if there:
        yield Spot(there[0], min(there[-1], there[0] + 25), 1.6)
        if there[-1] > there[0] + 25:
            yield Spot(there[-1] - 2, there[-1], 1.2)
    else:
        yield Spot(0, min(5, len(lines) - 1), 1.4)


def _context(pairs: Sequence[Pair]) -> Iterator[Spot]:
    """What is shown as it stands: a sentence may say what happens beside it."""
    return (Spot(pair.line, pair.line, 0.4) for pair in (*pairs[:1], *pairs[-1:]))
