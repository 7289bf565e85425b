"""In: values, as they come. Out: a response of server-sent events that ends its source when the client leaves."""

import json
from collections.abc import AsyncGenerator
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

DONE = "data: [DONE]\n\n"


class EventStream(StreamingResponse):
    """Closes the generator whatever ends the response."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[str, None]) -> None:
        # Proxies would hold events back otherwise.
        super().__init__(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


def event(data: Any, name: str = "") -> str:
    """One event; JSON has no newline that could end it."""
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"
