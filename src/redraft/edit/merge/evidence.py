"""In: a file before and after a block, as outlines. Out: what speaks against the change, as a cost."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from redraft.edit.guard.declared import duplicates
from redraft.edit.outline import Outline

_Key = tuple[tuple[str, ...], str, str]


@dataclass(frozen=True)
class Losses:
    """Names of declarations that are gone, and of those that stand more often than before."""

    gone: tuple[str, ...]
    doubled: tuple[str, ...]


def losses(before: Outline, after: Outline, named: Collection[str] = ()) -> Losses:
    """What a change loses and doubles; `named` are declarations that the answer says are gone."""
    old, new = Counter(_keys(before)), Counter(_keys(after))
    gone = tuple(key[2] for key in (old - new) if key[2] not in named)
    return Losses(gone, tuple(after.nodes[at].name for at in duplicates(before, after)))


def _keys(outline: Outline) -> Iterator[_Key]:
    """Parents' names, kind and name of each declaration; not of what stands inside of functions."""
    paths: list[tuple[str, ...] | None] = []
    for node in outline.nodes:
        above = () if node.parent is None else paths[node.parent]
        is_open = above is not None and node.kind != "function"
        paths.append((*above, node.name) if is_open and above is not None else None)
        if above is not None and node.name:
            yield above, node.kind, node.name
