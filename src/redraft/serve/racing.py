"""In: an edit. Out: events of it, for people to watch: what is decided, then the model both ways in turns."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from redraft.apply import Redraft
from redraft.changes.hunks import hunks
from redraft.edit.request import Request
from redraft.engines import Chunk
from redraft.errors import RedraftError
from redraft.race import Run, both_ways, first_difference, race
from redraft.result import Result
from redraft.serve.bodies import Body
from redraft.serve.caller import Caller, Calling
from redraft.serve.deciding import decided
from redraft.serve.events import EventStream, event
from redraft.serve.refusals import STREAMED, refusal
from redraft.serve.tracing import Tracer
from redraft.writing import Writing

router = APIRouter()
_Event = tuple[str, dict[str, Any]]


class RaceBody(Body):
    """One edit, as for `/v1/apply`; without `race` the model writes nothing."""

    original: str
    update: str = ""
    instruction: str = ""
    path: str = ""
    race: bool = True

    def request(self) -> Request:
        return Request(self.original, self.update, self.instruction, self.path)


@router.post("/v1/race", responses=STREAMED, response_class=StreamingResponse)
async def watch(body: RaceBody, caller: Calling) -> EventStream:
    """Server-sent events: `decided`, `begin`, a `lap` for each forward, `end` of each way, `written`, `compared`.

    An `error` ends them early.
    """
    request = body.request()
    return EventStream(_events(caller, request, await decided(caller, request), body.race))


async def _events(caller: Caller, request: Request, result: Result, is_raced: bool) -> AsyncGenerator[str, None]:
    """An error after the first event is an event, too: the status has been sent."""
    yield event(edited(request, result), "decided")
    if not is_raced:
        return
    try:
        events = await caller.stream(lambda: raced(caller.service.editor, request))
        try:
            async for name, data in events:
                yield event(data, name)
        finally:
            await events.aclose()
    except RedraftError as error:
        yield event(refusal(error).body(), "error")


def edited(request: Request, result: Result) -> dict[str, Any]:
    """The fields of a batch line, and the hunks."""
    return result.record() | {"hunks": [asdict(hunk) for hunk in hunks(request.original, result)]}


def raced(editor: Redraft, request: Request) -> Iterator[_Event]:
    """The events of the model's two ways; raises RedraftError for an edit that the model cannot take."""
    writing = editor.writing(request)
    runs = both_ways(writing.chunks)
    yield "begin", _beginning(request, writing)
    tracers = {run.way: Tracer(writing.shown.text, writing.expected or "") for run in runs}
    for run, chunk in race(runs):
        if chunk is not None:
            yield "lap", _lap(run, chunk, tracers[run.way])
            continue
        yield "end", {"way": run.way, "seconds": run.seconds}
        if run.way == "with drafts":
            yield "written", edited(request, writing.result(run.chunks))
    yield "compared", _compared(*runs)


def _beginning(request: Request, writing: Writing) -> dict[str, Any]:
    expected = writing.shown.text if writing.expected is None else writing.expected
    shown = writing.shown.text.count("\n") + 1
    return {"expected_chars": len(expected), "lines": request.original.count("\n") + 1, "lines_shown": shown}


def _lap(run: Run, chunk: Chunk, tracer: Tracer) -> dict[str, Any]:
    return {
        "way": run.way,
        "runs": list(tracer.trace(chunk.runs)),
        "tokens": len(chunk.ids),
        "drafted": chunk.drafted,
        "accepted": chunk.accepted,
        "seconds": run.seconds,
    }


def _compared(vanilla: Run, drafts: Run) -> dict[str, Any]:
    return {
        "speed_up": vanilla.seconds / (drafts.seconds or 1.0),
        "first_difference": first_difference(vanilla, drafts),
    }
