"""In: requests to vLLM's own OpenAI server. Out: the same, predictions as sampling parameters; counts in the answers.

`--middleware redraft.engines.vllm.middleware.PredictionMiddleware`. What has no prediction passes untouched.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from redraft.engines.vllm import PREDICTION
from redraft.engines.vllm.body import FIELDS, FieldError, prediction_of
from redraft.engines.vllm.usage import Events, counted

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_PATHS = ("/v1/chat/completions", "/v1/completions")
# Characters of a prediction that are read for each token of the context: an answer has no room for more.
_CHARACTERS = 16


class PredictionMiddleware:
    """Hands `prediction` and `speculation` on to the scheduler, as ids."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith(_PATHS):
            return await self._app(scope, receive, send)
        messages = await whole(receive)
        body = json_of(b"".join(message.get("body", b"") for message in messages))
        if body is None or not any(name in body for name in FIELDS):
            return await self._app(scope, _replayed(messages, receive), send)
        try:
            ids = await _ids(body, scope["app"].state.engine_client)
        except FieldError as error:
            return await refuse(error, send)
        data = json.dumps(_asked(body, ids)).encode()
        length = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
        scope = {**scope, "headers": [*length, (b"content-length", b"%d" % len(data))]}
        received = [{"type": "http.request", "body": data}]
        counting = _Counting(send, max(0, len(ids) - 1)).send if ids else send
        return await self._app(scope, _replayed(received, receive), counting)


async def whole(receive: Receive) -> list[Message]:
    """The messages of a body, the last one being its end, or that the caller is gone."""
    messages = [await receive()]
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _replayed(messages: Sequence[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def next_message() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return next_message


def json_of(data: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(data)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


async def _ids(body: dict[str, Any], engine: Any) -> list[int]:
    """The ids of the prediction and, after them, of the end of the answer; raises FieldError."""
    prediction = prediction_of(body)
    config, tokenizer = engine.model_config, engine.get_tokenizer()
    if not prediction:
        return []
    if isinstance(prediction, str):
        text = prediction[: _CHARACTERS * config.max_model_len]
        ids = await asyncio.to_thread(tokenizer.encode, text, add_special_tokens=False)
    elif max(prediction) >= (vocabulary := config.get_vocab_size()):
        raise FieldError("speculation", f"'speculation': the model has {vocabulary} token ids, none {max(prediction)}")
    else:
        ids = prediction
    end = tokenizer.eos_token_id
    return [*ids[: config.max_model_len - 1], *([] if end is None else [end])]


def _asked(body: dict[str, Any], ids: list[int]) -> dict[str, Any]:
    rest = {name: value for name, value in body.items() if name not in FIELDS}
    arguments = rest.get("vllm_xargs")
    # What is no object vLLM refuses itself, and says so.
    if ids and isinstance(arguments, dict | None):
        rest["vllm_xargs"] = {**(arguments or {}), PREDICTION: ids}
    return rest


async def refuse(error: FieldError, send: Send) -> None:
    said = {"message": str(error), "type": "invalid_request_error", "param": error.field, "code": 400}
    await respond(400, {"error": said}, send)


async def respond(status: int, body: dict[str, Any], send: Send) -> None:
    data = json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(data))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})


class _Counting:
    """Passes an answer on, its usage saying what became of the prediction; one not streamed is held till its end."""

    def __init__(self, send: Send, predicted: int) -> None:
        self._send, self._predicted = send, predicted
        self._start: Message | None = None
        self._events: Events | None = None
        self._held = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            kind = dict(message["headers"]).get(b"content-type", b"")
            if kind.startswith(b"text/event-stream"):
                self._events = Events(self._predicted)
            elif message["status"] == 200:
                self._start = message
                return
        elif message["type"] == "http.response.body":
            return await self._body(message)
        await self._send(message)

    async def _body(self, message: Message) -> None:
        data, more = message.get("body", b""), message.get("more_body", False)
        if self._events is not None:
            data = self._events.feed(data) + (b"" if more else self._events.flush())
        elif self._start is not None:
            self._held += data
            if more:
                return
            data = json.dumps(counted(json.loads(self._held), self._predicted)).encode()
            headers = [(name, value) for name, value in self._start["headers"] if name != b"content-length"]
            await self._send({**self._start, "headers": [*headers, (b"content-length", b"%d" % len(data))]})
        await self._send({**message, "body": data})
