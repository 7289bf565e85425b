"""In: the lines of a file. Out: `Page`, which finds lines and pieces of text in it, and `Spot`, a change of it."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

Line = tuple[str, int | None]  # a text, and which line of the file it is; None for one that an edit brought


class Spot(Struct, frozen=True):
    """Lines `start:end` of a page become others; `text` is where the old text begins, counted in characters."""

    start: int
    end: int
    lines: tuple[Line, ...]
    old: str
    new: str
    text: int
    healed: tuple[str, ...] = ()


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
        found = defaultdict(list)
        for at, line in enumerate(self.lines):
            found[line.strip()].append(at)
        return dict(found)

    @cached_property
    def solid(self) -> list[int]:
        """The lines that are not blank."""
        return [at for at, line in enumerate(self.lines) if line.strip()]

    def line_at(self, character: int) -> int:
        return bisect_right(self.starts, character) - 1

    def runs(self, texts: Sequence[str], agree: Callable[[str, str], bool]) -> Iterator[int]:
        """Where lines stand of which each agrees with its text."""
        places = [self.bare.get(text.strip(), ()) for text in texts]
        rarest = min(range(len(texts)), key=lambda at: len(places[at]), default=None)
        if rarest is None or not all(places):
            return
        for at in places[rarest]:
            start = at - rarest
            shown = self.lines[start : start + len(texts)] if start >= 0 else ()
            if len(shown) == len(texts) and all(map(agree, texts, shown)):
                yield start

    def pieces(self, text: str, apart: bool = False) -> Iterator[int]:
        """Where a text stands, counted in characters; `apart`: places that do not share a letter."""
        at = self.text.find(text) if text else -1
        while at >= 0:
            yield at
            at = self.text.find(text, at + (len(text) if apart else 1))

    def with_spots(self, spots: Sequence[Spot]) -> "Page":
        """The page with changes that do not touch one another, in order."""
        lines: list[Line] = []
        at = 0
        for spot in spots:
            lines += zip(self.lines[at : spot.start], self.origins[at : spot.start], strict=True)
            lines += spot.lines
            at = spot.end
        lines += zip(self.lines[at:], self.origins[at:], strict=True)
        return Page(lines)
