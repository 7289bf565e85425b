"""In: a file before and after, or what a model wrote. Out: the hunks that it is asked for, or the new file.

A hunk is written under `@@ ... @@`: lines that go begin with `-`, lines that come with `+`, lines around them with a
space. It has its place by its lines alone. `@@ ... @@` without any line says that nothing changes.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from redraft.edit.exact.read import read_diff
from redraft.edit.text.changes import LineChange, line_changes, signed, split_lines
from redraft.errors import RedraftError

CONTEXT = 3  # lines around a change, more where they stand several times
_OPENING = "@@ ... @@\n"
_FENCE = re.compile(r"\A\s*```\w*\n|\n```\s*\Z")
_NONE = "the answer has no hunk: the model was asked for `@@ ... @@` and lines that begin with a sign"


class HunkError(RedraftError):
    """A hunk has no place in the file, or several."""


def applied(original: str, written: str) -> str:
    """The file with the hunks that a model wrote in it, by the rules of a diff.

    Raises HunkError for a hunk without exactly one place, RedraftError where there is none.
    """
    text = _FENCE.sub("", written)
    if text.strip() == _OPENING.strip():
        return original
    found = read_diff(original, text.removesuffix("\n"))
    if found is None or not re.search(r"^[-+]", text, re.MULTILINE):
        raise RedraftError(_NONE)
    if found.text is None:
        raise HunkError(found.message)
    return found.text


def hunks(before: str, after: str, context: int = CONTEXT) -> str:
    """The hunks that turn one text into another, each with so much context that it stands in `before` once.

    Equal texts are a header alone. A final newline more or less is no change.
    """
    old, new = split_lines(before), split_lines(after)
    places = defaultdict[str, list[int]](list)
    for at, line in enumerate(old):
        places[line].append(at)
    spans = [_widened([change], old, places, max(context, 1)) for change in line_changes(old, new)]
    text = "".join(_OPENING + "".join(_spelled(span, old, new)) for span in _joined(spans))
    return text or _OPENING


Span = tuple[int, int, list[LineChange]]


def _widened(changes: list[LineChange], old: Sequence[str], places: dict[str, list[int]], width: int) -> Span:
    """Changes and as many lines around as make them stand once."""
    start, end = max(changes[0].start - width, 0), min(changes[-1].end + width, len(old))
    while (start > 0 or end < len(old)) and not _stands_once(old, start, end, places):
        start, end = max(start - 1, 0), min(end + 1, len(old))
    return start, end, changes


def _stands_once(old: Sequence[str], start: int, end: int, places: dict[str, list[int]]) -> bool:
    at = min(range(start, end), key=lambda at: len(places[old[at]]), default=start)
    shown, offset = old[start:end], at - start
    found = (place for place in places[old[at]] if old[place - offset : place - offset + len(shown)] == shown)
    return bool(shown) and len({place for place in found if place >= offset}) == 1


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Spans that touch become one."""
    found: list[Span] = []
    for start, end, changes in spans:
        if found and found[-1][1] >= start:
            first, last, others = found.pop()
            start, end, changes = first, max(end, last), [*others, *changes]
        found.append((start, end, changes))
    return found


def _spelled(span: Span, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    start, end, changes = span
    return (f"{sign}{text}\n" for sign, text in signed(old, new, changes, start, end))
