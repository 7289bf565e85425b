"""In: jobs of several clients. Out: the jobs in turns, by the time that each client has had, its oldest job first.

Start-time fair queuing (Goyal, Vin and Cheng 1996): who asks for long edits waits until the others have had as much.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """At most `limit` jobs wait; where more come, the client with the most of them loses its newest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()
        self._now = 0.0  # seconds that a client has had which always asks
        self._had: dict[str, float] = {}  # of those that are ahead of that

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __iter__(self) -> Iterator[T]:
        return (job for jobs in self._waiting.values() for job in jobs)

    def put(self, client: str, job: T) -> T | None:
        """The job that has to go because of this one, itself perhaps."""
        jobs = self._waiting.setdefault(client, deque())
        jobs.append(job)
        if len(self) <= self._limit:
            return None
        # Of clients with equally many jobs the newcomer loses.
        most = max(self._waiting, key=lambda name: (len(self._waiting[name]), name == client))
        lost = self._waiting[most].pop()
        self._forget_if_idle(most)
        return lost

    def take(self) -> T | None:
        """The next job, None where none waits; of clients that had equally much, its own comes last from now on."""
        if not self._waiting:
            return None
        client = min(self._waiting, key=self._start)
        self._now = self._start(client)
        job = self._waiting[client].popleft()
        self._waiting.move_to_end(client)
        self._forget_if_idle(client)
        return job

    def charge(self, client: str, seconds: float) -> None:
        """Notes how long a job took."""
        self._had[client] = self._start(client) + seconds
        self._had = {name: had for name, had in self._had.items() if had > self._now}

    def drop(self, client: str, job: T) -> bool:
        """Whether the job was still waiting; now it is not."""
        jobs = self._waiting.get(client, ())
        if job not in jobs:
            return False
        self._waiting[client].remove(job)
        self._forget_if_idle(client)
        return True

    def _start(self, client: str) -> float:
        return max(self._now, self._had.get(client, 0.0))

    def _forget_if_idle(self, client: str) -> None:
        if not self._waiting[client]:
            del self._waiting[client]
