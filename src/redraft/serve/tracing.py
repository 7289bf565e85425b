"""In: the runs of an output, with who drafted them. Out: the same text with where it comes from: file or answer.

What drafts best is the file with the answer merged in, so who drafted a run does not tell yet which of both it is of.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal

from redraft.draft import Origin
from redraft.edit.text.changes import line_changes

Home = Literal["file", "sketch", "output", "model"]
_HOMES: dict[Origin, Home] = {"original": "file", "update": "sketch", "output": "output", "model": "model"}
_TAILS = (48, 16, 4, 0)  # characters before a run that have to agree with the merged text, the more the better


class Tracer:
    """Follows one output along `expected`, the merged text; a line of it that `original` lacks is the answer's."""

    def __init__(self, original: str, expected: str) -> None:
        old, new = original.split("\n"), expected.split("\n")
        self._expected, self._at, self._tail = expected, 0, ""
        self._starts = [0, *accumulate(len(line) + 1 for line in new[:-1])]
        self._homes: list[Home] = ["file"] * len(new)
        for change in line_changes(old, new):
            self._homes[change.after_start : change.after_end] = ["sketch"] * (change.after_end - change.after_start)

    def trace(self, runs: Sequence[tuple[Origin, str]]) -> Iterator[tuple[Home, str]]:
        """Where the next runs of the output come from."""
        for origin, text in runs:
            at = self._place(text)
            if origin == "prediction":
                yield from self._split(text, at)
            else:
                yield _HOMES[origin], text
            self._tail = (self._tail + text)[-_TAILS[0] :]
            if at is not None:
                self._at = at + len(text)

    def _place(self, text: str) -> int | None:
        """Where a run stands in the merged text: where the last one ended, or else near it after the same text."""
        if self._expected.startswith(text, self._at):
            return self._at
        for length in _TAILS:
            tail = self._tail[len(self._tail) - min(length, len(self._tail)) :]
            after = self._expected.find(tail + text, max(0, self._at - len(tail)))
            found = after if after >= 0 else self._expected.rfind(tail + text)
            if found >= 0:
                return found + len(tail)
        return None

    def _split(self, text: str, at: int | None) -> Iterator[tuple[Home, str]]:
        """A run in pieces of one home each."""
        if at is None:
            yield "file", text
            return
        line, end = bisect_right(self._starts, at) - 1, at + len(text)
        while at < end:
            home = self._homes[line]
            while line < len(self._homes) and self._homes[line] == home:
                line += 1
            stop = min(end, self._starts[line] if line < len(self._starts) else end)
            yield home, self._expected[at:stop]
            at = stop
