"""In: a block of new lines, and where the words before it say that it goes. Out: the file with it there."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.merge.common.indentation import fitted, reindented
from redraft.edit.merge.common.insertion import Spot, homed, inserted, separation
from redraft.edit.merge.common.patch import patched
from redraft.edit.merge.context.omitted import heads_of
from redraft.edit.merge.options.option import Option
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words.hints import speaks_of

_HEADING = re.compile(r"#+ ")
_AS_TOLD, _AS_SHOWN, _IN_STRETCH, _AS_VERSION = 0.2, 0.1, 0.1, 0.3


def at_spot(file: Outline, block: Block, spot: Spot, shown: Outline) -> Option:
    """The lines of a block, with their outline, at a spot."""
    every = [line.text for line in block.lines]
    if shown.top() and not speaks_of("top level", block.prose):
        spot = homed(file, spot, shown.nodes[shown.top()[0]])
    own = own_lines(file, block, spot)
    texts = fitted(tuple(every[own.start : own.stop]), spot, file)
    is_declared = any(shown.nodes[at].end - shown.nodes[at].head > 1 for at in shown.top())
    is_long = is_declared or bool(heads_of(every))
    gaps = map(_blanks, (every[: own.start][::-1], every[own.stop :]))
    above, below = (max(pair) for pair in zip(separation(file, spot, is_long, 0, 0, is_declared), gaps, strict=True))
    patch = inserted(file.lines, spot.at, texts, above, below)
    cost = _AS_SHOWN if len(own) < len(every) else _AS_TOLD
    return Option(patched(file.lines, [patch]) or (), cost, "as told")


def _blanks(lines: Sequence[str]) -> int:
    """With how many blank lines others begin."""
    return sum(1 for _ in takewhile(lambda line: not line.strip(), lines))


def own_lines(file: Outline, block: Block, spot: Spot) -> range:
    """The lines of a block without those at its ends that are the neighbours of a spot."""
    return _own([line.text for line in block.lines], file.lines[: spot.at][::-1], file.lines[spot.at :])


def _own(shown: Sequence[str], above: Sequence[str], below: Sequence[str]) -> range:
    """The lines without those at the ends that are the neighbours, `above` from below."""
    first = _shared(shown, above)
    return range(first, len(shown) - _shared(shown[::-1][: len(shown) - first], below))


def _shared(shown: Sequence[str], beside: Sequence[str]) -> int:
    """How many lines of a block, from one end on, are the neighbours on that side of the spot, blank lines between
    them and what comes included; none where none of them says more than brackets, or nothing comes."""
    written = [at for at, line in enumerate(shown) if line.strip()]
    there = [_key(line) for line in beside if line.strip()]
    for count in range(len(written) - 1, 0, -1):
        own = [_key(shown[at]) for at in reversed(written[:count])]
        if own == there[:count] and any(map(is_telling, own)):
            return written[count]
    return 0


def _key(line: str) -> str:
    """A line as it is compared: headings of any level are alike."""
    return _HEADING.sub("# ", line.strip())


def in_place(file: Outline, block: Block, span: tuple[int, int]) -> Option:
    """The lines instead of a span of the file, without those beside it."""
    start, end = span
    every = [line.text for line in block.lines]
    is_suggested = block.info == "suggestion"  # of a code review, which shows all that comes
    if len(every) > end - start and not is_suggested:
        own = _own(every, file.lines[:start][::-1], file.lines[end:])
        every = every[own.start : own.stop]
    texts, blanks = tuple(every), block.blanks if is_suggested else 0
    new = (*reindented(texts, file.lines[start]), *[""] * blanks)
    gone = frozenset(node.name for node in file.nodes if start <= node.head < end)
    return Option((*file.lines[:start], *new, *file.lines[end:]), 0.0, "in place", gone)


def as_version(file: Outline, block: Block, span: tuple[int, int] | None) -> Iterator[Option]:
    """The lines instead of those that they may be a version of, where nobody says that they are."""
    if span is not None:
        yield replace(in_place(file, block, span), cost=_AS_VERSION)
