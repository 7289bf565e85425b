"""In: every request and its response. Out: a line of the log and the meters; nothing of what was sent."""

import json
import logging
import sys
import time
import traceback
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from redraft.errors import RedraftError
from redraft.serve.meters import Meters
from redraft.serve.refusals import refusal, response

LOG = logging.getLogger("redraft.serve")


class Lines(logging.Formatter):
    """JSON lines: time, level, event, and what a record carries beside them."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {"time": self.formatTime(record), "level": record.levelname.lower()}
        said["event"] = record.getMessage() if record.name.startswith(("redraft", "uvicorn")) else "unknown"
        return json.dumps(said | getattr(record, "fields", {}))


def log_to_stderr() -> None:
    """What servers log goes to standard error, a JSON object a line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("redraft.serve", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)


class Recorder:
    """Counts and logs each request; an unexpected error becomes status 500 and a place in the code."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app, self._meters = app, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, place = time.perf_counter(), 0, ""

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:
            place = _place(error)
            if status:
                raise ConnectionAbortedError("a response broke off") from None
            await response(refusal(error))(scope, receive, sent)
        finally:
            self._told(scope, status, time.perf_counter() - started, place)

    def _told(self, scope: Scope, status: int, seconds: float, place: str) -> None:
        route = getattr(scope.get("route"), "path", "unknown")
        self._meters.requests.labels(route, status).inc()
        self._meters.seconds.labels(route).observe(seconds)
        fields = {"method": scope["method"], "route": route, "status": status, "seconds": round(seconds, 4)}
        level = logging.ERROR if place or status >= 500 else logging.INFO
        LOG.log(level, "request", extra={"fields": fields | ({"error": place} if place else {})})


def note_unexpected(error: Exception) -> None:
    """Logs an error that is a mistake in the server."""
    if not isinstance(error, RedraftError):
        LOG.error("error", extra={"fields": {"error": _place(error)}})


def _place(error: Exception) -> str:
    """The kind of an error and where it was raised, without its message, which may quote a file."""
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames[-4:]))
    return f"{type(error).__name__} at {where}"
