"""In: work that no model does, and the seconds that it may take. Out: what it returns, or `TimeUpError` after them.

A thread looks every few milliseconds at what runs and interrupts what has had its time, as a key press does: between
two steps of Python, wherever they are. So no loop has to ask, and none can be forgotten. The readers of edits make
texts of texts and hold nothing open that an interrupt could leave half done.
"""

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from threading import Condition, Thread, get_ident
from typing import TypeVar

from redraft.errors import TimeUpError, TooDeepError

T = TypeVar("T")
SECONDS = 30.0  # that an edit may take where nobody says otherwise
AT_ONCE = 5.0  # where others wait for the same process, or an agent for its tool
_STEP = 0.02  # seconds between two looks
_STEPS = 100  # of Python, within which an interrupt comes
_AGAIN = 1.0  # seconds until what has swallowed an interrupt gets another one


class _TimeUp(BaseException):
    """What the thread of an edit gets; no handler of errors takes it."""


@dataclass(eq=False)
class _Running:
    thread: int
    until: float
    paused: float | None = None
    is_interrupted: bool = False

    def is_late(self, now: float) -> bool:
        return self.paused is None and now > self.until

    def interrupt(self, now: float) -> None:
        self.until, self.is_interrupted = now + _AGAIN, True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(_TimeUp))


class _Watch:
    """All that runs in this process, by thread, and the thread that looks at it."""

    def __init__(self) -> None:
        self.running: dict[int, _Running] = {}
        self._changed = Condition()
        self._thread: Thread | None = None

    def enter(self, running: _Running) -> None:
        with self._changed:
            self.running[running.thread] = running
            if self._thread is None:
                self._thread = Thread(target=self._look, name="budget", daemon=True)
                self._thread.start()
            self._changed.notify()

    def leave(self, running: _Running) -> None:
        with self._changed:
            self.running.pop(running.thread, None)
        if running.is_interrupted:
            for _ in range(_STEPS):  # where it has not come yet, it comes here: none can be taken back
                pass

    def _look(self) -> None:
        while True:
            with self._changed:
                while not self.running:
                    self._changed.wait()
                now = time.monotonic()
                for running in self.running.values():
                    if running.is_late(now):
                        running.interrupt(now)
            time.sleep(_STEP)


_WATCH = [_Watch()]


def _forked() -> None:
    """Threads do not come along into another process, and a lock may be held by one of them for ever."""
    _WATCH[:] = [_Watch()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def within(seconds: float, work: Callable[[], T]) -> T:
    """What `work` returns; raises TimeUpError where it takes longer, the time of models not counted, and TooDeepError
    for what is nested deeper than can be read.

    Work within other work has the time of that.
    """
    watch, thread = _WATCH[0], get_ident()
    if thread in watch.running or seconds == inf:
        return work()
    running = _Running(thread, time.monotonic() + seconds)
    try:
        watch.enter(running)
        return work()
    except _TimeUp:
        raise TimeUpError(seconds) from None
    except RecursionError:
        raise TooDeepError from None
    finally:
        try:
            watch.leave(running)
        except _TimeUp:  # came at the last moment; the next one would come a second later
            watch.leave(running)


@contextmanager
def paused() -> Iterator[None]:
    """Time in it does not count: that of a model has limits of its own."""
    running = _WATCH[0].running.get(get_ident())
    if running is None or running.paused is not None:
        yield
        return
    running.paused = time.monotonic()
    try:
        yield
    finally:
        running.until += time.monotonic() - running.paused
        running.paused = None
