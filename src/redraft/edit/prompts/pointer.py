"""In: the lines of a file and of a sketch. Out: which of them a copy goes on with after each, and labels for a result.

The rules are those that the embedded model is built with (train/copy_ready.py), so that the labels which it learns from
say what it does already wherever that is right. A place is k for line k of the file, -k for line k of the sketch, and
0 for what comes before the file.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from redraft.edit.text.lines import is_telling

SIGHT = 24  # lines of agreement that are counted where places compete
_TOKENS = re.compile(r" ?[A-Za-z_]+|\d|[ \t]+| ?[^\sA-Za-z0-9_]+")
REACH = 12  # lines below the last home in which the line before a marker is looked for


class Pointer:
    """`markers` says of each sketch line whether it stands for code that is left out; `at_top`: it begins the file."""

    def __init__(
        self, original: Sequence[str], sketch: Sequence[str], markers: Sequence[bool], at_top: bool = False
    ) -> None:
        self._file, self._sketch, self._markers = ["", *original], ["", *sketch], [False, *markers]
        self._count = Counter(map(bare, original))
        self._first = {bare(text): number for number, text in reversed(list(enumerate(original, 1)))}
        self._homes = self._find_homes()
        self._after: dict[int, int] = {}  # the sketch line that comes after the one whose home a file line is
        if at_top or (len(self._sketch) > 1 and self._is_new(1)):
            self._after[0] = 1
        for number, home in enumerate(self._homes[:-1]):
            if number and home is not None and not self._markers[number]:
                self._after.setdefault(home, number + 1)
        self._places: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(original, 1):
            self._places[bare(text)].append(number)
        for number, text in enumerate(sketch, 1):
            if text and not markers[number - 1]:
                self._places[bare(text)].append(-number)

    def next(self, place: int) -> int:
        """The place to go on with; one past the file is its end."""
        if place < 0:
            return self._enter(1 - place)
        return self._enter(self._after[place]) if place in self._after else place + 1

    def labels(self, lines: Sequence[str]) -> list[int]:
        """For each line of a result a place with its text: where to go on, or else whence it goes on right for longest.

        A line that stands nowhere gets the sketch line after the last.
        """
        labels: list[int] = []
        place = 0
        for at, line in enumerate(lines):
            goal = min(SIGHT, len(lines) - at)
            choices = [self.next(place)] if self._shows(self.next(place), line) else []
            if not choices or self._sight(choices[0], lines, at) < goal:
                known = [p for p in self._places[bare(line)] if self._shows(p, line)]
                choices += sorted(known, key=lambda p: abs(p - place))
            unknown = max(-(len(self._sketch) - 1), min(place, 0) - 1)
            place = max(choices, key=lambda p: self._sight(p, lines, at), default=unknown)
            labels.append(place)
        return labels

    def _sight(self, place: int, lines: Sequence[str], at: int) -> int:
        """How many lines come out right from here, at most SIGHT."""
        for step in range(min(SIGHT, len(lines) - at)):
            if not self._shows(place, lines[at + step]):
                return step
            place = self.next(place)
        return SIGHT

    def _shows(self, place: int, line: str) -> bool:
        if place < 0:
            return not self._markers[-place] and bare(self._sketch[-place]) == bare(line)
        return 0 < place < len(self._file) and self._file[place] == line

    def _enter(self, number: int) -> int:
        """Where a line of the sketch leads: to its home or to itself; past the sketch, to the end of the file."""
        if number >= len(self._sketch):
            return len(self._file)
        home = self._homes[number]
        return -number if home is None else home

    def _find_homes(self) -> list[int | None]:
        """For each line of the sketch the file line that it equals, for a marker the line to return to.

        A line that belongs above or on one before it has none: it is new text that happens to stand in the file.
        """
        homes: list[int | None] = [None]
        last = 0
        given_up = False  # the home of the line before
        for number in range(1, len(self._sketch)):
            home = self._home(number)
            if self._markers[number]:
                homes.append(self._return(number, last, homes[-1] is None, given_up))
                home = None
            else:
                homes.append(None if home is None or home <= last else home)
            given_up = home is not None and home <= last
            last = max(last, home or 0)
        return homes

    def _return(self, number: int, last: int, is_new: bool, given_up: bool) -> int:
        """The line after the last home; if the line before the marker stands below that, the one after it.

        If that line is new and begins like the line after the last home, it replaces this one.
        """
        if self._markers[number - 1]:
            return last + 1
        if is_new and last + 1 < len(self._file):
            beginning = _beginning(self._sketch[number - 1])
            if beginning and beginning == _beginning(self._file[last + 1]):
                return last + 2
        if given_up:
            return last + 1
        shown = bare(self._sketch[number - 1])
        near = range(last, min(last + REACH, len(self._file) - 1) + 1)
        return next((line for line in near if shown == bare(self._file[line])), last) + 1

    def _home(self, number: int) -> int | None:
        """The file line with this text; of several, the one that continues the line before, if that stands once.

        Brackets alone tell nothing, also where they stand once. A line of the sketch without text is the file's end.
        """
        if not self._sketch[number] and not self._markers[number]:
            return len(self._file)
        if self._is_unique(number):
            return self._first[bare(self._sketch[number])]
        if not self._is_unique(number - 1):
            return None
        home = self._first[bare(self._sketch[number - 1])] + 1
        found = home < len(self._file) and bare(self._file[home]) == bare(self._sketch[number])
        return home if found else None

    def _is_unique(self, number: int) -> bool:
        text = bare(self._sketch[number])
        return number > 0 and not self._markers[number] and self._count[text] == 1 and is_telling(text)

    def _is_new(self, number: int) -> bool:
        return not self._markers[number] and not self._count[bare(self._sketch[number])]


def _beginning(line: str) -> list[str]:
    """The first two tokens of a line, indentation being one; of a shorter line nothing."""
    tokens = _TOKENS.findall(line)[:2]
    return tokens if len(tokens) == 2 else []


def bare(line: str) -> str:
    """A line without its newline."""
    return line.removesuffix("\n")
