"""In: a file before and after, and the answer that it is changed by. Out: `Change`, what all laws read, found once."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from redraft.edit.align.likeness import Head, form, head, overlap, quoted, tokens, without_comment
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Block, Kind, Line
from redraft.edit.answer.parsed import known_of
from redraft.edit.outline import Outline, outline
from redraft.edit.text.changes import LineChange, line_changes, split_lines, surplus
from redraft.edit.text.lines import bare, is_telling
from redraft.edit.words import Directive, Known, directives
from redraft.laws.shown import matched


class Broken(Struct, frozen=True):
    """A law that a text breaks: its name, and a sentence that says which line, why, and what to add to the answer."""

    law: str
    message: str


class Place(Struct, frozen=True, order=True):
    """A line of the answer: the number of its block, and its own in it."""

    block: int
    line: int


class Change(Struct, frozen=True, eq=False, dict=True):
    """`said` is what was asked for in words; the answer's own words are in its blocks. `update` is the answer as it was
    written, where its lines are to be named."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    answer: Answer
    path: str = ""
    said: str = ""
    update: str = ""

    @staticmethod
    def of(original: str, answer: Answer, text: str, path: str = "", said: str = "") -> "Change":
        return Change(tuple(split_lines(original)), tuple(split_lines(text)), answer, path, said)

    @cached_property
    def gaps(self) -> Sequence[LineChange]:
        return line_changes(self.before, self.after)

    @cached_property
    def touched(self) -> frozenset[int]:
        """The lines of the new text that are in a gap."""
        return frozenset(at for gap in self.gaps for at in gap.come)

    @cached_property
    def old(self) -> Outline:
        return outline(self.before, self.path)

    @cached_property
    def new(self) -> Outline:
        return outline(self.after, self.path)

    @cached_property
    def known(self) -> Known:
        return known_of(self.old, "")

    @cached_property
    def had(self) -> Counter[str]:
        return Counter(map(bare, self.before))

    @cached_property
    def has(self) -> Counter[str]:
        return Counter(map(bare, self.after))

    @cached_property
    def had_spelled(self) -> frozenset[str]:
        return frozenset(map(spelling, self.before))

    @cached_property
    def _has_spelled(self) -> frozenset[str]:
        return frozenset(map(spelling, self.after))

    @cached_property
    def _joined(self) -> str:
        return "".join(map(bare, self.after))

    @property
    def words(self) -> str:
        """The words of the answer around its blocks, and what was asked for."""
        return self.answer.prose + self.said

    @property
    def prose(self) -> Sequence[str]:
        """The words of the answer above each block, and behind the last."""
        return self.answer.passages

    def stands(self, line: str) -> bool:
        """Whether a line of the answer is in the text, as a line or as a piece of some."""
        return spelling(line) in self._has_spelled or bare(line) in self._joined

    def went(self, gap: LineChange) -> Sequence[str]:
        return self.before[gap.start : gap.end]

    def came(self, gap: LineChange) -> Sequence[str]:
        return self.after[gap.after_start : gap.after_end]

    def lost(self, gap: LineChange) -> list[int]:
        """The telling lines of a gap that the text has less often than the file: what was moved is none."""
        went = [*map(bare, self.went(gap))]
        less = (at for at in surplus(went, map(bare, self.came(gap))) if self.has[went[at]] < self.had[went[at]])
        return [gap.start + at for at in less if is_telling(went[at])]

    def come(self, gap: LineChange) -> list[int]:
        """The telling lines of a gap that are new."""
        more = surplus(map(bare, self.came(gap)), map(bare, self.went(gap)))
        return [at for at in (gap.after_start + n for n in more) if is_telling(self.after[at])]

    @cached_property
    def arrived(self) -> Sequence[int]:
        """The telling lines that are new, of all gaps."""
        return [at for gap in self.gaps for at in self.come(gap)]

    @cached_property
    def written(self) -> Sequence[int]:
        """The lines of the text that are not blank."""
        return [at for at, line in enumerate(self.after) if line.strip()]

    def above(self, at: int) -> int | None:
        """The last written line of the text above a place."""
        place = bisect_left(self.written, at)
        return self.written[place - 1] if place else None

    def below(self, at: int) -> int | None:
        """The first written line of the text from a place on."""
        return next(iter(self.written[bisect_left(self.written, at) :]), None)

    def old_line(self, at: int) -> str:
        """A line of the file in a message."""
        return f"line {at + 1} of the file, {quoted(self.before[at])}"

    def new_line(self, at: int) -> str:
        return f"line {at + 1} of the new file, {quoted(self.after[at])}"

    def places_of(self, gap: LineChange) -> Sequence[Place]:
        """The lines of the answer that stand in a gap of the new text."""
        return [self.shown[at] for at in gap.come if at in self.shown]

    def blocks_of(self, gap: LineChange) -> set[int]:
        """The blocks of the answer that show what stands in a gap of the new text."""
        return {place.block for place in self.places_of(gap)}

    def block_of(self, gap: LineChange) -> int | None:
        """The only block of a gap."""
        blocks = self.blocks_of(gap)
        return blocks.pop() if len(blocks) == 1 else None

    def said_of(self, number: int) -> tuple[Directive, ...]:
        """What the last sentence above a block says, if anything."""
        return directives(self.answer.blocks[number].prose, self.known)[-1:]

    def lines(self, *kinds: Kind) -> Iterator[str]:
        """The lines of all blocks of some kinds."""
        return (line.text for line in self.answer.lines if line.kind in kinds)

    @cached_property
    def removed(self) -> frozenset[str]:
        """The lines that a diff removes, without white space."""
        return frozenset(map(bare, self.lines("removed")))

    def line(self, place: Place) -> Line:
        return self.answer.blocks[place.block].lines[place.line]

    @cached_property
    def shown(self) -> dict[int, Place]:
        """Which line of the answer each line of the text is, where one is."""
        found: dict[int, Place] = {}
        for number in range(len(self.answer.blocks)):
            for at, line in self._matched(number):
                found.setdefault(at, Place(number, line))
        return found

    @cached_property
    def shown_blocks(self) -> frozenset[int]:
        """The blocks of which the text has a line."""
        return frozenset(place.block for place in self.shown.values())

    @cached_property
    def standing(self) -> dict[Place, int]:
        """Where each line of the answer stands in the text."""
        return {place: at for at, place in self.shown.items()}

    def _matched(self, number: int) -> Iterator[tuple[int, int]]:
        block = self.answer.blocks[number].lines
        lines = [at for at, line in enumerate(block) if line.kind != "removed" and line.text.strip()]
        mine = [None if block[at].kind == "marker" else spelling(block[at].text) for at in lines]
        found = matched(mine, [spelling(self.after[at]) for at in self.written])
        return ((self.written[there], lines[at]) for at, there in found.items())


_SYMBOL = re.compile(r"\w+!? :\w")
_OWNER = re.compile(r"(?:this\.|self\.|@)")  # in front of a member's name


def about(line: str) -> Head:
    """What a line names; a call on a symbol, as Ruby has it, names nothing."""
    text = _OWNER.sub("", line.strip())
    return Head("call", text) if _SYMBOL.match(text) else head(text)


def likeness(one: str, other: str) -> float:
    """How alike two lines are, 0 to 1, their indentation apart."""
    return overlap(tokens(one.strip()), tokens(other.strip()))


def spelling(line: str) -> str:
    """A line without what sketches get wrong: spaces, quotes, a separator and a comment at the end."""
    return form(without_comment(line.strip())) or form(line)


def code_of(block: Block) -> list[str]:
    """The telling lines of a block that are code."""
    return [line.text for line in block.lines if line.kind == "code" and is_telling(line.text)]


def has_marker(lines: Sequence[Line]) -> bool:
    return any(line.kind == "marker" for line in lines)


def stretch(first: int, last: int, end: int, holds: Callable[[int], bool]) -> tuple[int, int]:
    """The first and the last of the places around some, up to an end, for which the same holds."""
    above, below = takewhile(holds, range(first - 1, -1, -1)), takewhile(holds, range(last + 1, end))
    return first - len([*above]), last + len([*below])
