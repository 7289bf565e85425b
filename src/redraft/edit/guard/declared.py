"""In: the outlines of a file before and after an edit. Out: declarations that stand twice."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

from msgspec import Struct

from redraft.edit.outline import Node, Outline
from redraft.edit.text.lines import width_of

_ONE_KIND = {"field": "variable", "key": "variable"}  # may be told apart by their surroundings alone
_NEVER_TWICE = {
    *("function", "class", "interface", "enum", "type", "namespace", "macro", "field", "test", "section", "import"),
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


def _is_element(outline: Outline, node: Node) -> bool:
    """Whether it is an element that is named: by what it holds in XML, by its id in a page."""
    return node.kind == "element" and ((outline.language == "xml" and " " in node.name) or "#" in node.name)


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
    is_value = b.kind in ("variable", "key", "rule") or _is_element(outline, b)
    if (b.kind not in _NEVER_TWICE and not is_value) or b.name in _MANY or "(" in b.name:
        return False
    around = [] if b.parent in (None, a.parent) else [outline.nodes[b.parent or 0]]
    if any(node.kind == "section" and _may_repeat(outline, node) for node in (b, *around)):
        return False
    if b.kind in ("variable", "field") and outline.language in _ASSIGNED:
        return False
    if b.kind == "rule" and not _properties(outline, a) & _properties(outline, b):
        return False
    if _decorated(outline, a) != _decorated(outline, b):
        return False
    return _in_one_block(outline.lines, a, b)


def _may_repeat(outline: Outline, node: Node) -> bool:
    """Whether a section is one of an array of tables, as TOML writes them, or a block of Terraform without a label."""
    head = outline.lines[node.head].strip()
    return head.startswith("[[") or (outline.language == "hcl" and '"' not in head)


def _properties(outline: Outline, node: Node) -> set[str]:
    return {outline.nodes[child].name for child in node.children}


def _decorated(outline: Outline, node: Node) -> list[str]:
    """The lines above that say when a declaration holds."""
    return [line.strip() for line in outline.lines[node.start : node.head] if _BRANCH.match(line)]


def _in_one_block(lines: Sequence[str], a: Node, b: Node) -> bool:
    """Whether nothing between two nodes closes the block of the first, or is a branch of the preprocessor."""
    width = width_of(lines[a.head])
    between = [line for line in lines[a.end : b.start] if line.strip()]
    return width == width_of(lines[b.head]) and all(
        width_of(line) >= width and not _BRANCH.match(line) for line in between
    )
