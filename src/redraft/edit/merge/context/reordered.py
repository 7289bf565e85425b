"""In: lines of a file, and those in their place. Out: the lines in the file's order, where another one means nothing.

Who writes lines from memory swaps imports, attributes, fields and items of lists. Who means another order says so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from redraft.edit.align.spelling import lead_of
from redraft.edit.merge.common.tokens import tokens
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_comment, is_separated_otherwise, is_spaced_otherwise, is_telling
from redraft.edit.words.hints import speaks_of

_MOST = 6  # lines that may stand in another order
_CALL = re.compile(r"[\w)\]]\(")
_WORD = re.compile(r"[A-Za-z_]\w+")
_KEYED = re.compile(r"\s*[\"']?[\w-]+[\"']?\s*:\s[^;{}]*,\s*")  # an entry among others, whatever gives its value
_FRAME = re.compile(r"\s*(?:</|<[\w-]+(?!.*/>)|\{\{|[{<]%|end\b|[)}\]]).*|.*(?:[{(\[:>]|\bdo|\bthen)\s*")
_NAMES = re.compile(r"\s*(?:[,{}()]|\bimport\b)\s*")
_IMPORT = re.compile(r"\s*(?:import|from|use|using|require|#\s*include|alias)\b")


def placed_in(sentences: Iterable[str]) -> frozenset[str] | None:
    """The words of sentences that tell where something stands; None where one tells an order."""
    said = [*sentences]
    if any(speaks_of("order", text) for text in said):
        return None
    return frozenset(word for text in said if speaks_of("places", text) for word in _WORD.findall(text))


def in_order_of(before: Sequence[str], after: Sequence[str], placed: frozenset[str] | None) -> list[str]:
    """The new lines, of which runs that stand in another order than in the file, and do not depend on it, have that
    order, unless sentences tell a place of one of them."""
    if placed is None:
        return [*after]
    out: list[str] = []
    at = 0
    after = _as_spelled(before, after)
    for start, end, own in _swapped(before, after):
        if start >= at and _are_free(own, placed):
            out += (*after[at:start], *own)
            at = end
    return [*out, *after[at:]]


def _as_spelled(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The new lines, those in the file's spelling that say what one does that stands in its place no more: the tokens
    are the same, of imports in any order."""
    had, come = dict.fromkeys(before), set(after)
    lost = {_saying(line): line for line in had if line not in come and is_telling(line)}
    if not lost:
        return [*after]
    found = [line if line in had else lost.get(_saying(line), line) for line in after]
    return [line if _is_meant(line, other) else other for line, other in zip(after, found, strict=True)]


def _is_meant(line: str, other: str) -> bool:
    """Whether lines differ in white space, or in a separator at the end: these go with the change beside them."""
    return line == other or is_spaced_otherwise(line, other) or is_separated_otherwise(line, other)


def _saying(line: str) -> tuple[str, ...]:
    is_import = _IMPORT.match(line) is not None
    return (lead_of(line), *(sorted(_NAMES.split(line.strip())) if is_import else tokens(line)))


def _swapped(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Where the new lines have lines of the file in another order, and these in the file's."""
    for one, other in pairwise(line_changes(before, after, is_patient=True)):
        first, second = after[one.after_start : one.after_end], after[other.after_start : other.after_end]
        up = _shared(first[::-1], before[other.start : other.end], is_only=not second)
        down = _shared(second, before[one.start : one.end][::-1], is_only=not first)
        start, end = one.after_end - up, other.after_start + down
        between = after[one.after_end : other.after_start]
        found = [*second[:down], *between, *first[len(first) - up :]]
        if up != down and len({*found}) == len(found) <= _MOST:
            yield start, end, found


def _shared(lines: Sequence[str], others: Sequence[str], is_only: bool) -> int:
    """How many lines from a place on stand on the other side of what is between: anywhere among others where nothing
    else comes there, else right beside it."""
    if not is_only:
        count = min(len(lines), len(others))
        return next((n for n in range(count, 0, -1) if [*lines[:n]] == [*others[:n]][::-1]), 0)
    rest = iter(others[::-1])
    return next((at for at, line in enumerate(lines) if line not in rest), len(lines))


def _are_free(lines: Sequence[str], placed: frozenset[str]) -> bool:
    """Whether lines at one level may stand in any order: they call, open and close nothing, and no place is told of
    what they differ in."""
    words = [{*_WORD.findall(_IMPORT.sub("", line))} for line in lines]
    own = set[str]().union(*words) - set.intersection(*words)
    is_level = len({lead_of(line) for line in lines}) == 1
    return is_level and own.isdisjoint(placed) and all(map(_is_free, lines))


def _is_free(line: str) -> bool:
    is_bare = not _CALL.search(line) and not is_comment(line) and not _FRAME.fullmatch(line)
    return is_telling(line) and (is_bare or _IMPORT.match(line) is not None or _KEYED.fullmatch(line) is not None)
