"""In: an output and what was expected. Out: in which senses the two are equal."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from redraft.edit.syntax import parse
from redraft.edit.text.changes import line_changes, split_lines
from redraft.measure.accuracy.checks import passes
from redraft.measure.accuracy.same_data import same_data
from redraft.measure.cases import Case


@dataclass(frozen=True)
class Grade:
    """Equal character for character; but for white space; as syntax trees, or but for blank lines and line ends."""

    exact: bool
    equal_but_whitespace: bool
    equal_as_trees: bool
    violations: int | None


def best_grade(case: Case, output: str | None) -> Grade:
    """The best grade that one of the files gives which the case accepts.

    A file that holds the same data, where the case says so, and one that passes its checks are exact, too.
    """
    original, path = case.request.original, case.request.path
    graded = [grade(original, output, expected, path) for expected in (case.expected, *case.accepted)]
    best = max(graded, key=lambda found: (found.exact, found.equal_as_trees, found.equal_but_whitespace))
    is_same = case.as_data and output is not None and same_data(output, case.expected, path)
    if is_same or (case.checks is not None and output is not None and passes(case.checks, original, output)):
        return replace(best, exact=True, equal_as_trees=True)
    return best


def grade(original: str, output: str | None, expected: str, path: str) -> Grade:
    """How an output compares; `violations` counts the lines that should have stayed and did not.

    Without an output nothing is equal, and nothing is violated: None.
    """
    if output is None:
        return Grade(False, False, False, None)
    if output == expected:
        return Grade(True, True, True, 0)
    one, other = parse(output, path), parse(expected, path)
    if one is None or one.has_error or other.has_error:
        same = _lines(output) == _lines(expected)
    else:
        same = list(_nodes(one, output.encode())) == list(_nodes(other, expected.encode()))
    return Grade(False, _dense(output) == _dense(expected), same, _violations(original, output, expected))


def _violations(original: str, output: str, expected: str) -> int:
    """The lines that are the same in the original and in what is expected, and that the output lacks."""
    old, new, right = map(split_lines, (original, output, expected))
    came = _inserted(old, right)
    return len(_inserted(new, right) - came)


def _inserted(old: list[str], new: list[str]) -> set[int]:
    """The numbers of the lines of `new` that are not in `old`."""
    return {number for change in line_changes(old, new) for number in range(change.after_start, change.after_end)}


def _dense(text: str) -> str:
    return "".join(text.split())


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _nodes(root: Any, text: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Kind and number of children of each node, and the text that is in none of its children, but for white space."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        children = node.children
        ends = [node.start_byte, *(child.end_byte for child in children)]
        starts = [*(child.start_byte for child in children), node.end_byte]
        own = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        yield node.type, len(children), b" ".join(map(bytes.strip, own) if children else own)
        nodes += children
