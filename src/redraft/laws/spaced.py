"""In: a file, an answer and a text. Out: the text with blank lines, commas and columns where the answer shows them, and
indented as the file is.

The place of a new line is found by the lines around it, and these do not say on which side of the file's own blank
line it goes: the answer does, where it shows both lines side by side, or a blank line between them.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise

from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Line
from redraft.edit.text.changes import LineChange
from redraft.edit.text.lines import bare, is_telling, width_of
from redraft.laws.aligned import realigned
from redraft.laws.change import Change, Place, stretch
from redraft.laws.units import reindented

_CLOSERS = ("]", ")", "}")
_JOINED = (",", ";", "{", "(", "[", ":")


def spaced(original: str, answer: Answer, text: str, path: str = "") -> str:
    """The text itself where it is the file, and where the answer is careless about the file's own blank lines."""
    change = Change.of(original, answer, text, path)
    if not change.gaps:
        return text
    spacing, spelled = _Spacing(change), reindented(change) | realigned(change)
    ways = (spacing.too_many, spacing.left_over, spacing.missing, spacing.joined, spacing.unseparated)
    too_many, left_over, missing, joined, commas = ({*chain(*map(way, change.gaps))} for way in ways)
    gone = too_many | left_over
    blank = joined if too_many else joined | missing
    if not (gone or blank or commas or spelled):
        return text
    lines = list[str]()
    for at, line in enumerate(change.after):
        lines += [""] * (at in blank)
        lines += [spelled.get(at, line) + "," * (at in commas)] * (at not in gone)
    return "\n".join(lines) + "\n" * text.endswith("\n")


class _Spacing:
    """What a change makes of blank lines, in places of the new text."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def too_many(self, gap: LineChange) -> Iterator[int]:
        """Blank lines that come, between a new line and what the answer shows it side by side with."""
        left = self._surplus(gap)
        for at in (*gap.come, self._below(gap)) if left > 0 else ():
            above = self._blanks_above(at)
            if not above or len(above) > left or not self._adjoins(at, above[0] - 1):
                continue
            if at in gap.come or above[0] - 1 in gap.come:
                left -= len(above)
                yield from above

    def left_over(self, gap: LineChange) -> Iterator[int]:
        """Blank lines above and below what goes that come together, and are more than the file had on either side."""
        before, after = self._change.before, self._change.after
        above, below = self._change.above(gap.after_start), self._below(gap)
        went = [at for at in range(gap.start, gap.end) if before[at].strip()]
        if not went or any(map(str.strip, self._change.came(gap))) or above is None or below == len(after):
            return
        inner = width_of(before[went[0]])
        first, last = stretch(went[0], went[-1], len(before), lambda at: not before[at].strip())
        over, under = went[0] - first, last - went[-1]
        is_last, is_first = width_of(after[below]) < inner, width_of(after[above]) < inner
        most = under if is_last else over if is_first else max(over, under)
        yield from range(above + 1 + most, below)

    def joined(self, gap: LineChange) -> Iterator[int]:
        """Lines right below another one, one of them new, that the answer shows with blank lines between them."""
        for at in (*gap.come, self._below(gap)):
            place, over = self._change.shown.get(at), self._change.shown.get(at - 1)
            if place is None or over is None or place.block != over.block or place.line < over.line + 2:
                continue
            if all(line.is_blank for line in self._lines(place)[over.line + 1 : place.line]):
                yield at

    def missing(self, gap: LineChange) -> Iterator[int]:
        """Lines above which a blank line of the file would go, though the answer does not show them side by side."""
        after, first, below = self._change.after, gap.after_start, self._below(gap)
        if gap.end > gap.start or not 0 < first < gap.after_end <= below < len(after):
            return
        is_parted = not any(map(str.strip, self._change.before[gap.start : gap.start + 1]))
        are_written = after[first - 1].strip() and after[first].strip() and gap.start < len(self._change.before)
        if is_parted and are_written and width_of(after[first]) <= width_of(after[first - 1]):
            is_apart = self._is_shown_apart(first) or self._is_paragraph(first, gap.after_end - 1)
            yield from (first,) if is_apart else ()

    def unseparated(self, gap: LineChange) -> Iterator[int]:
        """The last of several members that gets another one below it, which the answer shows with a comma."""
        after, above, below = self._change.after, gap.after_start - 1, self._below(gap)
        if gap.end > gap.start or above < 0 or below >= len(after) or not after[below].strip().startswith(_CLOSERS):
            return
        if after[above + 1].strip().startswith(_CLOSERS) or after[above].rstrip().endswith(_JOINED):
            return  # what comes begins with the end of what stands above, or nothing is to be separated
        if self._change.new.language == "json":
            yield above
        elif (place := self._change.shown.get(above)) and is_telling(after[above]):
            yield from (above,) if bare(self._change.line(place).text) == bare(after[above]) + "," else ()

    def _surplus(self, gap: LineChange) -> int:
        """How many more blank lines a gap has than it had."""
        came, went = self._change.came(gap), self._change.went(gap)
        return [*map(str.strip, came)].count("") - [*map(str.strip, went)].count("")

    def _below(self, gap: LineChange) -> int:
        below = self._change.below(gap.after_end)
        return len(self._change.after) if below is None else below

    def _blanks_above(self, at: int) -> Sequence[int]:
        above = self._change.above(at)
        return range(0) if above is None else range(above + 1, at)

    def _adjoins(self, at: int, above: int) -> bool:
        """Whether the answer shows a line right below another one, or below a marker."""
        place = self._change.shown.get(at)
        if place is None or not place.line or place.block in self._careless:
            return False
        over = self._lines(place)[place.line - 1]
        is_above = over.kind == "marker" or self._change.shown.get(above) == Place(place.block, place.line - 1)
        return is_above and not over.is_blank and over.kind != "removed"

    def _is_shown_apart(self, at: int) -> bool:
        """Whether the answer shows a blank line above a line, or opens with it and has a body below it."""
        place = self._change.shown.get(at)
        if place is None:
            return False
        if place.line:
            return self._lines(place)[place.line - 1].is_blank
        below = self._lines(place)[1:2]
        return bool(below) and width_of(below[0].text) > width_of(self._lines(place)[0].text)

    def _is_paragraph(self, first: int, last: int) -> bool:
        """Whether a block opens with lines and shows a blank line below them."""
        opens, ends = self._change.shown.get(first), self._change.shown.get(last)
        if opens is None or ends is None or opens.line or opens.block != ends.block:
            return False
        return any(line.is_blank for line in self._lines(ends)[ends.line + 1 : ends.line + 2])

    def _lines(self, place: Place) -> Sequence[Line]:
        return self._change.answer.blocks[place.block].lines

    @cached_property
    def _careless(self) -> frozenset[int]:
        """The blocks that show two lines of the file side by side that blank lines part there."""
        change = self._change
        found = set()
        for (above, place), (below, under) in pairwise(sorted(change.shown.items())):
            is_side_by_side = (under.block, under.line) == (place.block, place.line + 1)
            is_parted = len(self._blanks_above(below)) == below - above - 1 > 0
            if is_side_by_side and is_parted and not {above, below} & change.touched:
                found.add(place.block)
        return frozenset(found)
