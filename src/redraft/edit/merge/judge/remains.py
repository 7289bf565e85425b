"""In: a file after an answer, and which of its lines that shows. Out: stretches beside these that it does not show.

What an answer replaces may be left among them: a line, a statement, a declaration, a paragraph, or all up to the next
line that is shown.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from redraft.edit.merge.lines.differing import kind
from redraft.edit.merge.lines.written import first_below, last_above, written_places
from redraft.edit.outline import Outline
from redraft.edit.text.lines import width_of

_CLOSES = re.compile(r"\s*(?:[)}\]]|</|(?:end|fi|done|esac)\b)")
_GOES_ON = re.compile(r"\s*(?:\}\s*)?(?:else|elif|elsif|elseif|except|catch|rescue|finally|ensure)\b")
_LEADS = {"attribute", "comment", "docstring"}  # lines that belong to what stands below them
_LONGEST = 200  # lines of a stretch


class Remain(Struct, frozen=True):
    """Lines `start:end`, at an end of the lines `top:bottom` that are not shown between two that are.

    `beside` is the written line that is shown right above (`is_below`) or below. `sizes` says what they are.
    """

    start: int
    end: int
    beside: int
    is_below: bool
    top: int
    bottom: int
    sizes: tuple[str, ...]


def remains(file: Outline, shown: Collection[int]) -> Iterator[Remain]:
    """The stretches beside lines that are shown, from the top of the file to its end."""
    runs = [(is_shown, [*run]) for is_shown, run in groupby(written_places(file.lines), shown.__contains__)]
    for number, (is_shown, run) in enumerate(runs):
        if is_shown:
            continue
        top, bottom = run[0], run[-1] + 1
        if number:
            yield from _sized(top, bottom, runs[number - 1][1][-1], True, [*_below(file, top, bottom), ("all", bottom)])
        if number + 1 < len(runs):
            beside = runs[number + 1][1][0]
            found = [*_above(file, top, bottom, width_of(file.lines[beside])), ("all", top)]
            yield from _sized(top, bottom, beside, False, found)


def _sized(top: int, bottom: int, beside: int, is_below: bool, found: Sequence[tuple[str, int]]) -> Iterator[Remain]:
    for edge in sorted({edge for _, edge in found}):
        start, end = (top, edge) if is_below else (edge, bottom)
        sizes = tuple(size for size, its in found if its == edge)
        if start < end <= start + _LONGEST:
            yield Remain(start, end, beside, is_below, top, bottom, sizes)


def _below(file: Outline, top: int, bottom: int) -> Iterator[tuple[str, int]]:
    """Where stretches end that begin at the top."""
    yield "line", top + 1
    first = _statement(file.lines, top, bottom)
    yield "statement", first
    second = first_below(file.lines, first)
    if second < bottom:
        yield "two", _statement(file.lines, second, bottom)
    yield "paragraph", next((at for at in range(top, bottom) if not file.lines[at].strip()), bottom)
    yield from (("declaration", node.end) for node in file.nodes if node.start == top and node.end <= bottom)


def _statement(lines: Sequence[str], start: int, bottom: int) -> int:
    """Where a statement ends: with the lines below that stand deeper, and the one that closes it."""
    width, head = width_of(lines[start]), start
    while head < bottom - 1 and kind(lines[head].strip()) in _LEADS and width_of(lines[head]) == width:
        head += 1
    end = head + 1
    for at in (at for at in range(head + 1, bottom) if lines[at].strip()):
        is_level = width_of(lines[at]) == width
        if width_of(lines[at]) <= width and not (is_level and _is_inner(lines[at])):
            break
        end = at + 1
        if is_level and not _GOES_ON.match(lines[at]):
            break
    return end


def _above(file: Outline, top: int, bottom: int, width: int) -> Iterator[tuple[str, int]]:
    """Where stretches begin that end at the bottom; the line below them is so deep."""
    yield "line", bottom - 1
    last = _start(file.lines, top, bottom, width)
    yield "statement", last
    above = last_above(file.lines, last)
    if above >= top:
        yield "two", _start(file.lines, top, above + 1, width)
    blank = next((at for at in range(bottom - 1, top - 1, -1) if not file.lines[at].strip()), top - 1)
    yield "paragraph", blank + 1
    yield from (("declaration", node.start) for node in file.nodes if node.end == bottom and node.start >= top)


def _start(lines: Sequence[str], top: int, bottom: int, width: int) -> int:
    """Where the last statement begins, no deeper than the line below it."""
    at = bottom - 1
    width = min(width, width_of(lines[at]))
    while at > top and (not lines[at].strip() or width_of(lines[at]) > width or _is_inner(lines[at])):
        at -= 1
    start = at
    while at > top and kind(lines[at - 1].strip()) in _LEADS and width_of(lines[at - 1]) == width_of(lines[start]):
        at -= 1
    return at


def _is_inner(line: str) -> bool:
    return _CLOSES.match(line) is not None or _GOES_ON.match(line) is not None
