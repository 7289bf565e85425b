"""In: a file and what an answer may make of it. Out: `Edit`: which lines go, come and stay."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property

from msgspec import Struct

from redraft.edit.text.changes import LineChange, line_changes
from redraft.edit.text.lines import is_telling

MANY = 3.0  # counts, and logarithms, that are as good as any greater ones
_ALIKE_LENGTHS = 0.5  # shares of lengths and of signs, below which lines are not compared
_ALIKE_SIGNS = 0.5
_LONGEST = 300  # characters of a line that are compared
_WORD = re.compile(r"[A-Za-z_]\w{2,}")


class Edit(Struct, frozen=True, dict=True):
    """A file and what an answer may make of it."""

    original: str
    text: str

    @cached_property
    def before(self) -> list[str]:
        return self.original.split("\n")

    @cached_property
    def after(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def changes(self) -> list[LineChange]:
        return line_changes(self.before, self.after)

    @cached_property
    def gone(self) -> list[str]:
        """The lines that go and tell anything."""
        return [line for each in self.changes for line in self.old(each) if is_telling(line)]

    @cached_property
    def new(self) -> list[str]:
        """The lines that come and tell anything."""
        return [line for each in self.changes for line in self.come(each) if is_telling(line)]

    @cached_property
    def kept(self) -> list[str]:
        """The lines of the text that the file has in their place."""
        changed = {n for each in self.changes for n in range(each.after_start, each.after_end)}
        return [line for n, line in enumerate(self.after) if n not in changed]

    def old(self, change: LineChange) -> list[str]:
        return self.before[change.start : change.end]

    def come(self, change: LineChange) -> list[str]:
        return self.after[change.after_start : change.after_end]

    def above(self, change: LineChange) -> Iterator[str]:
        """The written lines of the text above a change, the nearest first."""
        return (self.after[n] for n in range(change.after_start - 1, -1, -1) if self.after[n].strip())

    def below(self, change: LineChange) -> Iterator[str]:
        return (self.after[n] for n in range(change.after_end, len(self.after)) if self.after[n].strip())

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Lines that go and come in the same place of a change, in other words than indentation."""
        for each in self.changes:
            found = zip(self.old(each), self.come(each), strict=False)
            yield from ((old, new) for old, new in found if old.strip() != new.strip())


def alike(one: str, other: str) -> float:
    """The share of signs that two lines have in common, in order; 0 where it is small anyway."""
    one, other = one.strip()[:_LONGEST], other.strip()[:_LONGEST]
    if one == other:
        return 1.0
    if min(len(one), len(other)) < _ALIKE_LENGTHS * max(len(one), len(other)):
        return 0.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE_SIGNS else 0.0


def most(count: float) -> float:
    """A count up to what is as good as any greater one."""
    return min(MANY, float(count))


def words(text: str) -> list[str]:
    return _WORD.findall(text)
