"""In: an edit, and who asks for it. Out: what the reader is sure of at once, or what it and the model decide."""

from collections.abc import AsyncGenerator
from dataclasses import replace

from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Request
from redraft.engines import GREEDY, Sampling, Tokenizing
from redraft.result import Result
from redraft.serve.bodies import Asked
from redraft.serve.caller import Caller
from redraft.serve.generation import Piece, Usage
from redraft.serve.refusals import RefusalError
from redraft.serve.shapes import Shape


async def decided(caller: Caller, request: Request, sampling: Sampling = GREEDY) -> Result:
    """The result of an edit; one that needs no model does not wait for those that do."""
    service = caller.service
    result = await caller.run(lambda: service.editor.alone(request), service.reader)
    if result is None:
        result = await caller.run(lambda: service.editor.answer(request, sampling))
    service.meters.count_result(result)
    return result


async def applied(edit: Shape, asked: Asked, caller: Caller, usage: Usage) -> AsyncGenerator[Piece, None]:
    """The new file as the answer to a chat message; raises RefusalError where there is none."""
    request = replace(edit.request, prediction=asked.predicted())
    result = await decided(caller, request, asked.sampling())
    if result.output is None or result.status not in WRITTEN:
        raise RefusalError(422, f"{result.status}: {result.message}", result.status, "messages")
    _count(usage, result, request, caller)
    return _one(Piece(edit.answer(result.output), finish="stop"))


async def _one(piece: Piece) -> AsyncGenerator[Piece, None]:
    yield piece


def _count(usage: Usage, result: Result, request: Request, caller: Caller) -> None:
    """Tokens, also where the model was not asked."""
    model = caller.service.model
    engine = model.engine if model is not None else None
    usage.prompt, usage.written, usage.accepted = result.prompt_tokens, result.completion_tokens, result.accepted
    if isinstance(engine, Tokenizing):
        usage.prompt = usage.prompt or len(engine.encode(request.original + request.update + request.instruction))
        usage.written = usage.written or len(engine.encode(result.output or ""))
        usage.predicted = usage.accepted if request.prediction is None else len(engine.encode(request.prediction))
