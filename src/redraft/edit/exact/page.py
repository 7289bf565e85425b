"""In: the lines of a file. Out: `Page`, which finds lines and pieces of text in it, and `Spot`, a change of it."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

from redraft.edit.text.changes import Key, standing
from redraft.edit.text.lines import places

Line = tuple[str, int | None]  # a text, and which line of the file it is; None for one that an edit brought


class Change(Struct, frozen=True):
    """The lines that come to a place, its old text and the new one."""

    lines: tuple[Line, ...]
    old: str
    new: str


@dataclass(frozen=True)
class Spot:
    """Lines `start:end` of a page, which a change replaces; it is made where it is asked for.

    `text` is where the old text begins, counted in characters; `is_number` says that it is told by numbers or an anchor
    alone.
    """

    start: int
    end: int
    text: int
    make: Callable[[], Change]
    healed: tuple[str, ...] = ()
    is_number: bool = False

    @cached_property
    def change(self) -> Change:
        return self.make()


_COMMON = 50  # places of a line, above which it tells nothing
_STRING = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_BESIDE_SIGN = re.compile(r" ?([^\w ]) ?")


def unspaced(line: str) -> str:
    """A line without the blanks that part no words, but for those in its strings."""
    parts = _STRING.split(line.strip())
    return "".join(
        part if at % 2 else _BESIDE_SIGN.sub(r"\1", " ".join(f".{part}.".split()))[1:-1]
        for at, part in enumerate(parts)
    )


def occurrences(part: str, text: str, apart: bool = False) -> Iterator[int]:
    """Where a part of a text begins, counted in characters; `apart`: places that do not share a letter."""
    at = text.find(part) if part else -1
    while at >= 0:
        yield at
        at = text.find(part, at + (len(part) if apart else 1))


class Page:
    """A text as it is between two edits."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = [text for text, _ in lines]
        self.origins = [origin for _, origin in lines]

    @staticmethod
    def of(text: str) -> "Page":
        return Page([(line, at) for at, line in enumerate(text.split("\n"))])

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins, counted in characters."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)][:-1]

    @cached_property
    def bare(self) -> dict[str, list[int]]:
        """The lines that have a text, by it without the blanks around."""
        return places(map(str.strip, self.lines))

    @cached_property
    def solid(self) -> list[int]:
        """The lines that are not blank."""
        return [at for at, line in enumerate(self.lines) if line.strip()]

    @property
    def end(self) -> int:
        """How many lines there are; an empty one at the end is none."""
        return len(self.lines) - (not self.lines[-1])

    def number(self, at: int) -> int:
        """The line of the file, from 1, that stands there, or the last one above what an edit brought."""
        return next((origin + 1 for origin in reversed(self.origins[: at + 1]) if origin is not None), 1)

    def line_at(self, character: int) -> int:
        return bisect_right(self.starts, character) - 1

    @cached_property
    def _spelled(self) -> dict[Key, list[str]]:
        return {}

    @cached_property
    def _unspaced(self) -> dict[str, list[int]]:
        """The lines by what they are but for blanks."""
        return places(map(unspaced, self.lines))

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether a line begins as a pattern says; looked for once."""
        if pattern not in self._held:
            self._held[pattern] = any(map(pattern.match, self.lines))
        return self._held[pattern]

    @cached_property
    def _held(self) -> dict[re.Pattern[str], bool]:
        return {}

    def runs(self, texts: Sequence[str], key: Key = str) -> Iterator[int]:
        """Where lines stand that are the texts, or would be but for what `key` takes away."""
        if key not in self._spelled:
            self._spelled[key] = self.lines if key is str else [*map(key, self.lines)]
        there, name = (self._unspaced, str) if key is unspaced else (self.bare, str.strip)
        return standing([*map(key, texts)], self._spelled[key], there, name)

    def has_run(self, texts: Sequence[str], key: Key = str) -> bool:
        """Whether lines stand anywhere."""
        return next(self.runs(texts, key), None) is not None

    def likely_starts(self, texts: Sequence[str]) -> Counter[int]:
        """Where texts would begin by each of them that has few places: how many say so."""
        votes: Counter[int] = Counter()
        for at, text in enumerate(texts):
            there = self.bare.get(text.strip(), []) if text.strip() else []
            if len(there) <= _COMMON:
                votes.update(place - at for place in there if place >= at)
        return votes

    def with_spots(self, spots: Sequence[Spot]) -> "Page":
        """The page with changes that do not touch one another, in order."""
        lines: list[Line] = []
        at = 0
        for spot in spots:
            lines += zip(self.lines[at : spot.start], self.origins[at : spot.start], strict=True)
            lines += spot.change.lines
            at = spot.end
        lines += zip(self.lines[at:], self.origins[at:], strict=True)
        return Page(lines)


def together(spots: Sequence[Spot], page: Page) -> list[Spot]:
    """The places in order, those that share lines as one."""
    groups: list[list[Spot]] = []
    for spot in sorted(spots, key=lambda spot: spot.text):
        if not groups or spot.start >= groups[-1][-1].end:
            groups.append([])
        groups[-1].append(spot)
    return [group[0] if len(group) == 1 else _joined(group, page) for group in groups]


def _joined(spots: Sequence[Spot], page: Page) -> Spot:
    start, end = spots[0].start, spots[-1].end
    at, new = page.starts[start], ""
    for spot in spots:
        new += page.text[at : spot.text] + spot.change.new
        at = spot.text + len(spot.change.old)
    new += page.text[at : page.starts[end - 1] + len(page.lines[end - 1])]
    lines: list[Line] = [(text, None) for text in new.split("\n")]
    old = "\n".join(page.lines[start:end])
    return Spot(start, end, page.starts[start], lambda: Change(tuple(lines), old, new), spots[0].healed)
