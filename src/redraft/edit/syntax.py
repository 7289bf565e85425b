"""In: a file's text and path. Out: where a grammar finds it broken, and what its lines lie in; nothing without one.

The grammars are those of tree-sitter (the extra `syntax`); which one reads a file is told by its ending.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import Any

_ENDINGS = {
    "python": "py pyi",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c",
    "cpp": "cc cpp cxx hpp hh hxx h",
    "csharp": "cs",
    "ruby": "rb rake gemspec",
    "kotlin": "kt kts",
    "php": "php",
    "css": "css",
    "scss": "scss",
    "html": "html htm",
    "yaml": "yml yaml",
    "json": "json",
    "toml": "toml",
    "sql": "sql",
    "bash": "sh bash",
    "markdown": "md markdown",
}
GRAMMARS = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
# Their grammars stumble over macros and over what is newer than they are: brackets have to be out of balance, too.
_UNSURE = frozenset(("c", "cpp", "csharp", "kotlin", "scss", "sql", "typescript"))
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_DEFINITIONS = (
    *("definition", "declaration", "function", "method", "class", "struct", "impl", "interface", "module"),
    *("namespace", "enum", "trait", "object", "record", "pair"),
)
IS_INSTALLED = find_spec("tree_sitter_language_pack") is not None


def grammar(path: str) -> str:
    """The name of the grammar that reads a file, "" where there is none."""
    return GRAMMARS.get(PurePosixPath(path).suffix.removeprefix(".").lower(), "")


def parse(text: str, path: str) -> Any:
    """The root node of the tree, None without a grammar for the file or without tree-sitter."""
    name = grammar(path)
    return _parser(name).parse(text.encode(errors="replace")).root_node if name and IS_INSTALLED else None


def faults(text: str, path: str) -> list[int]:
    """The lines, counted from 1, of what a grammar cannot read, or misses; none without a grammar."""
    root = parse(text, path)
    found, nodes = [], [] if root is None else [root]
    while nodes:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            found.append(node.start_point[0] + 1)
        if node.has_error:
            nodes += node.children
    return sorted(found)


def broken(original: str, output: str, path: str) -> list[int]:
    """Faults of an output whose original has none."""
    if faults(original, path) or (grammar(path) in _UNSURE and _balance(original) == _balance(output)):
        return []
    return faults(output, path)


def enclosing(lines: Sequence[str], path: str) -> tuple[str, ...] | None:
    """For each line the innermost definition or key of several lines that it lies in, by name, "" for none.

    None without a grammar.
    """
    root = parse("\n".join(lines), path)
    if root is None:
        return None
    found = [""] * len(lines)
    nodes = [root]
    while nodes:
        node = nodes.pop()
        first, last = node.start_point[0], node.end_point[0]
        name = node.child_by_field_name("name") or node.child_by_field_name("key")
        if name is not None and any(part in node.type for part in _DEFINITIONS):
            found[first + 1 : last] = [name.text.decode(errors="replace").strip("\"'")] * (last - first - 1)
        nodes += [child for child in reversed(node.children) if child.end_point[0] > child.start_point[0] + 1]
    return tuple(found)


def _balance(text: str) -> list[int]:
    return [text.count(opening) - text.count(closing) for opening, closing in _BRACKETS]


@cache
def _parser(name: str) -> Any:
    import tree_sitter_language_pack as languages

    load: Callable[[Any], Any] = languages.get_parser
    return load(name)
