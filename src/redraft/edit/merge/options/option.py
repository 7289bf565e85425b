"""In: what a block is read with, and the lines that it may make of a file. Out: what the change says against that."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from redraft.edit.guard.declared import duplicates
from redraft.edit.merge.lines.lost import undone
from redraft.edit.outline import Outline
from redraft.edit.words import Known
from redraft.edit.words.known import parts_of

_LOST, _LOST_BY_LINES, _DOUBLED, _FAULT, _MOST = 1.5, 0.3, 2.0, 2.5, 5.0
_LOST_BODY, _UNEXPLAINED = 0.5, 0.8
_UNDONE, _MOST_UNDONE = 0.5, 4
_LONG = 3  # lines of a function that is not overlooked
_Key = tuple[tuple[str, ...], str, str]


class About(Struct, frozen=True):
    """What a block is read with: what words may mean in the file, what the user asked for, the lines of the file before
    any block, whether the answer has more blocks."""

    known: Known
    instruction: str
    before: tuple[str, ...]
    more: bool = False


class Option(Struct, frozen=True):
    """Lines that a block may make of a file; `named` are declarations that the answer says are gone.

    `shows_all`: it has no more than is shown.
    """

    lines: tuple[str, ...]
    cost: float
    name: str
    named: frozenset[str] = frozenset()
    is_tolerant: bool = True
    is_cut: bool = False
    shows_all: bool = False

    def against(self, before: Outline, after: Outline, gone: frozenset[str], had: Sequence[str]) -> float:
        """What the change itself says against the reading: what it loses, doubles, breaks, and undoes of other blocks.

        `gone` are words of the sentences that say what goes, `had` the lines of the file before any block.
        """
        found = losses(before, after, self.named)
        faults = len(after.faults) > len(before.faults)
        bodies = found.bodies if self.is_cut else ()
        unexplained = [name for name in bodies if gone and parts_of(gone).isdisjoint(parts_of((name,)))]
        lost = (_LOST_BY_LINES if self.is_cut else _LOST) * len(found.gone)
        lost += _LOST_BODY * len(bodies) + _UNEXPLAINED * bool(unexplained)
        kept = _UNDONE * min(_MOST_UNDONE, undone(had, before.lines, after.lines))
        return min(_MOST, min(lost, _MOST) + _DOUBLED * len(found.doubled) + _FAULT * faults + kept)


class Losses(Struct, frozen=True):
    """Names of declarations that are gone, and of those that stand more often than before; `bodies` are those that are
    gone with several lines of their own."""

    gone: tuple[str, ...]
    doubled: tuple[str, ...]
    bodies: tuple[str, ...]


@lru_cache(maxsize=64)
def losses(before: Outline, after: Outline, named: frozenset[str] = frozenset()) -> Losses:
    """What a change loses and doubles; `named` are declarations that the answer says are gone."""
    old, new = Counter(_keys(before)), Counter(_keys(after))
    gone = tuple(key[2] for key in (old - new) if key[2] not in named)
    doubled = tuple(after.nodes[at].name for at in duplicates(before, after))
    long = Counter(node.name for node in before.nodes if node.kind == "function" and node.end - node.head > _LONG)
    return Losses(gone, doubled, tuple(name for name in gone if name in long))


def _keys(outline: Outline) -> Iterator[_Key]:
    """Parents' names, kind and name of each declaration; not of what stands inside of functions."""
    paths: list[tuple[str, ...] | None] = []
    for node in outline.nodes:
        above = () if node.parent is None else paths[node.parent]
        paths.append(None if above is None or node.kind == "function" else (*above, node.name))
        if above is not None and node.name:
            yield above, node.kind, node.name
