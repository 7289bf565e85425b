"""In: a block, a file's lines and its outline. Out: the places in the file where the block may change something."""

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.answer.block import Block
from redraft.edit.outline.nodes import Outline
from redraft.edit.outline.outline import outline
from redraft.edit.region.chain import Lines, Pair, chains
from redraft.edit.text.lines import width_of
from redraft.edit.words.known import is_import

_WIDE = 60  # lines between two shown ones that may all go
_FEW = 0.25  # the weight of a line that stands in more than six places
_END_WORDS = re.compile(r"\b(?:end|bottom|append|last|below everything)\b", re.IGNORECASE)
_END = 6  # lines beside a shown one that are looked at where nothing says how far a change goes


class Spot(Struct, frozen=True):
    """Lines `first` to `last` of the file, both included; the more weight, the likelier something changes there."""

    first: int
    last: int
    weight: float


def spots(block: Block, file: Lines, known: Outline, path: str) -> list[Spot]:
    """Where a block may change the file, the places that speak for themselves first."""
    texts = {at: line.text for at, line in enumerate(block.lines) if line.kind != "marker"}
    code = {at: text for at, text in texts.items() if not block.explicit or not block.lines[at].added}
    found = chains(file.pairs(code))
    pairs = sorted((pair for chain in found for pair in chain), key=lambda pair: pair.shown)
    inside = [spot for chain in found for spot in _gaps(block, chain)]
    runs = list(_runs(block, {pair.shown for pair in pairs if not pair.is_like}))
    beside = [spot for run in runs for spot in _beside(block, run, pairs, len(file.lines))]
    lost = [run for run in runs if not any(_near(block, run, pairs))]
    named = [spot for run in lost for spot in _by_name(block, run, known, path)]
    imports = [spot for run in runs for spot in _imports(block, run, file.lines, pairs)]
    removed = [Spot(pair.line, pair.line, 3) for pair in pairs if block.lines[pair.shown].kind == "removed"]
    chosen = {pair.line for pair in pairs}
    others = [spot for spot in _others(file.pairs(code)) if spot.first not in chosen]
    moved = _indented(block, pairs, file.lines)
    ends = _ends(block, runs, pairs, len(file.lines))
    return [*removed, *inside, *beside, *named, *imports, *moved, *_context(pairs), *others, *ends]


def _gaps(block: Block, chain: Sequence[Pair]) -> Iterator[Spot]:
    """Lines that a block passes over, or shows otherwise."""
    for one, other in itertools.pairwise(chain):
        between = block.lines[one.shown + 1 : other.shown]
        marked = any(line.kind == "marker" for line in between)
        if not marked and 1 < other.line - one.line <= _WIDE and (other.line - one.line != other.shown - one.shown):
            yield Spot(one.line, other.line, 2)
    yield from (Spot(pair.line, pair.line, 2.5) for pair in chain if pair.is_like)


def _runs(block: Block, known: set[int]) -> Iterator[tuple[int, int]]:
    """Stretches of the block, half-open, that the file does not have."""
    start = None
    for at in range(len(block.lines) + 1):
        line = block.lines[at] if at < len(block.lines) else None
        is_new = line is not None and line.kind == "code" and at not in known and bool(line.text.strip())
        is_new = is_new and line is not None and (any(map(str.isalnum, line.text)) or start is not None)
        if is_new and start is None:
            start = at
        if not is_new and start is not None and (line is None or line.text.strip() or line.kind == "marker"):
            yield start, at
            start = None


def _near(block: Block, run: tuple[int, int], pairs: Sequence[Pair]) -> tuple[Pair | None, Pair | None]:
    """What is shown of the file right before and right behind a run, with no marker between."""
    before = next((pair for pair in reversed(pairs) if pair.shown < run[0] and not pair.is_like), None)
    after = next((pair for pair in pairs if pair.shown >= run[1] and not pair.is_like), None)
    if before and any(line.kind == "marker" for line in block.lines[before.shown : run[0]]):
        before = None
    if after and any(line.kind == "marker" for line in block.lines[run[1] : after.shown]):
        after = None
    return before, after


def _beside(block: Block, run: tuple[int, int], pairs: Sequence[Pair], count: int) -> Iterator[Spot]:
    before, after = _near(block, run, pairs)
    size = run[1] - run[0]
    if before and after and before.line < after.line:
        if after.line - before.line <= _WIDE:
            yield Spot(before.line, after.line, 3)
            return
        yield Spot(before.line, before.line + size + _END, 2.5)
        yield Spot(after.line - size - _END, after.line, 2.5)
        return
    if before:
        yield Spot(before.line, min(count - 1, before.line + size + _END), 2.5)
    if after:
        yield Spot(max(0, after.line - size - _END), after.line, 2.5)


def _by_name(block: Block, run: tuple[int, int], known: Outline, path: str) -> Iterator[Spot]:
    """Declarations of a run that the file has; without any, the end of what is shown before, or of the file."""
    shown = outline([line.text if line.kind != "marker" else "" for line in block.lines], path)
    hits = False
    for node in shown.nodes:
        if run[0] <= node.head < run[1] and node.name:
            for at in known.named(node.name)[:2]:
                hits = True
                own = known.nodes[at]
                yield Spot(own.start, min(own.end, own.start + _WIDE) - 1, 2)
    if not hits and known.lines:
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


def _ends(block: Block, runs: Sequence[tuple[int, int]], pairs: Sequence[Pair], count: int) -> Iterator[Spot]:
    """The end of the file, where something is new behind all that is shown, or the words speak of an end."""
    if runs and _END_WORDS.search(block.prose):
        yield Spot(max(0, count - 3), count - 1, 1.6)
    elif any(not any(_near(block, run, pairs)) for run in runs):
        yield Spot(max(0, count - 2), count - 1, 0.5)


def _imports(block: Block, run: tuple[int, int], lines: Sequence[str], pairs: Sequence[Pair]) -> Iterator[Spot]:
    if not any(is_import(line.text) for line in block.lines[run[0] : run[1]]):
        return
    if any(_near(block, run, pairs)):
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
    for pair in (pairs[:1], pairs[-1:]):
        yield from (Spot(one.line, one.line, 0.4) for one in pair)
