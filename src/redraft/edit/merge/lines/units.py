"""In: a block of an answer and its outline. Out: its declarations, markers and loose lines, one after the other."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.answer.block import Block
from redraft.edit.merge.lines.written import depth
from redraft.edit.outline import Outline, fragment
from redraft.edit.text.lines import is_telling


class Unit(Struct, frozen=True):
    """Lines `start:end` of a block: a declaration, a marker, or loose lines."""

    start: int
    end: int
    node: int | None = None
    is_marker: bool = False


def units_of(block: Block, shown: Outline, span: tuple[int, int], children: Sequence[int]) -> Iterator[Unit]:
    """The declarations, markers and loose lines of a part of a block, in order."""
    start, end = span
    at = start
    for child in children:
        node = shown.nodes[child]
        yield from _between(block, at, max(at, node.start))
        yield Unit(max(at, node.start), node.end, child)
        at = max(at, node.end)
    yield from _between(block, at, end)


def _between(block: Block, start: int, end: int) -> Iterator[Unit]:
    for is_marker, run in groupby(range(start, end), key=lambda at: block.lines[at].kind == "marker"):
        if is_marker:
            yield from (Unit(at, at + 1, is_marker=True) for at in run)
        elif written := [at for at in run if block.lines[at].text.strip()]:
            yield Unit(written[0], written[-1] + 1)


def outline_of(block: Block, path: str) -> Outline:
    """The outline of a block for a file at `path`; a marker above a declaration is none of its comments."""
    markers = block.markers
    found = fragment(block.texts, path, markers)
    starts = [max((at + 1 for at in markers if at < node.head), default=0) for node in found.nodes]
    nodes = (replace(node, start=max(node.start, start)) for node, start in zip(found.nodes, starts, strict=True))
    return replace(found, nodes=tuple(nodes))


def is_inside(lines: Sequence[str], shown: Outline) -> bool:
    """Whether lines lie inside of something, as their outline shows: they declare nothing, or stand around or deeper
    above what they declare."""
    top = [shown.nodes[at] for at in shown.top()]
    heads = [depth(lines[node.head]) for node in top]
    if not top or min(map(depth, filter(is_telling, lines)), default=0) < min(heads):
        return True
    return any(depth(text) > heads[0] for text in lines[: top[0].start])
