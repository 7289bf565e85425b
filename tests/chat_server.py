"""In: a function from chat messages to an answer. Out: an OpenAI-compatible server on loopback, for tests."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server sends: a status, a body, headers; `stalls` sends nothing until the server is closed."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    stalls: bool = False


@dataclass
class Server:
    """The server's URL, and the requests that it got: body and Authorization header."""

    url: str
    requests: list[tuple[dict[str, Any], str]] = field(default_factory=list)


def answer(content: str | None) -> Reply:
    message = {"role": "assistant", "content": content}
    body = {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return Reply(body=json.dumps(body).encode())


@contextmanager
def serving(reply: Callable[[Sequence[dict[str, str]]], Reply]) -> Iterator[Server]:
    closed = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append((body, self.headers.get("Authorization", "")))
            made = reply(body["messages"]) if self.path == "/v1/chat/completions" else Reply(404, b"no such path")
            if made.stalls:
                closed.wait()
                return
            self.send_response(made.status)
            for name, value in {"Content-Length": str(len(made.body)), **made.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(made.body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_port}/v1")
        thread = Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            closed.set()
            http.shutdown()
            thread.join()
