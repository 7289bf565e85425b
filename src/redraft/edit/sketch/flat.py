"""In: new keys of a file of keys. Out: whether they are keys of the file itself, or of an object that words name."""

import re
from collections.abc import Sequence

from redraft.edit.sketch.declared import Sketch
from redraft.edit.sketch.items import Item, width
from redraft.edit.sketch.patch import Doubt

_FLAT = ("json", "ini")
_WORD = re.compile(r"[\w.@/-]+")


def is_flat(sketch: Sketch, new: Sequence[Item]) -> bool:
    """Whether new keys can only be keys of the file itself: a JSON object, or a list of keys without sections."""
    kinds = {node.kind for node in sketch.file.nodes if node.parent is None}
    is_keyed = sketch.file.language in _FLAT and kinds == {"key"}
    return is_keyed and all(item.node is not None and item.kind == "key" for item in new)


def named_object(sketch: Sketch, new: Sequence[Item]) -> int | None:
    """The object that the words name, None for the file itself; raises Doubt for keys that are shown deeper."""
    objects = [at for at, node in enumerate(sketch.file.nodes) if node.end - node.head > 1]
    words = {*_WORD.findall(sketch.block.prose)}
    named = [at for at in objects if sketch.file.nodes[at].name in words]
    depth = max(width(sketch.file.lines[sketch.file.nodes[at].head]) for at in sketch.file.top())
    if len(named) > 1 or (objects and not named and new[0].depth > depth):
        raise Doubt(f"nothing says which object {new[0].name!r} goes to: show a line beside it")
    return named[0] if named else None
