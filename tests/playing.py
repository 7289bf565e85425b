"""In: what a model is to say. Out: a server on loopback that says it, in the words of whichever API it is asked in."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Call:
    """A call of a tool; `namespace` is Codex's name for the server that the tool belongs to."""

    name: str
    given: dict[str, Any]
    namespace: str = ""


Turn = str | Call
Model = Callable[[dict[str, Any], int], Turn]  # the request, and how many there were before


def in_turn(*turns: Turn) -> Model:
    return lambda _, number: turns[number] if number < len(turns) else "Done."


def said(body: dict[str, Any]) -> str:
    """A conversation as it was sent, without the offers of tools."""
    return json.dumps({key: each for key, each in body.items() if key != "tools"}, ensure_ascii=False)


def tools(body: dict[str, Any]) -> str:
    return json.dumps(body.get("tools"))


@dataclass
class Played:
    """`asked` are the requests in which tools were offered; those without, for titles and the like, get a word."""

    url: str
    model: Model
    asked: list[dict[str, Any]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def answer(self, body: dict[str, Any]) -> tuple[int, Turn]:
        with self.lock:
            if not body.get("tools"):
                return 0, "ok"
            self.asked.append(body)
            return len(self.asked), self.model(body, len(self.asked) - 1)


@contextmanager
def playing(model: Model) -> Iterator[Played]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self.send_error(404)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            spoken = next((each for part, each in SPOKEN.items() if part in self.path), None)
            if spoken is None:
                self.send_error(404)
                return
            number, turn = played.answer(body)
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for name, data in spoken(f"{number}", turn):
                self.wfile.write(f"{f'event: {name}' if name else ''}\ndata: {json.dumps(data)}\n\n".encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    played = Played(f"http://127.0.0.1:{server.server_port}", model)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield played
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def messages(number: str, turn: Turn) -> Iterator[Event]:
    """Anthropic's."""
    is_call = isinstance(turn, Call)
    start = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "played", "content": []}
    usage = {"input_tokens": 1, "output_tokens": 1}
    events: list[Event] = [("message_start", {"message": {**start, "stop_reason": None, "usage": usage}})]
    if isinstance(turn, Call):
        block: dict[str, Any] = {"type": "tool_use", "id": f"toolu_{number}", "name": turn.name, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(turn.given)}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": turn}
    events += [
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "tool_use" if is_call else "end_turn"}, "usage": usage}),
        ("message_stop", {}),
    ]
    yield from ((name, {"type": name, **data}) for name, data in events)


def responses(number: str, turn: Turn) -> Iterator[Event]:
    """OpenAI's Responses."""
    if isinstance(turn, Call):
        item: dict[str, Any] = {
            "type": "function_call",
            "call_id": f"call_{number}",
            "name": turn.name,
            "arguments": json.dumps(turn.given),
            **({"namespace": turn.namespace} if turn.namespace else {}),
        }
    else:
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": turn}]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": f"resp_{number}", "usage": usage}
    for name, data in (
        ("response.created", {"response": {"id": f"resp_{number}"}}),
        ("response.output_item.done", {"output_index": 0, "item": {"id": f"item_{number}", **item}}),
        ("response.completed", {"response": whole}),
    ):
        yield name, {"type": name, **data}


def completions(number: str, turn: Turn) -> Iterator[Event]:
    """OpenAI's chat completions."""
    if isinstance(turn, Call):
        function = {"name": turn.name, "arguments": json.dumps(turn.given)}
        calls = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
        delta: dict[str, Any] = {"role": "assistant", "tool_calls": calls}
    else:
        delta = {"role": "assistant", "content": turn}
    common = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 0, "model": "played"}
    yield "", {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    reason = "tool_calls" if isinstance(turn, Call) else "stop"
    yield "", {**common, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def gemini(number: str, turn: Turn) -> Iterator[Event]:
    """Google's generateContent, streamed."""
    part: dict[str, Any] = {"text": turn}
    if isinstance(turn, Call):
        part = {"functionCall": {"id": f"call_{number}", "name": turn.name, "args": turn.given}}
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
    yield "", {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 2}}


SPOKEN = {
    "/messages": messages,
    "/responses": responses,
    "/chat/completions": completions,
    ":streamGenerateContent": gemini,
}
