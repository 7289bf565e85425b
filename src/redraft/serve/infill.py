"""In: `/infill` as llama.vim and llama.vscode ask llama.cpp's server. Out: the text that stands in the gap."""

import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from redraft.edit.prompts.prompt import Prompt
from redraft.engines import Engine, Finish, Sampling, Warming
from redraft.next import fim
from redraft.next.recognise import asked, tokens_of
from redraft.next.recognised import Recognised
from redraft.serve.bodies import Body
from redraft.serve.caller import Calling
from redraft.serve.events import EventStream, event
from redraft.serve.refusals import STREAMED

router = APIRouter()
_STOPS: dict[str, str] = {"stop": "eos", "length": "limit", "runaway": "limit"}


class Extra(BaseModel):
    """Text of another file."""

    model_config = ConfigDict(strict=True, extra="ignore")

    text: str = ""
    filename: str = ""


class InfillBody(Body):
    """llama.cpp's parameters; those of its samplers are taken and have no effect: the likeliest tokens are written."""

    model_config = ConfigDict(strict=True, extra="ignore")

    input_prefix: str = ""
    input_suffix: str = ""
    input_extra: list[Extra] = Field(default_factory=list)
    prompt: str = ""
    n_predict: int | None = None
    n_indent: int | None = None
    t_max_predict_ms: float | None = None
    stop: Annotated[list[str], Field(max_length=16)] | None = None
    stream: bool | None = False
    response_fields: list[str] | None = None
    model: str = ""
    user: str | None = None

    def found(self, engine: Engine) -> Recognised:
        """Raises TemplateError for a model that fills no gaps."""
        has = tokens_of(engine)
        others = [(extra.filename or "file", extra.text) for extra in self.input_extra]
        gap = fim.gap(self.input_prefix + self.prompt, self.input_suffix, others, has=has)
        return gap.with_stops(tuple(stop for stop in self.stop or () if stop), has)


@dataclass
class Filling:
    """The text of a gap as it is written, and what it took; `ended` says why it ended."""

    body: InfillBody
    model: str
    text: str = ""
    prompt_tokens: int = 0
    written: int = 0
    ended: Finish = ""
    shown: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)

    def pieces(self, engine: Engine, prompt: Prompt, sampling: Sampling) -> Iterator[str]:
        """More of the text; it ends before a line that is less indented than asked for, or behind its time."""
        started, first = time.perf_counter(), 0.0
        for chunk in engine.generate(prompt, sampling):
            now = time.perf_counter()
            first = first or now
            self.prompt_tokens, self.ended = chunk.prompt_tokens, chunk.finish
            self.written += len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens
            self.seconds = (first - started, now - first)
            kept = _indented(self.text + chunk.text, self.body.n_indent or 0)
            is_cut = len(kept) < len(self.text + chunk.text)
            self.text = kept
            # Blanks at the end wait for what follows: they go with a line that is less indented.
            yield from self._more(kept if is_cut or chunk.finish else kept.rstrip())
            if is_cut or self._is_late(now - first):
                self.ended = self.ended or "length"
                yield from self._more(kept)
                return

    def _more(self, text: str) -> Iterator[str]:
        if len(text) > self.shown:
            yield text[self.shown :]
            self.shown = len(text)

    def _is_late(self, seconds: float) -> bool:
        most = self.body.t_max_predict_ms
        return bool(most and most > 0 and seconds * 1000 > most and "\n" in self.text)

    def record(self) -> dict[str, Any]:
        """What llama.cpp's server says of a completion, or those of its fields that are asked for."""
        timings: dict[str, float] = {}
        for name, tokens, seconds in zip(
            ("prompt", "predicted"), (self.prompt_tokens, self.written), self.seconds, strict=True
        ):
            timings |= {f"{name}_n": tokens, f"{name}_ms": 1000 * seconds}
            timings[f"{name}_per_token_ms"] = 1000 * seconds / (tokens or 1)
            timings[f"{name}_per_second"] = tokens / (seconds or 1.0)
        whole = {
            "index": 0,
            "content": self.text,
            "stop": True,
            "model": self.model,
            "tokens_predicted": self.written,
            "tokens_evaluated": self.prompt_tokens,
            "tokens_cached": self.prompt_tokens + self.written,
            "truncated": False,
            "stop_type": _STOPS.get(self.ended, "none"),
            "timings": timings,
        }
        if self.body.response_fields is None:
            return whole
        flat = whole | {f"timings/{name}": value for name, value in timings.items()}
        return {name: flat[name] for name in self.body.response_fields if name in flat}


@router.post("/infill", responses=STREAMED, response_class=JSONResponse)
async def infill(body: InfillBody, calling: Calling) -> Response:
    """The text between prefix and suffix. Without a token to write, the prompt is only read ahead."""
    caller = calling.of(body.user)
    engine, filling = caller.service.engine, Filling(body, caller.service.name)
    found = body.found(engine)
    if body.n_predict == 0:
        await caller.run(lambda: engine.warm(found.prompt) if isinstance(engine, Warming) else None)
        return JSONResponse(filling.record())
    most = body.n_predict if body.n_predict and body.n_predict > 0 else None
    prompt, sampling = asked(found, engine, Sampling(most))
    pieces = await caller.stream(lambda: filling.pieces(engine, prompt, sampling), found.topic)
    if body.stream:
        return EventStream(_events(filling, pieces))
    await caller.all(pieces)
    return JSONResponse(filling.record())


async def _events(filling: Filling, pieces: AsyncGenerator[str, None]) -> AsyncGenerator[str, None]:
    try:
        async for piece in pieces:
            yield event({"index": 0, "content": piece, "stop": False})
    finally:
        await pieces.aclose()
    yield event(filling.record() | {"content": ""})


def _indented(text: str, least: int) -> str:
    """The text up to the first of its further lines that is less indented, blank ones aside."""
    lines = text.split("\n")
    for number, line in enumerate(lines[1:], 1):
        bare = line.lstrip(" \t")
        if bare and len(line) - len(bare) < least:
            return "\n".join(lines[:number])
    return text
