"""In: what is under way, and the text of a model as it comes. Out: on a terminal, a line that says how far it is."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from redraft.cli.streams import visible

if TYPE_CHECKING:
    from rich.status import Status


class Waiting:
    """Says nothing where standard error is no terminal; the time that is left is told from how fast the text grows."""

    def __init__(self, what: str) -> None:
        self._what = visible(what)
        self._status = None if not sys.stderr.isatty() else _status(self._what)
        self._text, self._since = "", 0.0

    def __enter__(self) -> "Waiting":
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._status is not None:
            self._status.stop()

    def progress(self, text: str, expected: int) -> None:
        """Takes what a model adds to a text of about `expected` characters, 0 where nobody knows."""
        if self._status is None:
            return
        if not self._text:
            self._since = time.monotonic()
        self._text += text
        self._status.update(f"{self._what}: {progress(len(self._text), expected, time.monotonic() - self._since)}")


def progress(written: int, expected: int, seconds: float) -> str:
    """How far a text is, and how long the rest takes if it goes on like this.

    >>> progress(250, 1000, 10.0)
    'the model has written 25%, about 30 s left'
    """
    if not expected:
        return f"the model has written {written:,} characters"
    share = min(written / expected, 0.99)
    left = f", about {seconds / share * (1 - share):.0f} s left" if share > 0.05 else ""
    return f"the model has written {share:.0%}{left}"


def _status(what: str) -> "Status":
    from rich.console import Console  # a tenth of the start, and a pipe needs none

    return Console(stderr=True).status(what)
