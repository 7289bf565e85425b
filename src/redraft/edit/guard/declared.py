"""In: the outlines of a file before and after an edit. Out: declarations that stand twice."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import TypeVar

from msgspec import Struct

from redraft.edit.outline import Node, Outline

_ONE_KIND = {"field": "variable", "key": "variable"}  # may be told apart by their surroundings alone
_NEVER_TWICE = {
    *("function", "class", "interface", "enum", "type", "namespace", "macro", "field", "test", "import"),
    *("variable", "key", "rule"),
}
_ASSIGNED = {  # languages in which a second assignment is no second declaration
    *("python", "ruby", "lua", "perl", "php", "r", "bash", "fish", "make", "cmake", "julia", "powershell", "nim"),
    *("dockerfile", "css", "scss"),
}
# Names that a scope may have more than once.
_MANY = {"init", "_", "static", "main", "body", "companion", "from", "to", "class << self"}
ONE_EACH = {  # languages in which a name has one function in a scope, whatever its parameters
    *("python", "javascript", "typescript", "tsx", "go", "rust", "ruby", "php", "c", "lua", "luau", "bash", "fish"),
    *("dart", "zig", "gdscript", "starlark"),
}
_MODIFIERS = re.compile(r"\b(?:async|export|default|pub|public|private|protected|inline|override)\b(?:\(\w+\))?\s*")
_BRANCH = re.compile(
    r"\s*#\s*(?:if|ifdef|ifndef|else|elif|elseif|endif)\b|\s*#\[cfg|"
    r"\s*@(?:overload|typing\.overload|\w+\.setter|\w+\.deleter)"
)

Path = tuple[str, ...]
_Key = TypeVar("_Key")


class Scopes(Struct, frozen=True, dict=True):
    """An outline's nodes by where they lie and what they are called."""

    outline: Outline

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """For each node the kinds and names from the outermost to its own."""
        found: list[Path] = []
        for node in self.outline.nodes:
            around = () if node.parent is None else found[node.parent]
            found.append((*around, f"{_ONE_KIND.get(node.kind, node.kind)} {node.name}"))
        return tuple(found)

    @cached_property
    def by_path(self) -> dict[Path, list[int]]:
        return _places(self.paths)


def _places(keys: Iterable[_Key]) -> dict[_Key, list[int]]:
    """Where each key stands."""
    found: dict[_Key, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        found[key].append(at)
    return dict(found)


def duplicates(before: Outline, after: Outline) -> list[int]:
    """Nodes of the output that stand a second time in a scope that had them once, or not at all."""
    had = Counter(_keys(before))
    again = ((places[0], at) for key, places in _places(_keys(after)).items() if had[key] <= 1 for at in places[1:])
    found = [at for first, at in again if _is_twice(after, first, at)]
    return sorted(found)


@lru_cache(maxsize=64)
def _keys(outline: Outline) -> list[tuple[Path, str]]:
    """What tells declarations apart: where they lie, kind, name and, where names may be overloaded, signature."""
    paths = Scopes(outline).paths
    return [(path, _distinction(outline, node)) for path, node in zip(paths, outline.nodes, strict=True)]


def _distinction(outline: Outline, node: Node) -> str:
    if node.kind != "function" or outline.language not in ONE_EACH or node.body is None:
        return node.signature
    return _MODIFIERS.sub("", node.signature.partition(node.name)[0])


def _is_twice(outline: Outline, first: int, second: int) -> bool:
    a, b = outline.nodes[first], outline.nodes[second]
    if b.kind not in _NEVER_TWICE or b.name in _MANY or "(" in b.name:
        return False
    if b.parent is not None and b.parent != a.parent and outline.nodes[b.parent].kind == "section":
        return False
    if b.kind in ("variable", "field") and outline.language in _ASSIGNED:
        return False
    if b.kind == "rule" and not _properties(outline, a) & _properties(outline, b):
        return False
    return _decorated(outline, a) == _decorated(outline, b)


def _properties(outline: Outline, node: Node) -> set[str]:
    return {outline.nodes[child].name for child in node.children}


def _decorated(outline: Outline, node: Node) -> list[str]:
    """The lines above that say when a declaration holds."""
    return [line.strip() for line in outline.lines[node.start : node.head] if _BRANCH.match(line)]
