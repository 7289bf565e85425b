"""In: a file before and after a block, as outlines. Out: what speaks against the change, as a cost."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from redraft.edit.guard.declared import duplicates
from redraft.edit.outline import Outline

_LONG = 3  # lines of a function that is not overlooked
_Key = tuple[tuple[str, ...], str, str]


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
        is_open = above is not None and node.kind != "function"
        paths.append((*above, node.name) if is_open and above is not None else None)
        if above is not None and node.name:
            yield above, node.kind, node.name
