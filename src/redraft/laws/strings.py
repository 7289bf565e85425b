"""In: the lines of a file and its language. Out: the lines on which a string begins that goes on though it may not."""

from collections.abc import Iterator, Sequence
from typing import Any

from redraft.edit.outline.grammars import parse

# Their grammars read a line break within quotes, which their compilers refuse.
_ONE_LINE = frozenset(
    ("javascript", "typescript", "tsx", "c", "cpp", "objc", "java", "kotlin", "go", "csharp", "swift", "dart", "scala")
)
_QUOTES = (b'"', b"'")
_MARKS = ('"', "'")
_OF_PAGES = ("jsx_attribute", "attribute")  # whose strings may


def broken_strings(lines: Sequence[str], language: str) -> list[int]:
    """In order; none where the language lets strings go on, or has no grammar here."""
    if language not in _ONE_LINE:
        return []
    source = "\n".join((*lines, "")).encode(errors="replace")
    root = parse(source, language)
    return sorted(_broken(root, source)) if root is not None else []


def _broken(root: Any, source: bytes) -> Iterator[int]:
    nodes = [root]
    while nodes:
        node = nodes.pop()
        (first, _), (last, _) = node.start_point, node.end_point
        if node.is_error:
            yield from (child.start_point[0] for child in node.children if child.type in _MARKS)  # that nothing closes
        if first == last or node.type in _OF_PAGES:
            continue
        if _is_plain(source[node.start_byte : node.end_byte]) and _is_string(node.type):
            yield first
        else:
            nodes += node.children


def _is_string(kind: str) -> bool:
    return "string" in kind or kind in ("rune_literal", "char_literal", "character_literal")


def _is_plain(text: bytes) -> bool:
    """Whether a text is quoted by one sign, and no line of it goes on by a backslash."""
    return text[:1] in _QUOTES and text[:3] != text[:1] * 3 and b"\\\n" not in text
