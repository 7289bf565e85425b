"""In: connections that anybody may open. Out: their requests, as uvicorn reads them, and little held for the others."""

import asyncio
from asyncio import TimerHandle
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

HEAD_BYTES = 64 * 1024  # of a request line with its headers, and of what else is no body
_HEAD_SECONDS = 10.0
_SAID = f"the headers are longer than {HEAD_BYTES:,} bytes\n"
_TOO_LONG = f"content-type: text/plain\r\ncontent-length: {len(_SAID)}\r\nconnection: close\r\n\r\n{_SAID}".encode()
# Connections that have not sent a whole request. One more, and the one that waits longest is closed: a stranger who
# opens many keeps nobody out who has something to say.
UNHEARD = 200


class Connection(HttpToolsProtocol):
    """Closed where a head is too long, or does not arrive in time; `unheard` are those of one server, the oldest first.

    No key is known before the head is read, so that this is all that strangers can take up.
    """

    def __init__(self, *given: Any, unheard: dict["Connection", None], seconds: float, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unheard, self._seconds = unheard, seconds
        self._unread = 0  # bytes since the parser gave out anything
        self._late: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unheard.pop(self, None)
        self._come()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unread += len(data)
        super().data_received(data)
        if self._unread > HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        if self._unread <= HEAD_BYTES:
            super().send_400_response(msg)
            return
        self.transport.write(STATUS_LINE[431] + _TOO_LONG)
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._late is None:
            self._wait()

    def on_headers_complete(self) -> None:
        self._unread = sum(len(name) + len(value) for name, value in self.headers) + len(self.url)
        if self._unread > HEAD_BYTES:
            raise ValueError  # the parser stops, and `send_400_response` says why
        self._unread = 0
        self._come()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread = 0
        self._unheard.pop(self, None)
        self._come()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._wait()

    def _wait(self) -> None:
        """For a request, or the rest of one that is answered already."""
        self._come()
        self._late = self.loop.call_later(self._seconds, self.transport.abort)
        self._unheard.pop(self, None)
        self._unheard[self] = None
        if len(self._unheard) > UNHEARD:
            oldest = next(iter(self._unheard))
            del self._unheard[oldest]
            oldest.transport.abort()

    def _come(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def connections(seconds: float = _HEAD_SECONDS) -> Any:
    """What uvicorn makes the connections of one server with; a head has so many seconds to arrive."""
    return partial(Connection, unheard={}, seconds=seconds)
