"""In: lines below the header of a file in a diff or a patch. Out: a replacement for each hunk.

@@ -4,3 +4,4 @@ def f():
 context
-old
+new
"""

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.dots import is_dots, text_of
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import Replacement, refused, refused_line

UNSIGNED = "context lines without the blank in front"
_HEADER = re.compile(r"\s*@@(?:\s*-?(\d+)(?:,(\d+))?\s+\+?\d+(?:,\d+)?\s*(?:@@+|$)|\s*(?:lines?|L)\s*(\d+).*@@)?(.*)")
_NO_NEWLINE = "\\ No newline"
_LAST = re.compile(r"\*\*\* End of File.*")


class _Line(Struct, frozen=True):
    sign: str
    text: str
    raw: str
    number: int


class Header(Struct, frozen=True):
    """What the line `@@` says: a line of the file, how many old ones there are, and the lines above."""

    number: int | None = None
    count: int | None = None
    scopes: tuple[str, ...] = ()


def is_header(line: str) -> bool:
    return line.lstrip().startswith("@@")


def header(lines: Sequence[str], at: int) -> tuple[Header, int]:
    """What the headers say that stand one below the other, and the line behind them."""
    found, scopes = Header(), []
    while at < len(lines) and (match := _HEADER.fullmatch(lines[at].rstrip())):
        if match[1] or match[3]:
            found = Header(int(match[1] or match[3]), int(match[2] or 1) if match[1] else None)
        rest = match[4].strip().removesuffix("@@").strip()
        if rest.strip(". \u2026"):
            scopes.append(rest)
        at += 1
    return replace(found, scopes=tuple(scopes)), at


def hunks(body: Sequence[str], first: int, page: Page) -> Iterator[Replacement]:
    """Those of lines of which the first is line `first` of the answer, from 0; raises RefusedError."""
    at = 0
    while at < len(body):
        stated, start = header(body, at)
        end = next((here for here in range(start, len(body)) if is_header(body[here])), len(body))
        yield from hunk(body[start:end], first + start, stated, page)
        at = end


def hunk(lines: Sequence[str], first: int, stated: Header, page: Page) -> Iterator[Replacement]:
    """The changes of one hunk, those between dots as one each."""
    others = [line for line in lines if not _LAST.fullmatch(line)]
    is_last = len(others) < len(lines)
    found = [*_signed(others, first, page)]
    while found and not found[-1].raw.strip() and found[-1].raw != "+":
        found.pop()
    found = [*dropwhile(lambda line: not line.raw, found)]
    for is_apart, part in groupby(found, lambda line: line.sign == " " and is_dots(line.text, page)):
        changed = [*part]
        if not is_apart and any(line.sign in "+-" for line in changed):
            yield _replacement(changed, stated, is_last)


def _signed(lines: Sequence[str], first: int, page: Page) -> Iterator[_Line]:
    for at, line in enumerate(lines, first + 1):
        if line.startswith(_NO_NEWLINE):
            yield _Line("\\", "", line, at)
        elif not line or line[0] in " +-":
            yield _Line(line[:1] or " ", line[1:], line, at)
        elif line.strip() in page.bare or line[0] == "\t" or is_dots(line, page):
            yield _Line(" ", line, line, at)
        else:
            raise refused_line(at, f"has no sign of a diff in front and is not in the file: {quoted(line)}")


def _replacement(lines: Sequence[_Line], stated: Header, is_last: bool) -> Replacement:
    ends = _final_newline(lines)
    lines = [line for line in lines if line.sign != "\\"]
    step = _step(lines, stated, is_last, ends)
    raw = [line if line.sign != " " else _Line(" ", line.raw, line.raw, line.number) for line in lines]
    other = _step(raw, stated, is_last, ends)
    if other.old != step.old:
        step = replace(step, others=((UNSIGNED, other),))
    if step.old or stated.number is None or stated.scopes:
        return step
    if stated.count != 0:
        why = "has + lines alone, and its header says that it has others: show a line beside them"
        raise refused("hunk", step.line, why)
    return replace(step, span=(stated.number, stated.number))  # `-3,0` is below line 3


def _step(lines: Sequence[_Line], stated: Header, is_last: bool, ends: bool | None) -> Replacement:
    old = [line for line in lines if line.sign != "+"]
    new = [line for line in lines if line.sign != "-"]
    stays_old, stays_new = ([at for at, line in enumerate(side) if line.sign == " "] for side in (old, new))
    return Replacement(
        text_of(line.text for line in old),
        text_of(line.text for line in new),
        lines[0].number,
        number=stated.number or None,
        scopes=stated.scopes,
        is_last=is_last,
        kept=tuple(zip(stays_old, stays_new, strict=True)),
        final_newline=ends,
    )


def _final_newline(lines: Sequence[_Line]) -> bool | None:
    """Whether the new file ends in a newline, None where nothing is said."""
    marks = {above.sign for above, line in pairwise(lines) if line.sign == "\\"}
    return marks.isdisjoint("+ ") if marks else None
