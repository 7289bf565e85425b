"""In: a file before and after, and the answer that it is changed by. Out: `Change`, what all laws read, found once."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from redraft.edit.align.likeness import Head, form, head, overlap, tokens, without_comment
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.guard.leaks import known_of
from redraft.edit.outline import Outline, outline
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import bare, is_telling
from redraft.edit.words import Known
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
        return frozenset(at for gap in self.gaps for at in range(gap.after_start, gap.after_end))

    @cached_property
    def old(self) -> Outline:
        return outline(self.before, self.path)

    @cached_property
    def new(self) -> Outline:
        return outline(self.after, self.path)

    @cached_property
    def known(self) -> Known:
        return known_of(self.old)

    @cached_property
    def had(self) -> Counter[str]:
        return Counter(map(bare, self.before))

    @cached_property
    def has(self) -> Counter[str]:
        return Counter(map(bare, self.after))

    @cached_property
    def _spelled(self) -> frozenset[str]:
        return frozenset(map(spelling, self.after))

    @cached_property
    def _joined(self) -> str:
        return "".join(map(bare, self.after))

    def stands(self, line: str) -> bool:
        """Whether a line of the answer is in the text, as a line or as a piece of some."""
        return spelling(line) in self._spelled or bare(line) in self._joined

    def lost(self, gap: LineChange) -> list[int]:
        """The telling lines of a gap that the text has less often than the file: what was moved is none."""
        came = Counter(bare(line) for line in self.after[gap.after_start : gap.after_end])
        found = []
        for at in range(gap.start, gap.end):
            text = bare(self.before[at])
            came[text] -= 1
            if is_telling(text) and came[text] < 0 and self.has[text] < self.had[text]:
                found.append(at)
        return found

    def come(self, gap: LineChange) -> list[int]:
        """The telling lines of a gap that are new."""
        went = Counter(bare(line) for line in self.before[gap.start : gap.end])
        found = []
        for at in range(gap.after_start, gap.after_end):
            text = bare(self.after[at])
            went[text] -= 1
            if is_telling(text) and went[text] < 0:
                found.append(at)
        return found

    def blocks_of(self, gap: LineChange) -> set[int]:
        """The blocks of the answer that show what stands in a gap of the new text."""
        return {self.shown[at].block for at in range(gap.after_start, gap.after_end) if at in self.shown}

    @cached_property
    def removed(self) -> frozenset[str]:
        """The lines that a diff removes, without white space."""
        lines = (line for block in self.answer.blocks for line in block.lines if line.kind == "removed")
        return frozenset(bare(line.text) for line in lines)

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
    def standing(self) -> dict[Place, int]:
        """Where each line of the answer stands in the text."""
        return {place: at for at, place in self.shown.items()}

    def _matched(self, number: int) -> Iterator[tuple[int, int]]:
        block = self.answer.blocks[number].lines
        lines = [at for at, line in enumerate(block) if line.kind != "removed" and line.text.strip()]
        texts = [at for at, line in enumerate(self.after) if line.strip()]
        mine = [None if block[at].kind == "marker" else spelling(block[at].text) for at in lines]
        found = matched(mine, [spelling(self.after[at]) for at in texts])
        return ((texts[there], lines[at]) for at, there in found.items())


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
