"""In: jobs of several clients. Out: the jobs in turns, one of each client, the client's oldest first."""

from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """At most `limit` jobs wait; where more come, the client with the most of them loses its newest."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: OrderedDict[str, deque[T]] = OrderedDict()

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
        """The next job, None where none waits; its client comes last from now on."""
        if not self._waiting:
            return None
        client, jobs = next(iter(self._waiting.items()))
        job = jobs.popleft()
        self._waiting.move_to_end(client)
        self._forget_if_idle(client)
        return job

    def drop(self, client: str, job: T) -> bool:
        """Whether the job was still waiting; now it is not."""
        jobs = self._waiting.get(client, ())
        if job not in jobs:
            return False
        self._waiting[client].remove(job)
        self._forget_if_idle(client)
        return True

    def _forget_if_idle(self, client: str) -> None:
        if not self._waiting[client]:
            del self._waiting[client]
