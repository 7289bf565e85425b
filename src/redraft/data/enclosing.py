"""In: a file's lines and a hunk. Out: the header lines around it and the smallest function or block, by indentation."""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.text.changes import LineChange

_HEADER = re.compile(
    r"""^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|async|final|override|pub(?:\([^)]*\))?|open|sealed
             |virtual|partial|inline|extern|unsafe|const|suspend|data)\s+)*
        (?:def|class|function\*?|func|fn|fun|impl|struct|interface|trait|enum|module|namespace|type|mod|object|describe|it|test
          |constructor)\b""",
    re.VERBOSE,
)
_SIGNATURE = re.compile(r"^\s*[\w<>\[\],.*&:~\s?]*\b\w+\s*\([^;]*\)?[^;=]*\{\s*$")
_CONTROL = re.compile(
    r"^\s*(?:\}?\s*(?:if|else|for|while|switch|try|catch|do|with|elif|except|finally|match|foreach|when)\b)"
)
_CLOSER = re.compile(r"^\s*(?:[\])}>]|end\b|</)")


def indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def headers(lines: Sequence[str], hunk: LineChange) -> list[int]:
    """Numbers of the lines that open the functions and classes around a hunk, innermost first."""
    return [number for number in _opening(lines, hunk) if is_header(lines[number])]


def block(lines: Sequence[str], hunk: LineChange) -> range | None:
    """The lines of the smallest function around a hunk, or of the smallest block when there is no function."""
    opening = list(_opening(lines, hunk))
    start = next((n for n in opening if is_header(lines[n])), opening[0] if opening else None)
    return None if start is None else range(start, _closing(lines, start, hunk.end))


def is_header(line: str) -> bool:
    """Whether a line opens a function, a method or a class."""
    return not _CONTROL.match(line) and bool(_HEADER.match(line) or _SIGNATURE.match(line))


def _opening(lines: Sequence[str], hunk: LineChange) -> Iterator[int]:
    depth = _depth(lines, hunk)
    for number in range(hunk.start - 1, -1, -1):
        line = lines[number]
        if line.strip() and indent(line) < depth and not _CLOSER.match(line):
            depth = indent(line)
            yield number


def _depth(lines: Sequence[str], hunk: LineChange) -> int:
    old = [indent(line) for line in lines[hunk.start : hunk.end] if line.strip()]
    if old:
        return min(old)
    around = [*lines[hunk.end : hunk.end + 2], *lines[max(0, hunk.start - 2) : hunk.start]]
    return max((indent(line) for line in around if line.strip()), default=0)


def _closing(lines: Sequence[str], start: int, least: int) -> int:
    depth = indent(lines[start])
    for number in range(least, len(lines)):
        line = lines[number]
        if line.strip() and indent(line) <= depth:
            return number + 1 if _CLOSER.match(line) else number
    return len(lines)
