"""In: selected lines of a file, and an instruction. Out: the file with new lines there, or why there are none."""

import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import JSONResponse, Response

from redraft.changes.change import unified
from redraft.engines import Chunk, Sampling
from redraft.instructed import Instructed
from redraft.serve.bodies import Body, Prediction, expected
from redraft.serve.caller import Caller, Calling
from redraft.serve.events import EventStream, event
from redraft.serve.refusals import STREAMED

router = APIRouter()
_Event = tuple[str, dict[str, Any]]


class EditBody(Body):
    """Lines `first` to `last` of `original`, counted from 1, and what to do with them.

    `prediction` is what the new lines will probably be; without it, the selected ones. Nothing is written anywhere.
    """

    original: str
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    instruction: Annotated[str, Field(min_length=1)]
    path: str = ""
    prediction: str | Prediction | None = None
    stream: bool = False
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    model: str = ""
    user: str | None = None

    def editing(self, caller: Caller) -> Instructed:
        """Raises RedraftError for lines that the file has not, and without a model that follows instructions."""
        lines, likely = (self.first, self.last), expected(self.prediction, len(self.original))
        editor = caller.service.editor
        return editor.editing(self.original, lines, self.instruction, path=self.path, prediction=likely)


@router.post("/v1/edit", responses=STREAMED, response_class=JSONResponse)
async def edit(body: EditBody, calling: Calling) -> Response:
    """New lines by a model that follows instructions; every other character of the file stays as it is.

    With `stream` the new lines are `text` events as the model writes them, and the whole result is the last event.
    """
    caller = calling.of(body.user)
    if body.stream:
        return EventStream(_events(await caller.stream(lambda: _written(body, caller))))
    *_, (_, record) = await caller.run(lambda: list(_written(body, caller)))
    return JSONResponse(record)


def _written(body: EditBody, caller: Caller) -> Iterator[_Event]:
    """The new lines as they come, then what the guards say of them."""
    started, chunks = time.perf_counter(), list[Chunk]()
    editing = body.editing(caller)
    for chunk in editing.chunks(Sampling(body.max_tokens)):
        chunks.append(chunk)
        yield "text", {"text": chunk.text}
    result = editing.result(chunks)
    seconds = time.perf_counter() - started
    caller.service.meters.count_result(result)
    result = replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)
    yield "result", result.record() | {"diff": unified(body.original, result.output, body.path)}


async def _events(events: AsyncGenerator[_Event, None]) -> AsyncGenerator[str, None]:
    try:
        async for name, data in events:
            yield event(data, name)
    finally:
        await events.aclose()
