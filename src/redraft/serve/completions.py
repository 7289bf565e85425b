"""In: `/v1/completions` as OpenAI's and Fireworks' clients send it. Out: the text that the model goes on with."""

from collections.abc import AsyncGenerator, Iterator
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import JSONResponse, Response

from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import Engine, Sampling
from redraft.next import fim
from redraft.next.recognise import asked, recognise, tokens_of
from redraft.next.recognised import Recognised
from redraft.serve.bodies import Asked, Ids, parts_of, unsupported
from redraft.serve.caller import Calling
from redraft.serve.events import DONE, EventStream, event
from redraft.serve.generation import Generation, Piece
from redraft.serve.refusals import STREAMED

router = APIRouter()
_KIND = "text_completion"
_SOME = Field(min_length=1)


class CompletionBody(Asked):
    """OpenAI's parameters of a completion; a prompt is a text or the ids of its tokens."""

    prompt: Annotated[str, _SOME] | Ids | Annotated[list[str], _SOME] | Annotated[list[Ids], _SOME]
    logprobs: Annotated[int, Field(ge=0, le=5)] | None = None
    echo: bool | None = False
    suffix: str | None = None
    best_of: int | None = 1

    def wants_logprobs(self) -> int | None:
        return self.logprobs

    def check(self) -> None:
        super().check()
        if isinstance(self.prompt, list) and isinstance(self.prompt[0], list | str) and len(self.prompt) != 1:
            raise unsupported("prompt", "'prompt' is one text here: send the others in requests of their own")
        if self.echo and self.logprobs is not None:
            raise unsupported("logprobs", "'logprobs' cannot go with 'echo'")
        if self.suffix and not isinstance(self.prompt, str):
            raise unsupported("suffix", "'suffix' goes with a prompt that is a text")
        if self.best_of not in (None, 1):
            raise unsupported("best_of", "'best_of' is not supported here: leave it out, or set it to 1")

    def found(self, engine: Engine) -> Recognised | None:
        """What an editor means by the prompt; None where it is none of an editor's.

        Raises TemplateError for a prompt of a known template that is broken, or whose tokens the model lacks.
        """
        if not isinstance(self.prompt, str):
            return None
        has = tokens_of(engine)
        found = fim.gap(self.prompt, self.suffix, has=has) if self.suffix else recognise(self.prompt, has)
        return found and found.with_stops(self.stops(), has).predicted(self.source(engine))

    def asked(self, engine: Engine, found: Recognised | None) -> tuple[Prompt, Sampling]:
        if found is None:
            return Prompt(self.parts(engine), self.source(engine), self.stops()), self.sampling()
        return asked(found, engine, self.sampling())

    def parts(self, engine: Engine) -> tuple[Part, ...]:
        """The prompt; text is never a special token, an id may be one."""
        said = self.prompt
        if isinstance(said, list) and isinstance(said[0], list | str):
            said = said[0]
        return (Part(said),) if isinstance(said, str) else parts_of(said, engine, "prompt")


@router.post("/v1/completions", responses=STREAMED, response_class=JSONResponse)
async def completions(body: CompletionBody, calling: Calling) -> Response:
    """The text that follows a prompt; of an editor's prompt that is known, what stands in the gap or window."""
    body.check()
    caller, generation = calling.of(body.user), Generation("cmpl", calling.service.name)
    engine = caller.service.engine
    found = body.found(engine)
    prompt, sampling = body.asked(engine, found)
    # Who asks for log-probabilities wants to see each token.
    behind = found.behind if found is not None and sampling.logprobs is None else None
    pieces = await generation.pieces(caller, prompt, sampling, found.topic if found else "", behind)
    echo = "".join(part.text for part in prompt.parts) if body.echo else ""
    if body.stream:
        usage = body.stream_options is not None and body.stream_options.include_usage
        return EventStream(_events(generation, pieces, echo, usage))
    written = await caller.all(pieces)
    whole = Piece(echo + "".join(piece.text for piece in written), [token for p in written for token in p.logprobs])
    choice = _choice(whole) | {"finish_reason": written[-1].finish if written else "length"}
    return JSONResponse(generation.head(_KIND) | {"choices": [choice], "usage": generation.usage.record()})


async def _events(
    generation: Generation, pieces: AsyncGenerator[Piece, None], echo: str, wants_usage: bool
) -> AsyncGenerator[str, None]:
    head = generation.head(_KIND) | ({"usage": None} if wants_usage else {})
    try:
        if echo:
            yield event(head | {"choices": [_choice(Piece(echo))]})
        async for piece in pieces:
            yield event(head | {"choices": [_choice(piece)]})
    finally:
        await pieces.aclose()
    if wants_usage:
        yield event(head | {"choices": [], "usage": generation.usage.record()})
    yield DONE


def _choice(piece: Piece) -> dict[str, Any]:
    logprobs = _columns(piece) if piece.logprobs else None
    return {"index": 0, "text": piece.text, "logprobs": logprobs, "finish_reason": piece.finish}


def _columns(piece: Piece) -> dict[str, Any]:
    """Log-probabilities in the older form: a list for each property of the tokens."""
    tokens = [each["token"] for each in piece.logprobs]
    return {
        "tokens": tokens,
        "token_logprobs": [each["logprob"] for each in piece.logprobs],
        "top_logprobs": [
            {other["token"]: other["logprob"] for other in each["top_logprobs"]} for each in piece.logprobs
        ],
        "text_offset": list(_offsets(tokens)),
    }


def _offsets(tokens: list[str]) -> Iterator[int]:
    at = 0
    for token in tokens:
        yield at
        at += len(token)
