"""In: a file, the place of the cursor, and what was changed last. Out: the next edit: where, and what."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import JSONResponse, Response

from redraft.changes.change import unified
from redraft.engines import Sampling
from redraft.next.history import changes_of
from redraft.next.predict import Situation, predict
from redraft.next.sweep import Change
from redraft.serve.bodies import Body, Strict
from redraft.serve.caller import Calling
from redraft.serve.refusals import ANSWERS

router = APIRouter()


class ChangeBody(Strict):
    """Lines of a file before and after one change."""

    path: str = ""
    before: str
    after: str


class NextBody(Body):
    """The file as it is now, the cursor, counted from 1, and the last changes: a unified diff, or a list.

    Without changes the lines around the cursor are mended. Nothing is written anywhere.
    """

    text: str
    line: Annotated[int, Field(ge=1)]
    column: Annotated[int, Field(ge=1)] = 1
    path: str = "file"
    history: str | list[ChangeBody] = ""
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    model: str = ""
    user: str | None = None

    def situation(self) -> Situation:
        """Raises RedraftError for a place that the file has not, or a history that is no diff."""
        if isinstance(self.history, str):
            changes = changes_of(self.history)
        else:
            changes = tuple(Change(each.path or self.path, each.before, each.after) for each in self.history)
        return Situation(self.text, self.line, self.column, self.path, changes)


@router.post("/v1/next", responses=ANSWERS, response_class=JSONResponse)
async def next_edit(body: NextBody, calling: Calling) -> Response:
    """The next edit, and the cursor's next place. The next request about the same file takes the place of this one."""
    caller, now = calling.of(body.user), body.situation()
    engine = caller.service.engine
    found = await caller.stream(lambda: [predict(engine, now, Sampling(body.max_tokens))], f"next {body.path}")
    (edit,) = await caller.all(found)
    return JSONResponse(edit.record() | {"diff": unified(now.text, edit.output, now.path)})
