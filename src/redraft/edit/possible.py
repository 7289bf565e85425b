"""In: a file and a text that an answer may mean. Out: `Text`: its lines beside those of the file."""

from collections.abc import Sequence
from itertools import repeat, takewhile

from msgspec import Struct

from redraft.edit.align.likeness import head, overlap, quoted, tokens
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import is_telling

_ALIKE = 0.5  # of what two lines are made of: one may be the other's new version


class Text(Struct, frozen=True):
    """A text that an answer may mean, beside the file: `changes` lead from the file to it."""

    lines: Sequence[str]
    old: Sequence[str]
    changes: Sequence[LineChange]

    @staticmethod
    def of(original: str, text: str) -> "Text":
        old, new = split_lines(original), split_lines(text)
        found = line_changes(old, new)
        ends = [change.after_start for change in found[1:]]
        return Text(new, old, [*map(_slid, found, [*ends, len(new)], repeat(new))])

    def in_file(self, at: int) -> int | None:
        """The line of the file that stands there, None for a new one."""
        above = [LineChange(0, 0, 0, 0), *takewhile(lambda change: change.after_start <= at, self.changes)][-1]
        return at + above.end - above.after_end if above.after_end <= at else None

    def place(self, at: int) -> str:
        """Where a line stands, by the line of the file above it."""
        above = next((here for here in range(at - 1, -1, -1) if self.lines[here].strip()), None)
        known = next((here for here in range(at - 1, -1, -1) if self._is_kept(here)), None)
        if above is None or known is None:
            return "at the top of the file"
        line = f"below line {(self.in_file(known) or 0) + 1} of the file, {quoted(self.lines[known])}"
        return line if above == known else f"among the new lines {line}"

    def version(self, number: int) -> str | None:
        """The new line that may be the new version of a line of the file which goes, None where none is like it."""
        there = (each for each in self.changes if each.start <= number < each.end)
        return next((_version(self.old[number], self.come(each)) for each in there), None)

    def come(self, change: LineChange) -> list[str]:
        return [line for line in self.lines[change.after_start : change.after_end] if line.strip()]

    def left_out(self, change: LineChange) -> int | None:
        """The first line, but for brackets, that a change takes out of the file without a new version."""
        new = self.come(change)
        lines = (at for at in range(change.start, change.end) if is_telling(self.old[at]))
        return next((at for at in lines if _version(self.old[at], new) is None), None)

    def _is_kept(self, at: int) -> bool:
        return bool(self.lines[at].strip()) and self.in_file(at) is not None


def _slid(change: LineChange, bound: int, new: Sequence[str]) -> LineChange:
    """New lines as far down as they read the same, so that a closing line is told as the old one above them."""
    step = 0
    if change.start == change.end:
        while change.after_end + step < bound and new[change.after_start + step] == new[change.after_end + step]:
            step += 1
    start, after, end = change.start + step, change.after_start + step, change.after_end + step
    return LineChange(start, change.end + step, after, end)


def _version(old: str, new: Sequence[str]) -> str | None:
    """The likest of new lines, None where none is like the old one; one that defines the same is."""
    bare, name = old.strip(), head(old.strip())
    same = (line for line in new if line.strip() == bare)
    named = (line for line in new if name.kind == "definition" and head(line.strip()) == name)
    if (found := next(same, None) or next(named, None)) is not None:
        return found
    likes = {line: overlap(tokens(bare), tokens(line.strip())) for line in new}
    best = max(likes, key=likes.__getitem__, default="")
    return best if likes.get(best, 0.0) >= _ALIKE else None
