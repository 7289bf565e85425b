"""In: a file, and the lines of its new version as they are written. Out: its changes, each as soon as it is told."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from redraft.edit.text.changes import common, standing
from redraft.edit.text.lines import places
from redraft.edit.text.window import Window

_BACK = 3  # unchanged lines after which a change is over


class Replaced(Struct, frozen=True):
    """Lines of the file from `start` to `end`, counted from 0, and what stands there now."""

    start: int
    end: int
    lines: tuple[str, ...]


class Growing:
    """Follows the file as the new version is written.

    Where it leaves the file, the next three lines in a row that the file has, too, end the change. Put into the file,
    the changes make the new version, whichever of equal lines were meant.
    """

    def __init__(self, old: Sequence[str]) -> None:
        self._old = old
        self._places = places(old)
        self._at = 0  # lines of the file that are settled
        self._open: list[str] = []  # lines written since then

    def feed(self, line: str) -> Iterator[Replaced]:
        """The changes that are told by one more line."""
        self._open.append(line)
        if len(self._open) == 1 and self._at < len(self._old) and self._old[self._at] == line:
            self._settle(1, 1)
            return
        if len(self._open) < _BACK:
            return
        end = self._find(self._open[-_BACK:])
        if end is not None:
            yield Replaced(self._at, end, tuple(self._open[:-_BACK]))
            self._settle(end - self._at + _BACK, len(self._open))

    def flush(self) -> Iterator[Replaced]:
        """The change that the end of the new version ends."""
        old = self._old[self._at :]
        shared = common(old, self._open)
        tail = common(old[shared:][::-1], self._open[shared:][::-1])
        kept = Replaced(self._at + shared, len(self._old) - tail, tuple(self._open[shared : len(self._open) - tail]))
        if kept.lines or kept.start < kept.end:
            yield kept

    def _settle(self, old: int, new: int) -> None:
        self._at += old
        del self._open[:new]

    def _find(self, run: Sequence[str]) -> int | None:
        """Where the file has these lines next."""
        if not any(map(str.strip, run)):
            return None
        return next((at for at in standing(run, self._old, self._places) if at >= self._at), None)


class Following:
    """Changes of a file as a model writes the lines of a window on it; text comes in pieces of any size."""

    def __init__(self, shown: Window) -> None:
        self._numbers = shown.numbers()
        self._growing = Growing(shown.text.split("\n"))
        self._begun = ""

    def feed(self, text: str) -> Iterator[Replaced]:
        """The changes that are told by some more text, at their lines of the whole file."""
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            for change in self._growing.feed(line):
                yield Replaced(self._numbers[change.start], self._numbers[change.end], change.lines)
