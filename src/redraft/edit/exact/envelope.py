"""In: the lines of an answer at `*** Begin Patch`. Out: what the patch does to each file that it updates or makes.

*** Begin Patch
*** Update File: a.py
@@ class A:
 context
-old
+new
*** End Patch
"""

import re
from collections.abc import Iterator, Sequence

from redraft.edit.exact.dots import text_of
from redraft.edit.exact.hunks import hunks
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, Step, Whole, cut_off, of_file, refused

_BEGIN = re.compile(r"\s*\*\*\* Begin Patch(?: \*\*\*)?\s*")
_END = re.compile(r"\s*\*\*\* End Patch(?: \*\*\*)?\s*")
_SECTION = re.compile(r"\*\*\* (Add|Update|Delete) File: *(.+?)(?: \*\*\*)?\s*")
_BELOW_NAME = re.compile(
    r"\*\*\* Move to: .*|diff --git .*|index [0-9a-f]+\.\..*|--- .*|\+\+\+ .*|(?:new|old|deleted) .*mode .*|"
    r"rename .*|similarity .*"
)
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*")


def patch(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """Raises RefusedError for a patch that does not end."""
    begins = _BEGIN.fullmatch(lines[at]) is not None
    if not begins and not _SECTION.fullmatch(lines[at]):
        return None
    stop = _first(_END, lines, at)
    is_ended = stop < len(lines)
    if begins and not is_ended:
        raise cut_off("patch", at + 1, "has no *** End Patch")
    stop = stop if is_ended else _first(_FENCE, lines, at)
    return Found(stop + is_ended, tuple(_sections(lines, at + begins, stop, page)))


def _first(pattern: re.Pattern[str], lines: Sequence[str], at: int) -> int:
    """The first line from one on that a pattern matches, or the end."""
    return next((here for here in range(at, len(lines)) if pattern.fullmatch(lines[here])), len(lines))


def _sections(lines: Sequence[str], at: int, end: int, page: Page) -> Iterator[Step]:
    heads = [(here, match[1], match[2]) for here in range(at, end) if (match := _SECTION.fullmatch(lines[here]))]
    if not heads:
        raise refused("patch", at, "names no file: add a line *** Update File: PATH")
    for (start, kind, path), stop in zip(heads, [*(head[0] for head in heads[1:]), end], strict=True):
        body = start + 1
        while body < stop and _BELOW_NAME.fullmatch(lines[body]):
            body += 1
        if kind == "Add":
            yield Whole(text_of(line.removeprefix("+") for line in lines[body:stop]), start + 1, path, is_new=True)
        elif kind == "Update":
            yield from (of_file(step, path) for step in hunks(lines[body:stop], body, page))
        else:
            yield Whole(None, start + 1, path)
