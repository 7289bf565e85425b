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

from redraft.edit.exact.hunks import hunks
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Found, RefusedError, Step, Whole

_BEGIN = re.compile(r"\s*\*\*\* Begin Patch(?: \*\*\*)?\s*")
_END = re.compile(r"\s*\*\*\* End Patch(?: \*\*\*)?\s*")
_SECTION = re.compile(r"\*\*\* (Add|Update|Delete) File: *(.+?)(?: \*\*\*)?\s*")
_MOVE = re.compile(r"\*\*\* Move to: .*")
_GIT = re.compile(
    r"diff --git .*|index [0-9a-f]+\.\..*|--- .*|\+\+\+ .*|(?:new|old|deleted) .*mode .*|rename .*|similarity .*"
)
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*")


def patch(lines: Sequence[str], at: int, page: Page) -> Found | None:
    """Raises RefusedError for a patch that does not end."""
    begins = _BEGIN.fullmatch(lines[at]) is not None
    if not begins and not _SECTION.fullmatch(lines[at]):
        return None
    end = next((here for here in range(at, len(lines)) if _END.fullmatch(lines[here])), None)
    if end is None and begins:
        raise RefusedError(
            f"the answer is cut off: the patch at its line {at + 1} has no *** End Patch; ask for the rest of it",
            is_cut=True,
        )
    stop = (
        end if end is not None else next((x for x in range(at, len(lines)) if _FENCE.fullmatch(lines[x])), len(lines))
    )
    return Found(stop + (end is not None), tuple(_sections(lines, at + begins, stop, page)))


def _sections(lines: Sequence[str], at: int, end: int, page: Page) -> Iterator[Step]:
    starts = [here for here in range(at, end) if _SECTION.fullmatch(lines[here])]
    if not starts:
        raise RefusedError(f"the patch at line {at} of the answer names no file: add a line *** Update File: PATH")
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        match = _SECTION.fullmatch(lines[start])
        kind, path = (match[1], match[2]) if match else ("", "")
        body = start + 1
        while body < stop and (_MOVE.fullmatch(lines[body]) or _GIT.fullmatch(lines[body])):
            body += 1
        if kind == "Add":
            text = "".join(f"{line.removeprefix('+')}\n" for line in lines[body:stop])
            yield Whole(text, start + 1, path, is_new=True)
        elif kind == "Update":
            yield from (step.of(path) for step in hunks(lines[body:stop], body, page))
        else:
            yield Whole(None, start + 1, path)
