"""In: values, as they come. Out: a response of server-sent events that ends its source when the client leaves."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from redraft.serve.record import note_unexpected
from redraft.serve.refusals import refusal

DONE = "data: [DONE]\n\n"


class EventStream(StreamingResponse):
    """Closes the generator whatever ends the response."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[str, None]) -> None:
        # Proxies would hold events back otherwise.
        self._events = _with_errors(events)
        super().__init__(self._events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._events):
            await super().__call__(scope, receive, send)


async def _with_errors(events: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    """What goes wrong after the status was sent is an event."""
    try:
        async for each in events:
            yield each
    except Exception as error:
        note_unexpected(error)
        yield event(refusal(error).body())
    finally:
        await events.aclose()


def event(data: Any, name: str = "") -> str:
    """One event; JSON has no newline that could end it."""
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"
