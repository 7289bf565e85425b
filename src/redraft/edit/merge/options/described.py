"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

import re
from collections.abc import Sequence

from redraft.edit.answer.block import Block
from redraft.edit.merge.context.omitted import heads_of
from redraft.edit.merge.lines.indentation import fitted, reindented
from redraft.edit.merge.lines.insertion import Spot, homed, inserted, is_long, separation
from redraft.edit.merge.lines.written import first_below, last_above, written_places
from redraft.edit.merge.options.option import Option
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling, written
from redraft.edit.words.hints import speaks_of

_HEADING = re.compile(r"#+ ")
_AS_STATED, _AS_SHOWN = 0.2, 0.1


def at_spot(file: Outline, block: Block, spot: Spot, shown: Outline) -> Option:
    """The lines of a block, with their outline, at a spot."""
    every = block.texts
    if shown.top() and not speaks_of("top level", block.prose):
        spot = homed(file, spot, shown.nodes[shown.top()[0]])
    own = own_lines(file, block, spot)
    texts = fitted(tuple(every[own.start : own.stop]), spot, file)
    is_declared = any(is_long(shown.nodes[at]) for at in shown.top())
    gaps = separation(file, spot, is_declared or bool(heads_of(every)), 0, 0, is_declared)
    above = max(gaps[0], own.start - 1 - last_above(every, own.start))
    below = max(gaps[1], first_below(every, own.stop) - own.stop)
    lines = inserted(file.lines, spot.at, texts, above, below).on(file.lines)
    cost = _AS_SHOWN if len(own) < len(every) else _AS_STATED
    return Option(lines, cost, "as told")


def own_lines(file: Outline, block: Block, spot: Spot) -> range:
    """The lines of a block without those at its ends that are the neighbours of a spot."""
    return _own(block.texts, file.lines[: spot.at][::-1], file.lines[spot.at :])


def _own(shown: Sequence[str], above: Sequence[str], below: Sequence[str]) -> range:
    """The lines without those at the ends that are the neighbours, `above` from below."""
    first = _shared(shown, above)
    return range(first, len(shown) - _shared(shown[::-1][: len(shown) - first], below))


def _shared(shown: Sequence[str], beside: Sequence[str]) -> int:
    """How many lines of a block, from one end on, are the neighbours on that side of the spot, blank lines between
    them and what comes included; none where none of them says more than brackets, or nothing comes."""
    places = written_places(shown)
    own, there = [_key(shown[at]) for at in places], [*map(_key, written(beside))]
    for count in range(len(places) - 1, 0, -1):
        if own[:count][::-1] == there[:count] and any(map(is_telling, own[:count])):
            return places[count]
    return 0


def _key(line: str) -> str:
    """A line as it is compared: headings of any level are alike."""
    return _HEADING.sub("# ", line.strip())


def in_place(file: Outline, block: Block, span: tuple[int, int]) -> Option:
    """The lines instead of a span of the file, without those beside it."""
    start, end = span
    every = block.texts
    is_suggested = block.info == "suggestion"  # of a code review, which shows all that comes
    if len(every) > end - start and not is_suggested:
        own = _own(every, file.lines[:start][::-1], file.lines[end:])
        every = every[own.start : own.stop]
    texts, blanks = tuple(every), block.blanks if is_suggested else 0
    new = (*reindented(texts, file.lines[start]), *[""] * blanks)
    gone = frozenset(node.name for node in file.nodes if start <= node.head < end)
    return Option((*file.lines[:start], *new, *file.lines[end:]), 0.0, "in place", gone)
