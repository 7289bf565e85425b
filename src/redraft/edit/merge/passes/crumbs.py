"""In: a sketch and the file. Out: the sketch with markers between heads that only tell where its code stands.

`module A`, `module B`, `class C` one below the other are the way to what is shown in `C`: what else the file has in `A`
and `B` is left out, before the next head as well as behind its end.
"""

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from redraft.edit.answer.block import Block, Line
from redraft.edit.merge.common.units import outline_of
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import words_in

_MARKER = Line("...", "marker")


def with_crumbs(block: Block, file: Outline, path: str, gone: Collection[str]) -> Block:
    """A block with markers, with more of them where its heads leave out lines of the file, unless words say that these
    are `gone`."""
    if block.explicit or not block.has_markers:
        return block
    shown = outline_of(block, path, file)
    if shown.faults:
        return block
    above = {at for outer, inner in _nested(block, shown) for at in _left_out(outer, inner, file, gone)}
    lines = [new for at, line in enumerate(block.lines) for new in ([_MARKER, line] if at in above else [line])]
    return replace(block, lines=tuple(lines)) if above else block


def _nested(block: Block, shown: Outline) -> Iterator[tuple[Node, Node]]:
    """Containers that show another one and nothing else."""
    for outer in shown.nodes:
        if outer.body is None or not outer.is_container or len(outer.children) != 1:
            continue
        inner = shown.nodes[outer.children[0]]
        others = (*range(outer.body[0], inner.start), *range(inner.end, outer.body[1]))
        if inner.is_container and not any(block.lines[at].text.strip() for at in others):
            yield outer, inner


def _left_out(outer: Node, inner: Node, file: Outline, gone: Collection[str]) -> Iterator[int]:
    """The lines of the block above which lines of the file are left out."""
    for at in file.named(inner.name):
        node = file.nodes[at]
        parent = None if node.parent is None else file.nodes[node.parent]
        if parent is None or parent.name != outer.name or parent.body is None or not node.is_container:
            continue
        for span, line in (((parent.body[0], node.start), inner.start), ((node.end, parent.body[1]), inner.end)):
            words = {word for text in file.lines[slice(*span)] for word in words_in(text)}
            if words and words.isdisjoint(gone):
                yield line
