"""In: JSON-RPC requests on a stream of bytes, framed as language servers frame them. Out: their results, on another.

Source: JSON-RPC 2.0, and the base protocol of the Language Server Protocol 3.17: `Content-Length`, `$/cancelRequest`,
`$/progress`. Editors have clients for these.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any, BinaryIO, TypeVar

import msgspec

from redraft.engines.abandon import AbandonedError, checked
from redraft.errors import RedraftError

REFUSED = 1  # what the user is to be told; all other codes are mistakes of the client or the server
PARSE, INVALID, NO_METHOD, BAD_PARAMS, INTERNAL, CANCELLED = -32700, -32600, -32601, -32602, -32603, -32800
_MOST_BYTES = 256 * 1024 * 1024
_LANES = ("reader", "engine")
Id = int | str | None
T = TypeVar("T", bound=msgspec.Struct)


class _Message(msgspec.Struct):
    """A request, or a notification where `id` is missing."""

    method: str
    id: Id = None
    params: msgspec.Raw = msgspec.Raw(b"{}")


class _Cancel(msgspec.Struct):
    id: int | str


@dataclass
class Job:
    """A request that runs. `tell` sends news of it to a client that gave a token for them."""

    id: Id
    params: msgspec.Raw
    send: Callable[[Mapping[str, Any]], None]
    ended: Event = field(default_factory=Event)

    def read(self, kind: type[T]) -> T:
        """The parameters; raises msgspec.ValidationError for others than these."""
        return msgspec.json.decode(self.params, type=kind)

    def check(self) -> None:
        """Raises AbandonedError where nobody waits for the result any more."""
        if self.ended.is_set():
            raise AbandonedError

    def tell(self, token: int | str | None, value: Mapping[str, Any]) -> None:
        if token is not None:
            self.send({"method": "$/progress", "params": {"token": token, "value": value}})


@dataclass(frozen=True)
class Method:
    """What answers a request. What needs no model runs in a lane of its own, so that it never waits for one."""

    run: Callable[[Job], Any]
    lane: Callable[[Job], str] = lambda job: "reader"


class Connection:
    """Answers the requests of one client, each lane one at a time, until the stream ends."""

    def __init__(self, source: BinaryIO, sink: BinaryIO, methods: Mapping[str, Method]) -> None:
        self._source, self._sink, self._methods = source, sink, methods
        self._lanes = {name: ThreadPoolExecutor(1, name) for name in _LANES}
        self._running: dict[Id, Job] = {}
        self._lock = Lock()

    def run(self) -> None:
        """Raises RedraftError where what comes is not framed, since nothing after it could be found."""
        try:
            while (data := _framed(self._source)) is not None:
                self._take(data)
        finally:
            for job in [*self._running.values()]:
                job.ended.set()
            for lane in self._lanes.values():
                lane.shutdown(cancel_futures=True)

    def _take(self, data: bytes) -> None:
        try:
            message = msgspec.json.decode(data, type=_Message)
        except msgspec.ValidationError as error:
            return self._fail(None, INVALID, str(error))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return self._fail(None, PARSE, str(error))
        if message.id is None:
            return self._notified(message)
        job, method = Job(message.id, message.params, self._send), self._methods.get(message.method)
        if method is None:
            return self._fail(job.id, NO_METHOD, f"unknown method {message.method!r}")
        try:
            lane = self._lanes[method.lane(job)]
        except msgspec.ValidationError as error:
            return self._fail(job.id, BAD_PARAMS, str(error))
        self._running[job.id] = job
        lane.submit(self._answer, job, method)

    def _notified(self, message: _Message) -> None:
        """Only a cancellation is heard; other notifications are let pass, as the protocol has it."""
        if message.method == "$/cancelRequest":
            try:
                job = self._running.get(msgspec.json.decode(message.params, type=_Cancel).id)
            except msgspec.ValidationError:
                return
            if job is not None:
                job.ended.set()

    def _answer(self, job: Job, method: Method) -> None:
        try:
            with checked(job.check):
                job.check()
                self._send({"id": job.id, "result": method.run(job)})
        except AbandonedError:
            self._fail(job.id, CANCELLED, "cancelled")
        except RedraftError as error:
            self._fail(job.id, REFUSED, str(error))
        except msgspec.ValidationError as error:
            self._fail(job.id, BAD_PARAMS, str(error))
        except Exception as error:
            # An editor shows it, and the next request may still be answered.
            self._fail(job.id, INTERNAL, f"unexpected {type(error).__name__}: {error}; please report it")
        finally:
            self._running.pop(job.id, None)

    def _fail(self, number: Id, code: int, message: str) -> None:
        self._send({"id": number, "error": {"code": code, "message": message}})

    def _send(self, message: Mapping[str, Any]) -> None:
        data = msgspec.json.encode({"jsonrpc": "2.0", **message})
        with self._lock:
            self._sink.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            self._sink.flush()


def _framed(source: BinaryIO) -> bytes | None:
    """The next message, None at the end of the stream; raises RedraftError for what has no length."""
    length = None
    while (line := source.readline(1024)) not in (b"\r\n", b"\n"):
        if not line:
            return None
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if length is None or length > _MOST_BYTES:
        raise RedraftError("standard input holds no JSON-RPC: messages begin with `Content-Length: BYTES`")
    data = source.read(length)
    return data if len(data) == length else None
