"""In: a request. Out: `Caller`: who asks, and the way to have something computed for as long as they wait for it."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Request

from redraft.serve.refusals import RefusalError
from redraft.serve.service import Service
from redraft.serve.worker import Worker

T = TypeVar("T")


class GoneError(RefusalError):
    """The client closed the connection; nobody reads this."""

    def __init__(self) -> None:
        super().__init__(499, "the client went away", "gone")


@dataclass(frozen=True)
class Caller:
    """One request and whose it is: jobs of one `name` take turns with those of all others."""

    request: Request
    service: Service
    name: str

    def of(self, user: str | None) -> "Caller":
        """The same request, of one user among several of its client."""
        return Caller(self.request, self.service, f"{self.name} {user}") if user else self

    async def run(self, task: Callable[[], T], worker: Worker | None = None) -> T:
        """What `task` returns, computed in the engine's thread; raises what it raises.

        Raises RefusalError where the queue is full, the time is up, or the client has gone.
        """
        return await self._unless_gone((self.service.worker if worker is None else worker).run(self.name, task))

    async def stream(self, task: Callable[[], Iterable[T]], topic: str = "") -> AsyncGenerator[T, None]:
        """What `task` yields, from the engine's thread; the first is there already, so that errors come before it.

        A newer job of the same caller and `topic` takes its place.
        """
        items = self.service.worker.stream(self.name, task, topic)
        try:
            first = await self._unless_gone(anext(items))
        except StopAsyncIteration:
            return _rest(items)
        except BaseException:
            await items.aclose()
            raise
        return _rest(items, first)

    async def all(self, items: AsyncGenerator[T, None]) -> list[T]:
        """All that is left of a stream, for as long as the client waits."""

        async def collected() -> list[T]:
            async with aclosing(items):
                return [item async for item in items]

        return await self._unless_gone(collected())

    async def _unless_gone(self, work: Awaitable[T]) -> T:
        doing = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait({doing, gone}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                return doing.result()
        finally:
            gone.cancel()
            doing.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await doing
        raise GoneError

    async def _gone(self) -> None:
        while (await self.request.receive())["type"] != "http.disconnect":
            pass


async def _rest(items: AsyncGenerator[T, None], *first: T) -> AsyncGenerator[T, None]:
    try:
        for item in first:
            yield item
        async for item in items:
            yield item
    finally:
        await items.aclose()


def service_of(request: Request) -> Service:
    service = request.app.state.service
    assert isinstance(service, Service)
    return service


def caller_of(request: Request) -> Caller:
    """A client is an address, a key and a program."""
    host = request.client.host if request.client else ""
    said = (host, request.headers.get("authorization", ""), request.headers.get("user-agent", ""))
    name = hashlib.sha256("\n".join(said).encode()).hexdigest()
    return Caller(request, service_of(request), name)


Serving = Annotated[Service, Depends(service_of)]
Calling = Annotated[Caller, Depends(caller_of)]
