"""In: a block, and the numbers of lines that it or the words before it name. Out: the file with the block there.

A number may count the lines of the file as it was or as it is by then, and be off by a few: what stands there has to be
like what is shown.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct
from msgspec.structs import replace

from redraft.edit.align.merge import aligned
from redraft.edit.answer.block import Block
from redraft.edit.merge.common.extent import is_abbreviated
from redraft.edit.merge.common.indentation import reindented
from redraft.edit.merge.common.patch import Patch, patched
from redraft.edit.merge.options.option import Option
from redraft.edit.merge.options.told import in_stretch
from redraft.edit.outline import Outline
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words.hints import last_lines
from redraft.edit.words.numbers import line_numbers

_OFF = 3  # lines that a number may be off
_ALIKE, _ALIKE_AT_NUMBER = 0.6, 0.4
_AT_NUMBER = 0.1


def at_numbers(file: Outline, before: Sequence[str], block: Block, path: str) -> Iterator[Option]:
    """The block in the lines whose numbers stand in front of its own, or in the words before it."""
    if told := block.numbers or line_numbers(last_lines(block.prose)):
        yield from _Numbered(file, before, told).options(block, path)


class _Numbered(Struct, frozen=True):
    """A file, its lines before any block, and the stretches that are named by number."""

    file: Outline
    before: Sequence[str]
    told: Sequence[tuple[int, int]]

    def options(self, block: Block, path: str) -> Iterator[Option]:
        """The block in the lines that are named."""
        written = [line for line in block.lines if line.text.strip()]
        if any(line.kind == "code" and is_abbreviated(line.text) for line in written):
            return  # what a line leaves out no number tells
        if len(written) == 1 and written[0].kind == "code":
            yield from self._versions(written[0].text)
        elif len(self.told) == 1:
            for shift in {self._shift(self.told[0][0]), 0}:
                yield from self._stretch(block, self.told[0], shift, path)

    def _versions(self, text: str) -> Iterator[Option]:
        """A line in the place of each line that is named and is like it."""
        found = [self._alike(text, first) for first, last in self.told if first == last]
        if not found or None in found or len(found) < len(self.told) or text.strip() in map(str.strip, self.file.lines):
            return
        lines = self.file.lines
        patches = [Patch(at, at + 1, reindented((text,), (text,), lines[at])) for at in found if at is not None]
        yield Option(patched(lines, patches) or lines, _AT_NUMBER, "in place", is_cut=True)

    def _alike(self, text: str, number: int) -> int | None:
        """The line at a number that is like another; else the nearest that is."""
        lines, near = self.file.lines, (number - 1, number - 1 + self._shift(number))
        every = {at + off: off for off in sorted(range(-_OFF, _OFF + 1), key=abs, reverse=True) for at in near}
        found = [at for at in sorted(every, key=lambda at: abs(every[at])) if 0 <= at < len(lines)]
        least = {at: _ALIKE if every[at] else _ALIKE_AT_NUMBER for at in found}
        return next((at for at in found if _likeness(lines[at], text) >= least[at]), None)

    def _stretch(self, block: Block, told: tuple[int, int], shift: int, path: str) -> Iterator[Option]:
        """The block aligned with the lines from a number on, or instead of all that are named."""
        first, last = told[0] - 1 + shift, told[1] + shift
        lines, count = self.file.lines, len(block.lines)
        if not 0 <= first < last <= len(lines):
            return
        is_old = told[0] < told[1] and not block.numbers  # numbers in front may count the new lines
        if is_old and not block.has_markers and _is_version(lines[first:last], block):
            yield from (replace(each, cost=_AT_NUMBER) for each in in_stretch(self.file, block, (first, last), path))
        top, end = max(0, first - _OFF), min(len(lines), max(last, first + count) + _OFF)
        found = aligned(lines[top:end], block, path)
        for way in () if isinstance(found, str) else found[:1]:
            patches = [Patch(top + each.start, top + each.end, each.texts) for each in way]
            yield Option(patched(lines, patches) or lines, _AT_NUMBER, "in place")

    def _shift(self, number: int) -> int:
        """How far a line of the file as it was has moved since."""
        moved = 0
        for change in line_changes(self.before, self.file.lines):
            if change.end < number:
                moved = change.after_end - change.end
        return moved


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.strip(), other.strip(), autojunk=False).ratio() if is_telling(one) else 0.0


def _is_version(old: Sequence[str], block: Block) -> bool:
    """Whether the ends of a stretch are like those of a block."""
    texts = [line.text for line in block.lines if is_telling(line.text)]
    written = [line for line in old if is_telling(line)]
    return bool(texts and written) and any(_likeness(written[at], texts[at]) >= _ALIKE for at in (0, -1))
