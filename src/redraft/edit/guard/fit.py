"""In: a file, and an output cut at the runs of the update that it holds. Out: what changed beside the runs and between.

What lies between two runs has to be one stretch of the file, letter for letter, and these stretches come in the order
of the file. What the file has between two stretches is what a run stands for: it begins and ends with the run's own
first and last line, where the file has these there.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import dropwhile, islice, takewhile
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from redraft.edit.align.likeness import form, head, version
from redraft.edit.text.changes import common
from redraft.edit.text.lines import is_telling, lead_of, width_of

_CHOICES = 24  # places of a stretch that are tried, at most
_NEAR = 8  # lines in which a line that is pushed down is looked for


class Run(Struct, frozen=True):
    """Lines of an update between two markers: what stands there afterwards, and what did before; `more` may follow."""

    new: tuple[str, ...]
    old: tuple[str, ...]
    more: bool

    @property
    def margin(self) -> int:
        """How wide its new lines are indented at least."""
        return min(map(width_of, self.new), default=0)


class Stray(Struct, frozen=True):
    """A change that is not accounted for.

    A line of the file that is "gone", or the one at which its end is "cut" off; or a "new" line of the output. Lines
    are counted from 1.
    """

    kind: Literal["gone", "new", "cut"]
    number: int
    text: str


class Stretch(Struct, frozen=True):
    """Lines start..end of the output between two runs; `before` is the run that ends there."""

    start: int
    end: int
    before: Run | None


class Fit:
    """Lays the stretches of an output on a file so that as little as possible is not accounted for."""

    def __init__(
        self, file: Sequence[str], lines: Sequence[str], stretches: Sequence[Stretch], shown: frozenset[str]
    ) -> None:
        self._file, self._lines, self._shown = file, lines, shown
        self._stretches = list(_joined(stretches, lines))
        self._places: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(file):
            self._places[line].append(number)

    def changes(self) -> tuple[tuple[Stray, ...], tuple[Stray, ...]]:
        """What is gone beside runs, and what changed away from them."""
        best: dict[int, tuple[int, tuple[Stray, ...]]] = {0: (0, ())}  # by where the file goes on: what is gone so far
        strays: list[Stray] = []
        first = 0
        for stretch in self._stretches:
            found = self._starts(stretch, first)
            if not found:
                strays.append(self._stray(stretch, first))
                best = {first: min(best.values(), key=itemgetter(0))}
                continue
            size = stretch.end - stretch.start
            best = {start + size: self._cheapest(best, start, stretch) for start in found if start >= min(best)}
            first = min(best)
        return min(best.values(), key=itemgetter(0))[1], tuple(strays)

    def _starts(self, stretch: Stretch, first: int) -> list[int]:
        """Where a stretch may stand in the file, not before `first`."""
        text, size = list(self._lines[stretch.start : stretch.end]), stretch.end - stretch.start
        if stretch.end == len(self._lines):
            return self._last_starts(text, first, stretch.before is None)
        if stretch.before is None:
            starts = [0]
        else:
            places = self._places.get(text[0], [])
            starts = places[bisect_left(places, first) :]
        fits = (start for start in starts if start >= first and list(self._file[start : start + size]) == text)
        return list(islice(fits, _CHOICES))

    def _last_starts(self, text: list[str], first: int, is_all: bool) -> list[int]:
        """Where the end of the output may stand: at the end of the file, blank lines aside."""
        text, end = _ended(text), len(_ended(self._file))
        start = 0 if is_all else end - len(text)
        fits = start >= first and start + len(text) == end and list(self._file[start:end]) == text
        return [start] if fits else []

    def _cheapest(
        self, best: dict[int, tuple[int, tuple[Stray, ...]]], start: int, stretch: Stretch
    ) -> tuple[int, tuple[Stray, ...]]:
        run, ways = stretch.before, []
        is_end = stretch.end == len(self._lines) and not any(map(str.strip, self._lines[stretch.start :]))
        for end, (count, gone) in best.items():
            if end <= start:
                more = tuple(self._gone(run, end, start, is_end)) if run else ()
                ways.append((count + len(more), gone + more))
        return min(ways, key=itemgetter(0))

    def _gone(self, run: Run, start: int, end: int, is_end: bool) -> Iterator[Stray]:
        """Written lines before the run's first and behind its last line, where the file has these there."""
        numbers = [number for number in range(start, end) if self._file[number].strip()]
        keys = [spelling(self._file[number]) for number in numbers]
        first, last = (spelling(text) if is_telling(text) else None for text in run.old[:1] + run.old[-1:] or ("", ""))
        before = keys.index(first) if first in keys else 0
        behind = keys[::-1].index(last) if last in keys else 0
        yield from self._outside(numbers, before, behind, is_end)
        cut = self._cut(run, numbers) if run.more and is_end and not behind else None
        if cut is not None:
            yield cut
        elif last not in keys:
            yield from self._other_definitions(run, numbers[before:])
        if set(keys).isdisjoint(map(spelling, run.old)):
            yield from self._unlike(run, numbers)

    def _outside(self, numbers: Sequence[int], before: int, behind: int, is_end: bool) -> Iterator[Stray]:
        """So many lines before and behind others, which are gone."""
        around = [*numbers[:before], *numbers[len(numbers) - behind :]]
        for number in (number for number in around if not self._is_moved(number)):
            yield self._end_at(number) if is_end and number > numbers[before] else self._gone_line(number)

    def _is_moved(self, number: int) -> bool:
        """Whether the update shows a line of the file, and the output has it as often as the file."""
        text = self._file[number]
        return spelling(text) in self._shown and self._lines.count(text) >= len(self._places[text])

    def _gone_line(self, number: int) -> Stray:
        return Stray("gone", number + 1, self._file[number])

    def _other_definitions(self, run: Run, numbers: Sequence[int]) -> Iterator[Stray]:
        """Definitions that are gone beside the one that a run replaces, where nothing says how far it reaches."""
        margin = run.margin
        about = {head(text.strip()) for text in (*run.new, *run.old)}
        heads = {number: head(self._file[number].strip()) for number in numbers}
        beside = (number for number in numbers if width_of(self._file[number]) <= margin)
        for number in [number for number in beside if heads[number].kind == "definition"][1:]:
            if heads[number] not in about and spelling(self._file[number]) not in self._shown:
                yield self._gone_line(number)

    def _unlike(self, run: Run, numbers: Sequence[int]) -> Iterator[Stray]:
        """Lines that are gone where nothing ties a run to them: neither a body that it replaces nor what it was."""
        if not any(head(self._file[number].strip()).kind == "definition" for number in numbers[:1]):
            yield from (self._gone_line(number) for number in numbers if not _may_become(self._file[number], run))

    def _cut(self, run: Run, numbers: Sequence[int]) -> Stray | None:
        """Where an output that ends with a run lacks what the file has beside it, though a marker says it stays."""
        margin = run.margin
        for number in numbers[1:]:
            line = self._file[number]
            is_beside = width_of(line) <= margin and spelling(line) not in self._shown
            if is_beside and not _may_become(line, run):
                return self._end_at(number)
        return None

    def _stray(self, stretch: Stretch, first: int) -> Stray:
        """The first line at which a stretch leaves the file."""
        text = self._lines[stretch.start : stretch.end]
        starts = [0] if stretch.before is None else [at for at in self._places.get(text[0], []) if at >= first]
        if not starts:
            return Stray("new", stretch.start + 1, text[0])
        start = max(starts[:_CHOICES], key=lambda at: common(text, self._file[at : at + len(text)]))
        same = common(text, self._file[start : start + len(text)])
        if not any(map(str.strip, text[same:])):
            return self._end_at(start + same)
        return self._named(start + same, stretch.start + same)

    def _end_at(self, number: int) -> Stray:
        """The file is cut off behind the last written line among its first ones."""
        at = next((at for at in range(number - 1, -1, -1) if self._file[at].strip()), 0)
        return Stray("cut", at + 1, self._file[at])

    def _named(self, at: int, number: int) -> Stray:
        """Line `at` of the file is gone where the output goes on with another one, else line `number` is new."""
        line = self._lines[number]
        if at < len(self._file) and line in self._places and self._file[at] not in self._lines[number:][:_NEAR]:
            return self._gone_line(at)
        return Stray("new", number + 1, line)


def _joined(stretches: Sequence[Stretch], lines: Sequence[str]) -> Iterator[Stretch]:
    """Stretches without the blank lines beside runs; runs with nothing but blank lines between them become one."""
    before: Run | None = None
    for stretch in stretches:
        start, end, run = stretch.start, stretch.end, stretch.before
        if before is not None and run is not None:
            run = Run(before.new + run.new, before.old + run.old, run.more)
        if end < len(lines):
            start += len([*takewhile(_is_blank, lines[start:end])]) if run is not None else 0
            end = start + len(_ended(lines[start:end]))
            if start == end:
                before = run
                continue
        yield Stretch(start, end, run)
        before = None


def _ended(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones at the end."""
    return [*dropwhile(_is_blank, reversed(lines))][::-1]


def _is_blank(line: str) -> bool:
    return not line.strip()


def _may_become(line: str, run: Run) -> bool:
    """Whether a line says nothing, or one of a run may be its new version."""
    return not is_telling(line) or any(version(text.strip(), line.strip(), alone=True) for text in run.new)


def spelling(line: str) -> str:
    """A line without what sketches get wrong, in its indentation."""
    return lead_of(line) + form(line)
