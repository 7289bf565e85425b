"""In: an output and what was expected. Out: in which senses the two are equal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from redraft.edit.syntax import parse


@dataclass(frozen=True)
class Grade:
    """Equal character for character; but for white space; as syntax trees, or but for blank lines and line ends."""

    exact: bool
    equal_but_whitespace: bool
    equal_as_trees: bool


def grade(output: str | None, expected: str, path: str) -> Grade:
    """How an output compares; all False without one."""
    if output is None:
        return Grade(False, False, False)
    if output == expected:
        return Grade(True, True, True)
    return Grade(
        False, _dense(output) == _dense(expected), _lines(output) == _lines(expected) or _trees(output, expected, path)
    )


def _dense(text: str) -> str:
    return "".join(text.split())


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _trees(output: str, expected: str, path: str) -> bool:
    """Whether a grammar reads both without a fault, and as the same."""
    one, other = parse(output, path), parse(expected, path)
    if one is None or one.has_error or other.has_error:
        return False
    return list(_nodes(one, output.encode())) == list(_nodes(other, expected.encode()))


def _nodes(root: Any, text: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Kind, number of children and, for leaves, text of each node."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        children = node.children
        yield node.type, len(children), b"" if children else text[node.start_byte : node.end_byte]
        nodes += children
