"""In: `/v1/chat/completions` as OpenAI's and Fireworks' clients send it. Out: the model's answer, or a new file."""

from collections.abc import AsyncGenerator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from redraft.edit.prompts.asked import ApplyTemplate
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.request import Message
from redraft.serve.bodies import Asked, TextPart, text_of, unsupported
from redraft.serve.caller import Caller, Calling
from redraft.serve.deciding import applied
from redraft.serve.events import DONE, EventStream, event
from redraft.serve.generation import Generation, Piece
from redraft.serve.refusals import STREAMED, RefusalError
from redraft.serve.shapes import Shape, shape

router = APIRouter()
_KIND = "chat.completion"


class ChatMessage(BaseModel):
    model_config = ConfigDict(strict=True)

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[TextPart] | None

    def message(self) -> Message:
        role = "system" if self.role == "developer" else self.role
        return Message(role, text_of(self.content or ""))


class ChatBody(Asked):
    """OpenAI's parameters of a chat; tools, other modalities and formats are refused."""

    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    logprobs: bool | None = False
    top_logprobs: Annotated[int, Field(ge=0, le=20)] | None = None
    tools: list[Any] | None = None
    tool_choice: Any = None
    parallel_tool_calls: bool | None = None
    functions: list[Any] | None = None
    function_call: Any = None
    response_format: dict[str, Any] | None = None
    modalities: list[str] | None = None
    audio: dict[str, Any] | None = None
    reasoning_effort: str | None = None
    verbosity: str | None = None
    safety_identifier: str | None = None
    prompt_cache_key: str | None = None

    def wants_logprobs(self) -> int | None:
        return (self.top_logprobs or 0) if self.logprobs else None

    def limit(self) -> int | None:
        return self.max_completion_tokens or self.max_tokens

    def check(self) -> None:
        super().check()
        if self.top_logprobs and not self.logprobs:
            raise unsupported("top_logprobs", "'top_logprobs' needs 'logprobs' to be true")
        for name in ("tools", "functions", "audio"):
            if getattr(self, name):
                raise unsupported(name, f"'{name}' is not supported here")
        if self.modalities not in (None, ["text"]):
            raise unsupported("modalities", "'modalities' is not supported here: there is only text")
        if self.response_format not in (None, {"type": "text"}):
            raise unsupported("response_format", "'response_format' is not supported here: there is only text")

    def prompt(self, caller: Caller) -> Prompt:
        """Raises RefusalError for a model that does not chat."""
        if caller.service.template.name == ApplyTemplate.name:
            said = "this model applies edits and does not chat: send <code> and <update>, or ask /v1/apply"
            raise RefusalError(400, said, "not_a_chat_model", "messages")
        messages = tuple(message.message() for message in self.messages)
        return Prompt((), self.source(caller.service.engine), self.stops(), messages)


@router.post(f"/v1/{_KIND.replace('.', '/')}s", responses=STREAMED, response_class=JSONResponse)
async def chat(body: ChatBody, calling: Calling) -> Response:
    """The next message of a chat. A message with `<code>` and `<update>` is an edit, answered with the new file."""
    body.check()
    caller, generation = calling.of(body.user), Generation("chatcmpl", calling.service.name)
    edit = shape(body.messages[-1].message().content)
    pieces = await _pieces(body, caller, generation, edit)
    if body.stream:
        usage = body.stream_options is not None and body.stream_options.include_usage
        return EventStream(_events(generation, pieces, usage))
    return JSONResponse(_whole(generation, await caller.all(pieces)))


async def _pieces(
    body: ChatBody, caller: Caller, generation: Generation, edit: Shape | None
) -> AsyncGenerator[Piece, None]:
    if edit is None:
        return await generation.pieces(caller, body.prompt(caller), body.sampling())
    return await applied(edit, body, caller, generation.usage)


def _whole(generation: Generation, written: Sequence[Piece]) -> dict[str, Any]:
    message = {"role": "assistant", "content": "".join(piece.text for piece in written), "refusal": None}
    logprobs = [token for piece in written for token in piece.logprobs]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": {"content": logprobs, "refusal": None} if logprobs else None,
        "finish_reason": written[-1].finish if written else "length",
    }
    return generation.head(_KIND) | {"choices": [choice], "usage": generation.usage.record()}


async def _events(
    generation: Generation, pieces: AsyncGenerator[Piece, None], wants_usage: bool
) -> AsyncGenerator[str, None]:
    head = generation.head(f"{_KIND}.chunk") | ({"usage": None} if wants_usage else {})
    yield event(head | {"choices": [_delta({"role": "assistant", "content": ""})]})
    try:
        async for piece in pieces:
            if piece.text or piece.logprobs:
                yield event(head | {"choices": [_delta({"content": piece.text}, piece)]})
            if piece.finish:
                yield event(head | {"choices": [_delta({}) | {"finish_reason": piece.finish}]})
    finally:
        await pieces.aclose()
    if wants_usage:
        yield event(head | {"choices": [], "usage": generation.usage.record()})
    yield DONE


def _delta(delta: dict[str, Any], piece: Piece | None = None) -> dict[str, Any]:
    logprobs = {"content": piece.logprobs, "refusal": None} if piece and piece.logprobs else None
    return {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": None}
