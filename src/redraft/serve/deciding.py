"""In: an edit, and who asks for it. Out: what the reader is sure of at once, or what it and the model decide."""

import time
from collections.abc import AsyncGenerator, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes
from redraft.edit.text.growing import Following, Replaced
from redraft.edit.text.newlines import with_newlines
from redraft.engines import GREEDY, Chunk, Sampling, Tokenizing
from redraft.errors import RedraftError
from redraft.result import Result
from redraft.serve.bodies import Asked, expected
from redraft.serve.caller import Caller
from redraft.serve.generation import Piece, Usage
from redraft.serve.refusals import RefusalError
from redraft.serve.shapes import Shape

T = TypeVar("T")


_NO_UPDATE = "update: there is no update: send the chat model's answer, a sketch or a diff"


def check_update(caller: Caller, update: str, is_asked: bool) -> None:
    """Raises RefusalError where there is no update, and no model that would write one that is asked for in words."""
    if update.strip() or (is_asked and caller.service.model is not None):
        return
    why = (
        f"; an instruction alone needs a model, and this server has none ({caller.service.missing})" if is_asked else ""
    )
    raise RefusalError(400, f"{_NO_UPDATE}{why}", "missing_required_parameter", "update")


async def decided(caller: Caller, request: Request, sampling: Sampling = GREEDY) -> Result:
    """The result of an edit; one that needs no model does not wait for those that do."""
    service = caller.service
    result = await caller.run(lambda: service.editor.alone(request), service.reader)
    if result is None:
        result = await caller.run(lambda: service.editor.answer(request, sampling))
    service.meters.count_result(result)
    return result


async def watched(
    caller: Caller, request: Request, sampling: Sampling
) -> AsyncGenerator[dict[str, Any] | Result, None]:
    """The hunks of an edit, each as soon as it is told, then its result.

    While a model writes, a hunk is told before the guards have seen the file: `decided` is false.
    """
    service = caller.service
    if await caller.run(lambda: service.editor.writes(request), service.reader):
        return await caller.stream(lambda: _written(caller, request, sampling))
    result = await decided(caller, request, sampling)
    output = result.output if result.status in WRITTEN else None
    return _listed([*hunks_of(request.original, output, request.path), result])


def _written(caller: Caller, request: Request, sampling: Sampling) -> Iterator[dict[str, Any] | Result]:
    started, chunks = time.perf_counter(), list[Chunk]()
    try:
        writing = caller.service.editor.writing(request)
        following = Following(writing.shown)
        for chunk in writing.chunks(sampling):
            chunks.append(chunk)
            if caller.service.template.output_format == "whole":
                yield from (_hunk(request.path, change, False) for change in following.feed(chunk.text))
        result = writing.result(chunks)
    except RedraftError as error:
        result = Result("error", None, None, "model", str(error))
    if result.status not in WRITTEN:
        result = caller.service.editor.otherwise(request) or result
    seconds = time.perf_counter() - started
    caller.service.meters.count_result(result)
    yield replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)


def hunks_of(before: str, after: str | None, path: str) -> Iterator[dict[str, Any]]:
    """The hunks of a decided edit."""
    if after is None:
        return
    old, new = (with_newlines(text).split("\n") for text in (before, after))
    for change in line_changes(old, new):
        lines = tuple(new[change.after_start : change.after_end])
        yield _hunk(path, Replaced(change.start, change.end, lines), True)


def _hunk(path: str, change: Replaced, is_decided: bool) -> dict[str, Any]:
    """Lines `start` to `end` of the file, counted from 0, the end not included, become `lines`."""
    place = {"start": change.start, "end": change.end, "lines": change.lines}
    return {"path": path, **place, "decided": is_decided}


async def applied(edit: Shape, asked: Asked, caller: Caller, usage: Usage) -> AsyncGenerator[Piece, None]:
    """The new file as the answer to a chat message; raises RefusalError where there is none."""
    most = len(edit.request.original) + len(edit.request.update)
    request = replace(edit.request, prediction=expected(asked.predicted(), most))
    check_update(caller, request.update, bool(request.instruction.strip()))
    result = await decided(caller, request, asked.sampling())
    if result.output is None or result.status not in WRITTEN:
        said = "\n".join(filter(None, (f"{result.status}: {result.message}", result.way_on)))
        raise RefusalError(422, said, result.status, "messages")
    _count(usage, result, request, caller)
    return _listed([Piece(edit.answer(result.output), finish="stop")])


async def _listed(items: Iterable[T]) -> AsyncGenerator[T, None]:
    for item in items:
        yield item


def _count(usage: Usage, result: Result, request: Request, caller: Caller) -> None:
    """Tokens, also where the model was not asked."""
    model = caller.service.model
    engine = model.engine if model is not None else None
    usage.prompt, usage.written, usage.accepted = result.prompt_tokens, result.completion_tokens, result.accepted
    if isinstance(engine, Tokenizing):
        usage.prompt = usage.prompt or len(engine.encode(request.original + request.update + request.instruction))
        usage.written = usage.written or len(engine.encode(result.output or ""))
        usage.predicted = usage.accepted if request.prediction is None else len(engine.encode(request.prediction))
