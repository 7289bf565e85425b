"""In: jobs of several clients. Out: what they yield, computed one job at a time in a thread of its own."""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from threading import Condition, Semaphore, Thread
from typing import Any, TypeVar

from redraft.engines.abandon import AbandonedError, checked
from redraft.serve.fair import FairQueue
from redraft.serve.meters import Meters
from redraft.serve.refusals import ClosingError, FullError, SupersededError, TimeLimitError
from redraft.serve.settings import Limits

T = TypeVar("T")
_LONGEST_PAUSE = 60  # seconds that a refused client is told to wait at most
_RECENT = 0.2  # weight of the newest job in the average time of jobs
# How many items a job gets ahead of the loop. A thread that gives the interpreter's lock back for a moment with each
# item and takes it again at once can keep the loop from ever running: lost connections went unnoticed.
_AHEAD = 16
_PATIENCE = 1.0  # seconds that a job waits for the loop, which may have been closed


@dataclass(frozen=True)
class _End:
    """Nothing more comes from a job, because of an error or because it is done."""

    error: BaseException | None = None


@dataclass(eq=False)
class _Job:
    client: str
    task: Callable[[], Iterable[Any]]
    loop: asyncio.AbstractEventLoop
    until: float
    topic: str = ""
    came: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)
    entered: float = field(default_factory=time.monotonic)
    is_abandoned: bool = False
    is_done: bool = False
    ahead: Semaphore = field(default_factory=lambda: Semaphore(_AHEAD))

    def check(self) -> None:
        """Raises where nobody waits any longer, or the time is up."""
        if self.is_abandoned or time.monotonic() > self.until:
            raise AbandonedError

    def post(self, item: object) -> None:
        """From any thread; what comes after the loop was closed has nobody who wants it."""
        self.ahead.acquire(timeout=_PATIENCE)
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._take, item)

    def _take(self, item: object) -> None:
        self.ahead.release()
        self.came.put_nowait(item)


class Worker:
    """Runs one job at a time, fairly between clients; a job whose client leaves ends before its next forward."""

    def __init__(self, name: str, limits: Limits, meters: Meters) -> None:
        self._limits = limits
        self._abandoned = meters.abandoned
        self._length, self._waited = meters.waiting.labels(name), meters.waited.labels(name)
        self._waiting: FairQueue[_Job] = FairQueue(limits.waiting)
        self._changed = Condition()
        self._average = 1.0
        self._is_closed = False
        self._newest: dict[tuple[str, str], _Job] = {}
        self._thread = Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def length(self) -> int:
        """How many jobs wait."""
        with self._changed:
            return len(self._waiting)

    async def run(self, client: str, task: Callable[[], T]) -> T:
        """What `task` returns; raises what it raises, and RefusalError where it is not done."""
        async with aclosing(self.stream(client, lambda: [task()])) as results:
            (result,) = [each async for each in results]
            return result

    async def stream(self, client: str, task: Callable[[], Iterable[T]], topic: str = "") -> AsyncGenerator[T, None]:
        """What `task` yields, as it comes; close it to stop the task. Raises as `run` does.

        Of one client's jobs with the same `topic` the newest alone is done: an older one ends before its next forward.
        """
        loop = asyncio.get_running_loop()
        job = _Job(client, task, loop, time.monotonic() + self._limits.seconds, topic)
        late = loop.call_later(self._limits.seconds, job.came.put_nowait, _End(TimeLimitError()))
        try:
            self._admit(job)
            while not isinstance(item := await job.came.get(), _End):
                yield item
                # A task whose queue is never empty would let no other run: a lost connection went unnoticed.
                await asyncio.sleep(0)
            job.is_done = True
            if item.error is not None:
                raise TimeLimitError if isinstance(item.error, AbandonedError) else item.error
        finally:
            late.cancel()
            self._leave(job)

    def close(self) -> None:
        """Refuses all that waits and all that comes; what runs may go on."""
        with self._changed:
            self._is_closed = True
            jobs: Iterator[_Job | None] = iter(self._waiting.take, None)
            for job in jobs:
                if job is not None:
                    job.post(_End(ClosingError()))
            self._changed.notify()

    def _admit(self, job: _Job) -> None:
        with self._changed:
            if self._is_closed:
                raise ClosingError
            self._supersede(job)
            lost = self._waiting.put(job.client, job)
            refusal = FullError(self._pause())
            self._length.set(len(self._waiting))
            self._changed.notify()
        if lost is job:
            raise refusal
        if lost is not None:
            lost.post(_End(refusal))

    def _supersede(self, job: _Job) -> None:
        if not job.topic:
            return
        older = self._newest.get((job.client, job.topic))
        self._newest[job.client, job.topic] = job
        if older is not None:
            older.is_abandoned = True
            self._waiting.drop(older.client, older)
            # Not by `post`, which waits for room: this is the loop that would make it.
            with suppress(RuntimeError):
                older.loop.call_soon_threadsafe(older.came.put_nowait, _End(SupersededError()))

    def _leave(self, job: _Job) -> None:
        job.is_abandoned = True
        if not job.is_done:
            self._abandoned.inc()
        with self._changed:
            self._waiting.drop(job.client, job)
            self._length.set(len(self._waiting))
            if self._newest.get((job.client, job.topic)) is job:
                del self._newest[job.client, job.topic]

    def _pause(self) -> int:
        """Seconds after which there is probably room."""
        return min(_LONGEST_PAUSE, max(1, math.ceil(len(self._waiting) * self._average)))

    def _work(self) -> None:
        while (job := self._next()) is not None:
            started = time.monotonic()
            self._waited.observe(started - job.entered)
            job.post(_End(_ran(job)))
            seconds = time.monotonic() - started
            self._average += _RECENT * (seconds - self._average)
            with self._changed:
                self._waiting.charge(job.client, seconds)

    def _next(self) -> _Job | None:
        """The next job, once there is one; None where the worker is closed."""
        with self._changed:
            while (job := self._waiting.take()) is None and not self._is_closed:
                self._changed.wait()
            self._length.set(len(self._waiting))
            return job


def _ran(job: _Job) -> BaseException | None:
    """Why the job ended early, None where it did not."""
    items: Iterable[Any] = ()
    with checked(job.check):
        try:
            job.check()
            items = job.task()
            for item in items:
                job.post(item)
                job.check()
        except BaseException as error:
            return error
        finally:
            # Here, in this thread, and not whenever the traceback of the error is forgotten.
            if isinstance(items, Generator):
                items.close()
    return None
