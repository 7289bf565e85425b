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
from redraft.result import Result
from redraft.serve.bodies import Body, Prediction, text_of
from redraft.serve.caller import Caller, Calling
from redraft.serve.events import EventStream, event
from redraft.serve.refusals import STREAMED

router = APIRouter()


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
        predicted = self.prediction.content if isinstance(self.prediction, Prediction) else self.prediction
        expected = None if predicted is None else text_of(predicted)
        lines = (self.first, self.last)
        editor = caller.service.instructed
        return editor.editing(self.original, lines, self.instruction, path=self.path, prediction=expected)


@router.post("/v1/edit", responses=STREAMED, response_class=JSONResponse)
async def edit(body: EditBody, calling: Calling) -> Response:
    """New lines by a model that follows instructions; every other character of the file stays as it is.

    With `stream` the new lines are `text` events as the model writes them, and the whole result is the last event.
    """
    caller = calling.of(body.user)
    if body.stream:
        return EventStream(_events(body, await caller.stream(lambda: _written(body, caller))))
    *_, result = await caller.run(lambda: list(_written(body, caller)))
    assert isinstance(result, Result)
    return JSONResponse(_record(body, result))


def _written(body: EditBody, caller: Caller) -> Iterator[str | Result]:
    """The new lines as they come, then what the guards say of them."""
    started, chunks = time.perf_counter(), list[Chunk]()
    editing = body.editing(caller)
    for chunk in editing.chunks(Sampling(body.max_tokens)):
        chunks.append(chunk)
        yield chunk.text
    result = editing.result(chunks)
    seconds = time.perf_counter() - started
    caller.service.meters.count_result(result)
    yield replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)


async def _events(body: EditBody, told: AsyncGenerator[str | Result, None]) -> AsyncGenerator[str, None]:
    try:
        async for each in told:
            if isinstance(each, Result):
                yield event(_record(body, each), "result")
            elif each:
                yield event({"text": each}, "text")
    finally:
        await told.aclose()


def _record(body: EditBody, result: Result) -> dict[str, Any]:
    return result.record() | {"diff": unified(body.original, result.output, body.path)}
