"""In: requests from anywhere. Out: those that may be answered: the key, the host, the length, the time."""

import asyncio
import hmac
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from redraft.access import has_key, is_loopback, is_ours
from redraft.serve.refusals import RefusalError, response
from redraft.serve.settings import Limits, Settings

# Routes that need no key. The page is this package's own files alone, and asks for the key itself: then it is kept in
# the page's memory, and no browser sends it along by habit.
OPEN = ("/healthz", "/")
_PARTS = "/page/"


class Gate:
    """Refuses what may not be answered before any of it is looked at.

    Without a key only requests that name this machine are answered, so that no page in a browser reaches the server
    under a name of its own.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
            body = await _read(receive, self._settings.limits)
        except RefusalError as error:
            await response(error)(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _again(body, receive), send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        settings = self._settings
        if settings.key:
            if not _is_open(scope["path"]) and not _has_key(headers, settings.key):
                raise _unknown(headers)
        elif not is_ours(headers.get("host", ""), settings.host):
            asked = "localhost" if is_loopback(settings.host) else "its own name or number"
            raise RefusalError(403, f"this server answers only requests to {asked}: start it with --api-key", "host")
        if int(headers.get("content-length") or 0) > settings.limits.body_bytes:
            raise _too_long(settings.limits)
        if scope["method"] == "POST" and not headers.get("content-type", "").startswith("application/json"):
            raise RefusalError(
                415, "the body has to be JSON, with the header Content-Type: application/json", "no_json"
            )


def _is_open(path: str) -> bool:
    return path in OPEN or path.startswith(_PARTS)


def _has_key(headers: Mapping[str, str], key: str) -> bool:
    """Whether one of the two places where clients put a key has the right one; takes as long for any wrong one."""
    plain = hmac.compare_digest(headers.get("x-api-key", "").encode(), key.encode())
    return has_key(headers.get("authorization"), key) or plain


def _unknown(headers: Mapping[str, str]) -> RefusalError:
    said = "wrong API key" if "authorization" in headers or "x-api-key" in headers else "this server needs an API key"
    return RefusalError(401, said, "invalid_api_key", headers={"WWW-Authenticate": "Bearer"})


def _too_long(limits: Limits) -> RefusalError:
    return RefusalError(413, f"the body is longer than {limits.body_bytes:,} bytes", "too_long")


async def _read(receive: Receive, limits: Limits) -> bytes | None:
    """A whole body, None where the client leaves before its end.

    Raises RefusalError where it turns out too long, or does not arrive in time.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(limits.body_seconds):
            while (message := await receive())["type"] != "http.disconnect":
                body += message.get("body", b"")
                if len(body) > limits.body_bytes:
                    raise _too_long(limits)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise RefusalError(408, "the body did not arrive in time", "timeout") from None
    return None


def _again(body: bytes, receive: Receive) -> Receive:
    """What was read already, once, then what comes after it: that the client leaves."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return left.pop() if left else await receive()

    return received
