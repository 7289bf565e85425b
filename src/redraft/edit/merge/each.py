"""In: a block, and what sentences say that it replaces. Out: the file with each line in place of the one that sets the
same name, in each declaration that is told, or with the block in place of the stretch of its shape that is told."""

from collections.abc import Iterator, Sequence

from redraft.edit.align.likeness import head
from redraft.edit.answer.block import Block
from redraft.edit.merge.indentation import reindented
from redraft.edit.merge.lookup import nodes_of
from redraft.edit.merge.option import Option
from redraft.edit.merge.shaped import in_shape
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Saying

_FEW = 3  # lines that take the places of others alone
_EACH = 0.1


def instead(file: Outline, block: Block, said: Sequence[Saying]) -> Iterator[Option]:
    """The ways to put a block in the place of lines of which a sentence says what they are in, or about."""
    yield from in_each(file, block, said)
    yield from in_shape(file, block, said)


def in_each(file: Outline, block: Block, said: Sequence[Saying]) -> Iterator[Option]:
    """The lines of a block in place of others, where sentences say in what, and no other reading is as near."""
    texts = [line.text for line in block.lines if line.text.strip()]
    if block.has_markers or len(texts) > _FEW or not all(map(is_telling, texts)) or any(s.verb == "add" for s in said):
        return
    lines = list(file.lines)
    for span in _spans(file, said):
        places = [_place(text, file, span) for text in texts]
        if None in places:
            return
        for text, at in zip(texts, (place for place in places if place is not None), strict=True):
            lines[at] = reindented((text,), (text,), file.lines[at])[0]
    if lines != list(file.lines):
        yield Option(tuple(lines), _EACH, "in each")


def _spans(file: Outline, said: Sequence[Saying]) -> list[range]:
    """The declarations that sentences say something is in."""
    names = [
        name for each in said for place in each.places if place.relation in ("inside", "start") for name in place.names
    ]
    nodes = [found[0] for name in names if len(found := nodes_of(name, file)) == 1]
    return [range(file.nodes[at].head + 1, file.nodes[at].end) for at in nodes]


def _place(text: str, file: Outline, span: range) -> int | None:
    """The one line of a span that sets the name that a line sets."""
    about = head(text.strip())
    found = [at for at in span if head(file.lines[at].strip()) == about] if about.kind == "name" else []
    return found[0] if len(found) == 1 else None
