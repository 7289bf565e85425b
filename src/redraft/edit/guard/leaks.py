"""In: the outlines of a file before and after an edit. Out: new lines that belong to an answer, not to a file."""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from redraft.edit.answer.parsed import known_of
from redraft.edit.outline import Outline
from redraft.edit.text.changes import surplus
from redraft.edit.text.strings import in_strings
from redraft.edit.words import comment_body, deletion, is_marker

Leaked = Literal["sign", "header", "conflict", "fence", "marker", "deletion"]

_HEADER = re.compile(
    r"\*\*\* (?:Begin Patch|End Patch|(?:Update|Add|Delete) File: )|@@(?: -\d+.*)? ?@@|@@$|diff --git |"
    r"(?:---|\+\+\+) [ab]/\S|index [0-9a-f]{7,}\.\.[0-9a-f]{7,}"
)
_CONFLICT = re.compile(r"(?:<{5,9}|>{5,9})(?: \S.*)?$")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w+#.:/ -]*$")
_SIGN = re.compile(r"([+-])(?![+\-=>])\s*(\S.*)$")
_TELLING = re.compile(r"\w.*\w.*\w")
_PROSE = {"markdown", ""}  # fences are theirs, or nothing is known of them
_BULLETS = {*_PROSE, "yaml", "ini"}
_SIGNED = {"haskell", "objc", "erlang", "make", "dockerfile", "properties", "bash", "fish", "sql", "css", "scss"}
_QUOTING = {"python", "elixir", "julia", "kotlin", "java", "scala", "swift", "nim", "starlark", "dart", "csharp"}


class Leak(Struct, frozen=True):
    """A new line of the output, from 0, and what of an answer it is."""

    line: int
    kind: Leaked


def leaked(before: Outline, after: Outline) -> list[Leak]:
    """The new lines that are signs or headers of a diff, conflict markers, fences, or notes on what stays or goes."""
    kinds = {at: _kind(at, before, after) for at in new_lines(before.lines, after.lines)}
    return [Leak(at, kind) for at, kind in kinds.items() if kind is not None]


def _kind(at: int, before: Outline, after: Outline) -> Leaked | None:
    return next((kind for kind, is_it in _KINDS.items() if is_it(at, before, after)), None)


def new_lines(before: Sequence[str], after: Sequence[str]) -> list[int]:
    """The lines of the output that it has more often than the file; indentation aside."""
    old, new = ([*map(str.strip, lines)] for lines in (before, after))
    return [at for at in surplus(new, old) if new[at]]


def _is_sign(at: int, before: Outline, after: Outline) -> bool:
    """A sign in the first column, or before a line that the file has."""
    line = after.lines[at]
    match = _SIGN.match(line.lstrip())
    if match is None or after.language in _BULLETS or not _TELLING.search(match[2]):
        return False
    if match[2] in known_of(before, "").lines:
        return True
    has_signs = any(other[:1] in ("+", "-") for other in before.lines)
    return line[0] in "+-" and after.language not in _SIGNED and not has_signs


def _is_header(at: int, before: Outline, after: Outline) -> bool:
    return _HEADER.match(after.lines[at].strip()) is not None


def _is_conflict(at: int, before: Outline, after: Outline) -> bool:
    return _CONFLICT.match(after.lines[at]) is not None


def _is_fence(at: int, before: Outline, after: Outline) -> bool:
    """A fence, unless it stands in a string of several lines or the file has fences."""
    if after.language in _PROSE or _FENCE.match(after.lines[at].strip()) is None:
        return False
    if any(_FENCE.match(line.strip()) for line in before.lines):
        return False
    quotes = sum(line.count('"""') + line.count("'''") for line in after.lines[:at])
    return after.language not in _QUOTING or quotes % 2 == 0


def _is_marker(at: int, before: Outline, after: Outline) -> bool:
    line = after.lines[at]
    is_comment = comment_body(line.strip()) is not None and is_marker(line, known_of(before, ""))
    return is_comment and at not in in_strings(after.lines, after.language)


def _is_deletion(at: int, before: Outline, after: Outline) -> bool:
    line = after.lines[at]
    return comment_body(line.strip()) is not None and deletion(line, known_of(before, "")) is not None


_KINDS: dict[Leaked, Callable[[int, Outline, Outline], bool]] = {
    "header": _is_header,
    "conflict": _is_conflict,
    "fence": _is_fence,
    "sign": _is_sign,
    "marker": _is_marker,
    "deletion": _is_deletion,
}
