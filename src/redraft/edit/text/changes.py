"""In: a file before and after, as lines. Out: where they differ, as ranges of lines."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise, takewhile
from operator import eq

from msgspec import Struct

from redraft.edit.text.newlines import with_newlines

Key = Callable[[str], str]
Places = Mapping[str, Sequence[int]]
_LARGE = 250_000  # pairs of lines, above which texts are cut at lines that both have once (patience diff)


class LineChange(Struct, frozen=True):
    """Lines `start:end` of the file before became lines `after_start:after_end` of the file after."""

    start: int
    end: int
    after_start: int
    after_end: int

    @property
    def gone(self) -> range:
        """The places of its lines in the file before."""
        return range(self.start, self.end)

    @property
    def come(self) -> range:
        """The places of its lines in the file after."""
        return range(self.after_start, self.after_end)


def split_lines(text: str) -> list[str]:
    """The lines without their newlines; a newline at the end does not open another line."""
    return text.removesuffix("\n").split("\n") if text else []


def ended_lines(text: str, end: str = "\n") -> list[str]:
    """The lines, each with what ends it; nothing else ends one."""
    *lines, last = text.split(end)
    return [*(line + end for line in lines), *filter(None, [last])]


def lines_named(numbers: Sequence[int], most: int) -> str:
    """Lines by their numbers, in words, and how many more there are than so many."""
    first, more = [str(number) for number in numbers[:most]], len(numbers) - most
    if more > 0:
        return f"lines {', '.join(first)}, and {more} more"
    return f"lines {' and '.join([*filter(None, [', '.join(first[:-1])]), first[-1]])}"


def line_changes(before: Sequence[str], after: Sequence[str], is_patient: bool = False) -> list[LineChange]:
    """The differences in order; never touching one another. `is_patient`: lines that both have once are paired first,
    as is done with large texts anyway."""
    return [*_line_changes(tuple(before), tuple(after), is_patient)]


def text_changes(before: str, after: str) -> list[LineChange]:
    """The differences of two texts, whatever their lines end with."""
    old, new = (split_lines(with_newlines(text)) for text in (before, after))
    return line_changes(old, new)


def counted(before: str, after: str) -> tuple[int, int]:
    """How many lines come into a text and how many go."""
    found = text_changes(before, after)
    return sum(each.after_end - each.after_start for each in found), sum(each.end - each.start for each in found)


def unchanged(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each line that stays stands, before and after."""
    at = there = 0
    for change in (*line_changes(before, after), LineChange(len(before), 0, len(after), 0)):
        yield from zip(range(at, change.start), range(there, change.after_start), strict=True)
        at, there = change.end, change.after_end


# Each rule asks anew what one block changes.
@lru_cache(maxsize=64)
def _line_changes(before: tuple[str, ...], after: tuple[str, ...], is_patient: bool) -> tuple[LineChange, ...]:
    head = common(before, after)
    tail = common(before[head:][::-1], after[head:][::-1])
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    found = _differences(old, new, is_patient)
    return tuple(LineChange(head + a, head + b, head + c, head + d) for a, b, c, d in found)


def _differences(old: Sequence[str], new: Sequence[str], is_patient: bool) -> Iterator[tuple[int, int, int, int]]:
    anchors = _anchors(old, new) if is_patient or len(old) * len(new) > _LARGE else []
    for (a, c), (b, d) in pairwise([(-1, -1), *anchors, (len(old), len(new))]):
        codes = SequenceMatcher(None, old[a + 1 : b], new[c + 1 : d], autojunk=False).get_opcodes()
        yield from ((a + 1 + i, a + 1 + j, c + 1 + k, c + 1 + m) for tag, i, j, k, m in codes if tag != "equal")


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The longest run of lines in the same order that both texts have once, as pairs of places."""
    once = ({line for line, count in Counter(text).items() if count == 1} for text in (old, new))
    single = set.intersection(*once)
    places = {line: at for at, line in enumerate(new) if line in single}
    return longest_rising([(at, places[line]) for at, line in enumerate(old) if line in single])


def longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given by their first places, whose second places rise, too."""
    ends: list[int] = []
    last: list[int] = []
    previous: list[int] = []
    for number, (_, there) in enumerate(pairs):
        place = bisect_left(ends, there)
        ends[place : place + 1] = [there]
        last[place : place + 1] = [number]
        previous.append(last[place - 1] if place else -1)
    found: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = previous[number]
    return found[::-1]


def signed(
    old: Sequence[str], new: Sequence[str], found: Iterable[LineChange], start: int, end: int
) -> Iterator[tuple[str, str]]:
    """Lines `start:end` before and what becomes of them, each with the sign that a diff gives it."""
    at = start
    for change in found:
        yield from ((" ", text) for text in old[at : change.start])
        yield from (("-", text) for text in old[change.start : change.end])
        yield from (("+", text) for text in new[change.after_start : change.after_end])
        at = change.end
    yield from ((" ", text) for text in old[at:end])


def difference(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """All lines of both, each with the sign that a diff gives it; what they share is context."""
    return signed(old, new, line_changes(old, new), 0, len(old))


def surplus(texts: Iterable[str], had: Iterable[str]) -> Iterator[int]:
    """The places of texts from where on there are more of one than were had."""
    left = Counter(had)
    for at, text in enumerate(texts):
        left[text] -= 1
        if left[text] < 0:
            yield at


def changed_lines(found: Sequence[LineChange]) -> int:
    """Lines taken away plus lines put in."""
    return sum(h.end - h.start + h.after_end - h.after_start for h in found)


def standing(run: Sequence[str], lines: Sequence[str], places: Places, key: Key = str) -> Iterator[int]:
    """Where a run of lines stands in others; `places` says which of these have a text, or what `key` makes of it."""
    by_line = [places.get(key(text), ()) for text in run]
    rarest = min(range(len(run)), key=lambda at: len(by_line[at]), default=None)
    if rarest is not None:
        starts = (at - rarest for at in by_line[rarest])
        yield from (start for start in starts if start >= 0 and [*lines[start : start + len(run)]] == [*run])


def common(left: Sequence[str], right: Sequence[str]) -> int:
    """How many lines two texts begin with together."""
    return sum(takewhile(bool, map(eq, left, right)))
