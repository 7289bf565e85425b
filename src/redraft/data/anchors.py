"""In: a file's lines and its hunks. Out: the unchanged lines a sketch keeps so that each hunk has one place only."""

from collections.abc import Sequence

from redraft.edit.text.changes import LineChange, standing

MOST_CONTEXT = 8
LEAST_ELIDED = 2


class Places:
    """Answers whether a run of lines, indentation aside, stands at one place of the file only."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [line.strip() for line in lines]
        self._at: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            self._at.setdefault(line, []).append(number)

    def is_unique(self, start: int, end: int) -> bool:
        """True when the run has a line that says something and is found nowhere else."""
        run = self._lines[start:end]
        if not any(is_telling(line) for line in run):
            return False
        return sum(1 for _ in standing(run, self._lines, self._at)) == 1


def is_telling(line: str) -> bool:
    """Whether a line holds more than brackets and words such as `end`."""
    word = "".join(filter(str.isalnum, line))
    return len(word) > 1 and word not in ("end", "else", "pass", "return", "done", "fi", "try", "endif")


def context(lines: Sequence[str], found: Sequence[LineChange], usual: int, firm: bool) -> set[int] | None:
    """Lines to keep around every hunk, `usual` a side or as many as it takes; None when no few are enough.

    `firm`: what is kept begins and ends with a line that says something, where there is one near.
    """
    places = Places(lines)
    kept: set[int] = set()
    for index, hunk in enumerate(found):
        above = hunk.start - (found[index - 1].end if index else 0)
        below = (found[index + 1].start if index + 1 < len(found) else len(lines)) - hunk.end
        for edge, step, room in ((hunk.start, -1, above), (hunk.end, 1, below)):
            reaches = _reaches(places, edge, step, room)
            if not reaches:
                return None
            firmly = [n for n in reaches if n == room or is_telling(lines[edge + step * n - (step > 0)])]
            reach = _nearest(firmly if firm and firmly else reaches, usual)
            kept.update(range(*sorted((edge, edge + step * reach))))
    return kept


def _reaches(places: Places, edge: int, step: int, room: int) -> list[int]:
    """How many lines from `edge` on, towards a bound `room` lines away, have one place: all answers, fewest first."""
    found: list[int] = []
    for reach in range(1, MOST_CONTEXT + 1):
        if reach >= room:
            return [*found, room]
        if places.is_unique(*sorted((edge, edge + step * reach))):
            found.append(reach)
    return found


def _nearest(reaches: Sequence[int], usual: int) -> int:
    """The most that is not over the usual, else the least."""
    return max((n for n in reaches if n <= usual), default=min(reaches))
