"""In: a hunk that does not stand in a file as it is. Out: where it fits but for a few lines, best first."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from msgspec import Struct

from redraft.edit.align.likeness import LONG_LINE, form, is_slip, weight, without_comment
from redraft.edit.answer.block import Line
from redraft.edit.hunks.parse import Hunk

_SLACK = 3  # lines that a hunk may have too many or too few
_TRIED = 8  # places that are looked at closely
_MANY = 50  # places of a line, above which it says nothing
_CLOSE = 0.9
_SHARE = 4  # one line in so many may be wrong
_MARGIN = 2  # wrong lines that the next best place has to have more
_RIGHT = 2  # lines that have to be right

_PAIRED, _UNPAIRED, _BLANK_UNPAIRED, _CLOSE_GAIN, _BLANK_GAIN = -5, -10, -1, 60, 10
_form = lru_cache(maxsize=4096)(form)
_DIGITS = re.compile(r"\d+")

# A cell of the alignment: what it is worth, and the pairs up to it as (those before, line of the file or None).
_Path = tuple["_Path", int | None] | None
_Cell = tuple[int, _Path]


class Fit(Struct, frozen=True):
    """The file's line for each line that is looked up; `wrong` counts lines that differ, are too many or left out."""

    lines: tuple[int | None, ...]
    right: int
    wrong: int
    is_whole: bool  # all lines that go are there, and nobody has to guess where the new ones go


class Slips:
    """The lines of a file by careless spelling."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._spellings = [_spellings(line.strip()) for line in lines]
        self._places: dict[str, list[int]] = defaultdict(list)
        for at, spellings in enumerate(self._spellings):
            for spelling in spellings:
                self._places[spelling].append(at)

    def fits(self, hunk: Hunk) -> list[Fit]:
        """The places of a hunk, the one with the fewest wrong lines first."""
        found = {fit.lines: fit for start in self._starts(hunk.old) if (fit := self._fit(hunk, start)).right}
        return sorted(found.values(), key=lambda fit: (fit.wrong, -fit.right))

    def _starts(self, old: Sequence[Line]) -> Iterator[int]:
        votes: Counter[int] = Counter()
        for at, line in enumerate(old):
            places = self._places.get(_form(line.text.strip()), ())
            if len(places) <= _MANY:
                votes.update({place - at: weight(line.text.strip()) for place in places})
        tried: list[int] = []
        for start, _ in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0])):
            if all(abs(start - other) > _SLACK for other in tried):
                tried.append(start)
            if len(tried) == _TRIED:
                break
        return iter(tried)

    def _fit(self, hunk: Hunk, start: int) -> Fit:
        old = hunk.old
        at = self._aligned(old, start)
        right = wrong = 0
        is_whole = all(self._is_settled(hunk, at, count) for count in range(len(old)))
        for line, place in zip(old, at, strict=True):
            text = line.text.strip()
            if not text:
                is_whole = is_whole and (line.kind == "code" or (place is not None and not self._lines[place].strip()))
            elif place is not None and self._is_right(text, place):
                right += 1
            else:
                wrong += 1
                known = place is not None and _is_close(text, self._lines[place].strip())
                is_whole = is_whole and (line.kind == "code" or known)
        return Fit(at, right, wrong + self._left_out(at), is_whole)

    def _is_settled(self, hunk: Hunk, at: Sequence[int | None], count: int) -> bool:
        """Whether a line that goes is there, and nothing stands beside a change of which nobody knows if it goes.

        A blank line beside one that goes stays.
        """
        goes = [0 <= number < len(at) and hunk.old[number].kind == "removed" for number in (count - 1, count)]
        if goes[1] and at[count] is None:
            return False
        above = next((place for place in reversed(at[:count]) if place is not None), None)
        below = next((place for place in at[count:] if place is not None), None)
        if above is None or below is None or not (any(goes) or count in hunk.counts_above_new):
            return True
        between = self._lines[above + 1 : below]
        return not between or (goes.count(True) == 1 and not any(map(str.strip, between)))

    def _left_out(self, at: Sequence[int | None]) -> int:
        """Written lines of the file between the first and the last that are paired, which the hunk lacks."""
        paired = [place for place in at if place is not None]
        inner = set(range(paired[0], paired[-1])) - set(paired) if paired else ()
        return sum(bool(self._lines[place].strip()) for place in inner)

    def _aligned(self, old: Sequence[Line], start: int) -> tuple[int | None, ...]:
        """The best pairs of a hunk's lines and the file's, at most `_SLACK` lines off a place."""
        row: dict[int, _Cell] = dict.fromkeys(self._band(start), (0, None))
        for at, line in enumerate(old):
            row = self._next_row(line, row, self._band(start + at + 1), at + 1 == len(old))
        path = max(row.values(), key=lambda cell: cell[0], default=(0, None))[1]
        found: list[int | None] = []
        while path is not None:
            path, place = path
            found.append(place)
        return tuple(found[::-1])

    def _band(self, middle: int) -> range:
        last = len(self._lines)
        return range(min(max(middle - _SLACK, 0), last), max(min(middle + _SLACK, last), 0) + 1)

    def _next_row(self, line: Line, above: dict[int, _Cell], band: range, is_last: bool) -> dict[int, _Cell]:
        """The cells for one more line of the hunk; a cell's number is the first line of the file not looked at."""
        row: dict[int, _Cell] = {}
        skipped = _UNPAIRED if line.text.strip() else _BLANK_UNPAIRED
        for place in band:
            cells: list[_Cell] = []
            if place - 1 in above:
                score, path = above[place - 1]
                cells.append((score + self._gain(line, place - 1), (path, place - 1)))
            if place in above:
                score, path = above[place]
                cells.append((score + skipped, (path, None)))
            if place - 1 in row and not is_last:
                score, path = row[place - 1]
                left_out = _UNPAIRED if self._lines[place - 1].strip() else _BLANK_UNPAIRED
                cells.append((score + left_out, path))
            if cells:
                row[place] = max(cells, key=lambda cell: cell[0])
        return row

    def _gain(self, line: Line, place: int) -> int:
        text, there = line.text.strip(), self._lines[place].strip()
        if not text or not there:
            return _BLANK_GAIN if text == there else _UNPAIRED
        if self._is_right(text, place):
            return weight(text)
        return _CLOSE_GAIN if line.kind == "removed" and _is_close(text, there) else _PAIRED

    def _is_right(self, text: str, place: int) -> bool:
        there = self._lines[place].strip()
        return text == there or (_form(text) in self._spellings[place] and is_slip(text, there))


def chosen(fits: Sequence[Fit]) -> Fit | None:
    """The one place where a hunk may be said to stand: few lines are wrong, and far more elsewhere."""
    best = fits[0] if fits else None
    if best is None or not best.is_whole or best.right < _RIGHT:
        return None
    if best.wrong * _SHARE > best.right + best.wrong or any(fit.wrong < best.wrong + _MARGIN for fit in fits[1:]):
        return None
    return best


def _spellings(text: str) -> set[str]:
    return {form(text), form(without_comment(text))} if text else set()


def _is_close(text: str, there: str) -> bool:
    """Whether a line is one that was copied with a slip; another number is another line."""
    if max(len(text), len(there)) > LONG_LINE or _DIGITS.findall(text) != _DIGITS.findall(there):
        return False
    matcher = SequenceMatcher(None, text, there, autojunk=False)
    return matcher.real_quick_ratio() >= _CLOSE and matcher.quick_ratio() >= _CLOSE and matcher.ratio() >= _CLOSE
