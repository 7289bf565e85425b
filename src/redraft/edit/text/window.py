"""In: a file, and what an update touches in it. Out: the file with the rest cut out, and what was written put back.

A stretch of lines far from anything that changes becomes one line, `<unchanged lines="57"/>`, in the file and in every
new version of it: what a model reads and writes does not grow with the file.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from redraft.edit.text.changes import ended_lines, line_changes, unchanged
from redraft.errors import RedraftError

LEAST_GAP = 4  # a shorter stretch says more than the line in its place
_GAP = re.compile(r'<unchanged lines="\d+"/>')
_TELLING = 3  # letters and digits


class GapError(RedraftError):
    """What was written does not say where lines go that were left out."""


class Window(Struct, frozen=True):
    """`text` is the file with `gaps` cut out: ranges of its lines, in order, none where it is left whole."""

    original: str
    text: str
    gaps: tuple[tuple[int, int], ...]

    def cut(self, version: str) -> str | None:
        """Another version of the file with the same stretches cut out; None where it changes one of them."""
        if not self.gaps:
            return version
        old, new = ended_lines(self.original), ended_lines(version)
        moved = dict(unchanged(old, new))
        places = [(moved.get(start), moved.get(end - 1)) for start, end in self.gaps]
        found = []
        for (start, end), (first, last) in zip(self.gaps, places, strict=True):
            if first is None or last is None or new[first : last + 1] != old[start:end]:
                return None
            found.append((first, last + 1))
        return _without(new, found)

    def restored(self, written: str) -> str:
        """What a model wrote, with the stretches in their places; raises GapError where they cannot be told."""
        if not self.gaps:
            return written
        lines, old = ended_lines(written), ended_lines(self.original)
        places = [number for number, line in enumerate(lines) if _GAP.fullmatch(line.strip())]
        written_gaps = [lines[number].strip() for number in places]
        if written_gaps != [_gap(end - start).strip() for start, end in self.gaps]:
            raise GapError("the model lost the place of lines that were left out: try --window 0")
        for number, (start, end) in zip(places, self.gaps, strict=True):
            lines[number] = "".join(old[start:end])
        return "".join(lines)

    def numbers(self) -> list[int]:
        """The line of the original that each line of the text is or begins with, and the number of all lines."""
        count, kept, at = len(ended_lines(self.original)), list[int](), 0
        for start, end in self.gaps:
            kept += range(at, start + 1)
            at = end
        return [*kept, *range(at, count + 1)]


def window(original: str, near: Collection[int], margin: int) -> Window:
    """The file with only those lines that are within `margin` of a line of `near`; whole where nothing is near."""
    lines = ended_lines(original)
    kept = {line for number in near for line in range(number - margin, number + margin + 1)}
    gaps = tuple(_gaps(len(lines), kept)) if near and not any(_GAP.search(line) for line in lines) else ()
    return Window(original, _without(lines, gaps), gaps)


def near_changes(original: str, versions: Iterable[str]) -> set[int]:
    """The numbers of the lines at which a version of the file differs from it, and of their neighbours."""
    old = ended_lines(original)
    changes = [change for text in versions for change in line_changes(old, ended_lines(text))]
    return {
        number for change in changes for number in range(change.start - 1, change.end + 1) if 0 <= number < len(old)
    }


def near_update(original: str, update: str) -> set[int]:
    """The numbers of the lines that an update shows and that stand in the file once."""
    lines = [*map(str.strip, ended_lines(original))]
    counts = Counter(lines)
    shown = {text.strip() for line in update.splitlines() for text in (line, line[1:] if line[:1] in "+-" else line)}
    return {
        number
        for number, line in enumerate(lines)
        if line in shown and counts[line] == 1 and sum(map(str.isalnum, line)) >= _TELLING
    }


def _gaps(count: int, kept: Collection[int]) -> Iterable[tuple[int, int]]:
    start = 0
    for number in [*sorted(number for number in kept if 0 <= number < count), count]:
        if number - start >= LEAST_GAP:
            yield start, number
        start = number + 1


def _without(lines: Sequence[str], gaps: Iterable[tuple[int, int]]) -> str:
    text, at = list[str](), 0
    for start, end in gaps:
        text += [*lines[at:start], _gap(end - start)]
        at = end
    return "".join([*text, *lines[at:]])


def _gap(count: int) -> str:
    return f'<unchanged lines="{count}"/>\n'
