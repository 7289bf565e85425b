"""In: one file or several, and an answer about them. Out: the new files and their diffs, or why there are none."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import JSONResponse, Response

from redraft.changes.change import Change, unified
from redraft.changes.plan import Order, planned
from redraft.changes.tree import Texts
from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Message, Request
from redraft.engines import Sampling
from redraft.result import Result
from redraft.serve.bodies import Body, Prediction, Strict, TextPart, expected, text_of
from redraft.serve.caller import Caller, Calling
from redraft.serve.deciding import check_update, decided, hunks_of, watched
from redraft.serve.events import EventStream, event
from redraft.serve.refusals import STREAMED, RefusalError

router = APIRouter()
_MOST_FILES = 200


class Turn(Strict):
    """A turn of the conversation that led to the edit."""

    role: str
    content: str | list[TextPart]


class GivenFile(Strict):
    path: Annotated[str, Field(min_length=1)]
    original: str


class ApplyBody(Body):
    """`original` is one file, `files` are several, of which `update` has to name those that it is about.

    `update` is a chat answer, a sketch or a diff; `instruction` what was asked for. Nothing is written anywhere.
    """

    original: str | None = None
    path: str = ""
    files: Annotated[list[GivenFile], Field(max_length=_MOST_FILES)] | None = None
    update: str = ""
    instruction: str = ""
    conversation: list[Turn] = Field(default_factory=list)
    prediction: str | Prediction | None = None
    stream: bool = False
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    model: str = ""
    user: str | None = None

    def request(self) -> Request:
        """Raises RefusalError for a body with no file."""
        if self.original is None:
            raise RefusalError(400, "original: the file is missing", "missing_required_parameter", "original")
        said = tuple(Message(turn.role, text_of(turn.content)) for turn in self.conversation)
        likely = expected(self.prediction, len(self.original) + len(self.update))
        return Request(self.original, self.update, self.instruction, self.path, said, likely)

    def texts(self) -> Texts | None:
        """The files where there are several; raises RefusalError where two have one path, or one file comes, too."""
        if self.files is None:
            return None
        texts = {file.path.replace("\\", "/").removeprefix("./"): file.original for file in self.files}
        if self.original is not None or self.path:
            raise RefusalError(400, "files: leave out 'original' and 'path'", "invalid_value", "files")
        if len(texts) < len(self.files):
            raise RefusalError(400, "files: two of them have the same path", "invalid_value", "files")
        return Texts(texts)


@router.post("/v1/apply", responses=STREAMED, response_class=JSONResponse)
async def apply(body: ApplyBody, calling: Calling) -> Response:
    """What becomes of one edit or of an answer about several files; `status` says whether it may be written.

    With `stream` each hunk is an event as soon as it is told, and the whole result is the last event.
    """
    caller, texts = calling.of(body.user), body.texts()
    if texts is not None:
        check_update(caller, body.update, is_asked=False)
        record = await caller.run(lambda: _all(texts, body, caller))
        events = [event(hunk, "hunk") for file in record["files"] for hunk in file.pop("hunks")]
        return _streamed(events, record) if body.stream else JSONResponse(record)
    request, sampling = body.request(), Sampling(body.max_tokens)
    check_update(caller, body.update, bool(body.instruction.strip() or body.conversation))
    if body.stream:
        return EventStream(_events(request, await watched(caller, request, sampling)))
    return JSONResponse(_record(request, await decided(caller, request, sampling)))


def _record(request: Request, result: Result) -> dict[str, Any]:
    return result.record() | {"diff": unified(request.original, result.output, request.path)}


async def _events(request: Request, events: AsyncGenerator[dict[str, Any] | Result, None]) -> AsyncGenerator[str, None]:
    try:
        async for each in events:
            if isinstance(each, Result):
                yield event(_record(request, each), "result")
            else:
                yield event(each, "hunk")
    finally:
        await events.aclose()


def _streamed(events: list[str], record: dict[str, Any]) -> EventStream:
    async def all_events() -> AsyncGenerator[str, None]:
        for each in events:
            yield each
        yield event(record, "result")

    return EventStream(all_events())


def _all(texts: Texts, body: ApplyBody, caller: Caller) -> dict[str, Any]:
    """What the answer makes of all files; `status` is that of the first that is refused, if any."""
    order = Order(caller.service.editor, body.instruction, sampling=Sampling(body.max_tokens))
    changes = planned(texts, body.update, order)
    for change in changes:
        caller.service.meters.count_result(change.result)
    refused = next((change.result for change in changes if change.result.status not in WRITTEN), None)
    decisive = refused or next((c.result for c in changes if c.result.status == "applied"), changes[0].result)
    said = {"status": decisive.status, "message": decisive.message, "way_on": decisive.way_on}
    files, diff = [_file(change) for change in changes], "".join(change.diff() for change in changes)
    return {**said, "files": files, "diff": diff}


def _file(change: Change) -> dict[str, Any]:
    record = change.record(False)
    del record["written"]
    after = "" if change.operation == "delete" else change.result.output
    hunks = list(hunks_of(change.file.text, after, change.path))
    return record | {"diff": change.diff(), "hunks": hunks}
