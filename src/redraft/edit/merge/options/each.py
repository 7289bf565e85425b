"""In: a block, and what sentences say that it replaces. Out: the file with each line in place of the one that sets the
same name, in each declaration that is told, or with the block in place of the stretch of its shape that is told, or of
all that are the same, where words speak of each."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from redraft.edit.align.likeness import head
from redraft.edit.align.merge import aligned
from redraft.edit.answer.block import Block
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.common.lookup import nodes_of
from redraft.edit.merge.common.patch import Patch, patched
from redraft.edit.merge.options.option import Option
from redraft.edit.merge.options.shaped import in_shape
from redraft.edit.merge.places.spots import scopes_of
from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Saying
from redraft.edit.words.hints import last_lines, speaks_of
from redraft.edit.words.sentences import CODE

_FEW = 3  # lines that take the places of others alone
_EACH = 0.1
_SEVERAL, _ALIKE = 2, 0.5  # stretches that are the same, and how alike each of their lines is to what takes its place


def instead(file: Outline, block: Block, said: Sequence[Saying], path: str) -> Iterator[Option]:
    """The ways to put a block in the place of lines of which a sentence says what they are in, or about."""
    yield from in_each(file, block, said)
    yield from aligned_in_each(file, block, said, path)
    yield from in_shape(file, block, said)
    yield from in_all(file, block, said)


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


def aligned_in_each(file: Outline, block: Block, said: Sequence[Saying], path: str) -> Iterator[Option]:
    """The block aligned with each of several declarations that a sentence names, all of which have its first line."""
    places = (place for each in said for place in each.places if place.relation == "inside")
    names = next((place.names for place in places if len(place.names) >= _SEVERAL), ())
    patches = list[Patch]()
    for name in names if not block.has_markers else ():
        nodes = [file.nodes[at] for at in nodes_of(name, file) if _begins_in(block, file.nodes[at], file)]
        node = nodes[0] if len(nodes) == 1 else None
        found = aligned(file.lines[node.head + 1 : node.end], block, path) if node else ""
        if node is None or isinstance(found, str):
            return
        patches += [Patch(node.head + 1 + each.start, node.head + 1 + each.end, each.texts) for each in found[0]]
    if (lines := patched(file.lines, patches)) not in (None, file.lines):
        yield Option(lines or (), _EACH, "in each")


def _begins_in(block: Block, node: Node, file: Outline) -> bool:
    """Whether the first line of a block, which is not all of it, stands once below the head of a declaration."""
    own = file.lines[node.head + 1 : node.end]
    return own.count(block.lines[0].text) == 1 and len(block.lines) > 1


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


def in_all(file: Outline, block: Block, said: Sequence[Saying]) -> Iterator[Option]:
    """The block instead of every stretch that it is a version of, or that it shows with new lines within, where words
    speak of each and all are the same."""
    texts, lines = tuple(line.text for line in block.lines), list(file.lines)
    if block.has_markers or not speaks_of("each", last_lines(block.prose)):
        return
    quoted = CODE.findall(last_lines(block.prose))
    count, found = _grown(texts, file)
    if not found and not any(s.verb == "add" for s in said):
        count, found = len(texts), _versions(texts, file, quoted)
    named = [file.nodes[node] for name in quoted for node in file.named(name)]
    starts = [at for at in _meant(found, file, said) if not named or any(n.start <= at < n.end for n in named)]
    if len(starts) < _SEVERAL or any(b < a + count for a, b in pairwise(starts)):
        return
    for at in reversed(starts):
        lines[at : at + count] = reindented(texts, texts[:1], lines[at])
    yield Option(tuple(lines), _EACH, "in all", frozenset(_renewed(file, starts, count)))


def _grown(texts: Sequence[str], file: Outline) -> tuple[int, list[int]]:
    """How many of some lines, the first and the last of them, are the file's, and where they stand without the others;
    nowhere where there are no others."""
    had = [line.strip() for line in file.lines]
    old = [text.strip() for text in texts if text.strip() in had]
    is_around = len(old) < len(texts) and old[:1] == [texts[0].strip()] and old[-1:] == [texts[-1].strip()]
    is_around &= len(old) >= _SEVERAL and any(map(is_telling, old))
    return len(old), [at for at in range(len(had)) if had[at : at + len(old)] == old] if is_around else []


def _renewed(file: Outline, starts: Sequence[int], count: int) -> Iterator[str]:
    """The names of what is declared on lines that others take the place of, and of what is in it."""
    there = {at for start in starts for at in range(start, start + count)}
    spans = [node for node in file.nodes if node.head in there]
    return (node.name for node in file.nodes if any(each.head <= node.head < each.end for each in spans))


def _meant(starts: Sequence[int], file: Outline, said: Sequence[Saying]) -> list[int]:
    """Those of some lines that are in what sentences say something is in, each in one of several things."""
    spans = [[file.nodes[at] for at in scopes_of(each.places, file)] for each in said]
    return [at for at in starts if all(any(node.start <= at < node.end for node in nodes) for nodes in spans if nodes)]


def _versions(texts: Sequence[str], file: Outline, quoted: Sequence[str]) -> list[int]:
    """Where the stretches begin that all have the same lines, those that are quoted or are most like new ones."""
    new, had = [text.strip() for text in texts], [line.strip() for line in file.lines]
    found: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(had) - len(new) + 1):
        found.setdefault(tuple(had[at : at + len(new)]), []).append(at)
    chances = {stretch: _likeness(new, stretch) for stretch in found if stretch != tuple(new)}
    best = max(chances, key=lambda stretch: ("\n".join(stretch) in quoted, chances[stretch]), default=())
    return found[best] if chances.get(best) else []


def _likeness(new: Sequence[str], old: Sequence[str]) -> float:
    """How alike lines are to others, one by one; nothing where one is too unlike."""
    total = 0.0
    for text, line in zip(new, old, strict=True):
        match = SequenceMatcher(None, line, text, autojunk=False)
        if text != line and (match.real_quick_ratio() < _ALIKE or match.ratio() < _ALIKE):
            return 0.0
        total += match.ratio()
    return total
