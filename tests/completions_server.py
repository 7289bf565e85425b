"""In: a small model folder. Out: a completions server on loopback that runs it; it can lack what real ones lack."""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import torch

from redraft.edit.prompts.prompt import Part
from redraft.engines.reading import TokenReader
from redraft.engines.stop import Stop
from redraft.engines.torch import TorchEngine
from tiny_models import VOCABULARY


@dataclass
class CompletionsFake:
    """What the server takes and says, and what it was asked."""

    ids: bool = True  # prompts as lists of ids
    echo: bool = True
    ignores_echo: bool = False
    log_probabilities: bool = True
    names_ids: bool = True  # return_tokens_as_token_ids
    strict: bool = False  # refuses parameters that OpenAI does not know
    limit: int = 4096  # tokens of the context
    stalls: bool = False
    breaks_after: int | None = None  # pieces of a stream
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    script: tuple[str, str] | None = None  # a prompt and what is written after it, instead of what the model says
    dtype: str = "float32"
    root: str | None = None  # what /models says of the model "m"
    left: int = 0  # streams that the client closed before their end


_OPENAI = {"model", "prompt", "max_tokens", "temperature", "echo", "logprobs", "stream", "stop", "seed"}


class _RefusedError(Exception):
    pass


class _Model:
    def __init__(self, folder: Path, script: tuple[str, str] | None, dtype: str) -> None:
        self.engine = TorchEngine(str(folder), dtype, "cpu")
        prompt, target = (self.ids(text) for text in script or ("", ""))
        self.script = [*prompt, *target, min(self.engine.model.end_ids)] if script else []

    def ids(self, prompt: str | list[int]) -> list[int]:
        return self.engine.tokens.encode((Part(prompt),)) if isinstance(prompt, str) else prompt

    @torch.inference_mode()
    def rows(self, ids: Sequence[int]) -> torch.Tensor:
        if self.script:
            right = next(
                (n for n, pair in enumerate(zip(ids, self.script, strict=False)) if len(set(pair)) > 1), len(ids)
            )
            following = [*self.script[1 : right + 1], *[0] * len(ids)][: len(ids)]
            return torch.nn.functional.one_hot(torch.tensor(following), VOCABULARY).float().mul(9).log_softmax(-1)
        return self.engine.model.session().forward(ids, len(ids)).float().log_softmax(-1)

    @torch.inference_mode()
    def following(self, ids: list[int]) -> Iterator[torch.Tensor]:
        """What comes after the ids, again and again; the caller adds what it takes."""
        session, fed = self.engine.model.session(), 0
        while True:
            read, fed = ids[fed:], len(ids)
            yield self.rows(ids)[-1] if self.script else session.forward(read, 1)[-1].float().log_softmax(-1)

    def text(self, ids: Sequence[int]) -> str:
        return self.engine.tokens.decode(ids)


def _named(fake: CompletionsFake, model: _Model, body: dict[str, Any], token: int) -> str:
    as_id = fake.names_ids and body.get("return_tokens_as_token_ids")
    return f"token_id:{token}" if as_id else model.text([token]) or "<|end|>"


def _log_probabilities(
    fake: CompletionsFake, model: _Model, body: dict[str, Any], ids: Sequence[int], rows: Sequence[torch.Tensor | None]
) -> dict[str, Any] | None:
    if not body.get("logprobs") or not fake.log_probabilities:
        return None
    said: dict[str, Any] = {"tokens": [], "token_logprobs": [], "top_logprobs": []}
    for token, row in zip(ids, rows, strict=True):
        said["tokens"].append(_named(fake, model, body, token))
        said["token_logprobs"].append(None if row is None else row[token].item())
        top = [] if row is None else [*row.topk(body["logprobs"]).indices.tolist(), token]
        said["top_logprobs"].append({_named(fake, model, body, t): row[t].item() for t in top} if top else None)
    return said


def _check(fake: CompletionsFake, model: _Model, body: dict[str, Any]) -> list[int]:
    if fake.strict and set(body) - _OPENAI:
        raise _RefusedError(f"unknown parameter {min(set(body) - _OPENAI)}")
    if not fake.ids and not isinstance(body["prompt"], str):
        raise _RefusedError("prompt has to be a string")
    if not fake.echo and body.get("echo"):
        raise _RefusedError("echo is not supported")
    ids = model.ids(body["prompt"])
    if not all(0 <= token < len(model.engine.model.embedding) for token in ids):  # type: ignore[attr-defined]
        raise _RefusedError("there is no such token")
    if len(ids) >= fake.limit:
        raise _RefusedError(f"the maximum context length is {fake.limit} tokens")
    return ids


def _next(row: torch.Tensor, temperature: float, draw: random.Random) -> int:
    if not temperature:
        return int(row.argmax())
    shares = (row / temperature).softmax(-1).tolist()
    return draw.choices(range(len(shares)), shares)[0]


def _pieces(fake: CompletionsFake, model: _Model, body: dict[str, Any], ids: list[int]) -> Iterator[dict[str, Any]]:
    """What the model writes, a token in each piece, as long as its text can be read."""
    most = min(body.get("max_tokens", 16), fake.limit - len(ids))
    draw, reader = random.Random(body.get("seed")), TokenReader(model.engine.tokens, ids)
    stop, ids = Stop(tuple(body.get("stop") or ())), list(ids)
    for count, row in zip(range(1, most + 1), model.following(ids), strict=False):
        token = _next(row, body.get("temperature", 1.0), draw)
        ids.append(token)
        text = stop.feed(reader.feed((token,)))
        has_ended = token in model.engine.model.end_ids or stop.stopped
        reason = "stop" if has_ended else "length" if count == most else None
        text += stop.feed(reader.flush()) + stop.flush() if reason and not stop.stopped else ""
        said = _log_probabilities(fake, model, body, [token], [row])
        yield {"text": text, "logprobs": said, "finish_reason": reason, "index": 0}
        if reason:
            return


def _whole(fake: CompletionsFake, model: _Model, body: dict[str, Any], ids: list[int]) -> dict[str, Any]:
    made = list(_pieces(fake, model, body, ids))
    is_echoed = body.get("echo") and not fake.ignores_echo
    text, said = "".join(piece["text"] for piece in made), [piece["logprobs"] for piece in made]
    if is_echoed:
        text = model.text(ids) + text
        rows = model.rows(ids)
        said = [_log_probabilities(fake, model, body, ids, [None, *rows[:-1]]), *said]
    merged = {key: [each for part in said for each in part[key]] for key in said[0]} if said and said[0] else None
    choice = {"index": 0, "text": text, "logprobs": merged, "finish_reason": made[-1]["finish_reason"]}
    usage = {"prompt_tokens": len(ids), "completion_tokens": len(made), "total_tokens": len(ids) + len(made)}
    return {"object": "text_completion", "choices": [choice], "usage": usage}


@contextmanager
def completing(folder: Path, fake: CompletionsFake) -> Iterator[CompletionsFake]:
    closed, model = Event(), _Model(folder, fake.script, fake.dtype)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": "m", "root": fake.root, "max_model_len": fake.limit}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fake.requests.append(body)
            if fake.stalls:
                closed.wait()
                return
            try:
                ids = _check(fake, model, body)
            except _RefusedError as error:
                self._send(400, {"object": "error", "message": str(error)})
                return
            if body.get("stream"):
                self._stream(body, ids)
            else:
                self._send(200, _whole(fake, model, body, ids))

        def _stream(self, body: dict[str, Any], ids: list[int]) -> None:
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            try:
                for count, piece in enumerate(_pieces(fake, model, body, ids)):
                    if count == fake.breaks_after:
                        return
                    self.wfile.write(f"data: {json.dumps({'choices': [piece]})}\n\n".encode())
                    self.wfile.flush()
                self.wfile.write(b"data: [DONE]\n\n")
            except OSError:
                fake.left += 1

        def _send(self, status: int, answer: dict[str, Any]) -> None:
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        fake.url = f"http://127.0.0.1:{http.server_port}/v1"
        thread = Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield fake
        finally:
            closed.set()
            http.shutdown()
            thread.join()
