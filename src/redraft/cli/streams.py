"""In: the process's standard streams and signals. Out: the same, so that no state of them ends in a traceback."""

import _thread
import errno
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from redraft.errors import RedraftError

# What asks a process to end; not every system has a terminal that hangs up.
STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_PATIENCE = 2.0  # seconds for cleaning up after an interrupt
STOPPED = 130  # what a shell says of a program that was interrupted
_AT_ONCE = 0.002  # seconds until a hook of the interpreter has returned
# What a terminal obeys instead of showing it, or shows in another order; colours and line ends are ours.
_CONTROL = re.compile(
    r"\x1b(?!\[\d*m)|\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
OUTPUT_ERRORS = (errno.EPIPE, errno.ENOSPC, errno.EBADF)  # of a write to a stream
_BROKEN_PIPE = 141  # what a shell says of a program that wrote into a closed pipe


class OutputError(RedraftError):
    """Standard output takes no more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"cannot write to standard output: {error.strerror}")
        self.is_pipe = isinstance(error, BrokenPipeError)


def opened() -> None:
    """Opens the standard streams that were closed: nothing to read, nowhere to talk, and output that fails."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stdout is None:
        # Opened for reading, so that whatever is written fails as it does on a closed stream.
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def write(data: bytes | str) -> None:
    """Writes to standard output; raises OutputError where it is full or closed. On a terminal text is only seen."""
    data = visible(data) if isinstance(data, str) and sys.stdout.isatty() else data
    encoded = data.encode(errors="surrogateescape") if isinstance(data, str) else data
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(encoded)
        sys.stdout.buffer.flush()
    except OSError as error:
        _discard()
        raise OutputError(error) from error


quiet = False  # whether what went well is not said


def say(line: str) -> None:
    """Writes a line about what went well, unless nobody wants to know."""
    if not quiet:
        tell(line)


def tell(line: str) -> None:
    """Writes a line to standard error, if there is anyone to read it."""
    try:
        print(visible(line), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def visible(text: str) -> str:
    """A text whose control characters are spelled out: names of files and what answers say are no orders."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def note(lines: Iterable[str]) -> None:
    """Writes lines to standard error that nobody asked for."""
    for line in lines:
        tell(f"note: {line}")


def closing(code: int) -> int:
    """Flushes what is left, so that nothing is said about it later; returns the exit code."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _discard()
        return code or failed(OutputError(error))
    return code


def failed(error: OutputError) -> int:
    """The exit code where output fails: silent for a closed pipe, as other programs are, else a line."""
    if error.is_pipe:
        return _BROKEN_PIPE
    tell(f"redraft: {error}")
    return 1


def _discard() -> None:
    """Lets what is still buffered go nowhere, since Python would complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def interruptible() -> Iterator["Stop"]:
    """Within it what asks the process to end raises KeyboardInterrupt, also where Python would print and forget it.

    What is ignored, as a hang-up is below nohup, stays so.
    """
    hook, stop = sys.unraisablehook, Stop()
    heard = [number for number in STOPS if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN]
    handlers = {number: signal.signal(number, stop) for number in heard}

    def unraisable(lost: Any) -> None:
        if isinstance(lost.exc_value, KeyboardInterrupt):
            stop.since = None
            # Not from within the hook, where it would be lost again.
            threading.Timer(_AT_ONCE, _thread.interrupt_main).start()
        else:
            hook(lost)

    sys.unraisablehook = unraisable
    try:
        yield stop
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook


class Stop:
    """The first signal raises; those right after it would disturb the cleaning up, later ones end the process."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.code = STOPPED

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.since is None:
            self.since, self.code = time.monotonic(), 128 + number
            raise KeyboardInterrupt
        if time.monotonic() - self.since > _PATIENCE:
            os._exit(128 + number)
