"""In: a file whose edit is still being written. Out: nothing yet; what will be read of the file is read now."""

from fastapi import APIRouter
from pydantic import BaseModel

from redraft.edit.merge.read import read
from redraft.edit.request import Request
from redraft.serve.bodies import Body
from redraft.serve.caller import Caller, Calling
from redraft.serve.refusals import ANSWERS

router = APIRouter()


class WarmBody(Body):
    """`instruction` and what there is of the `update` help to guess what the model will be shown."""

    original: str
    path: str = ""
    instruction: str = ""
    update: str = ""
    model: str = ""
    user: str | None = None


class Warmed(BaseModel):
    """How many tokens of the prompt to come are known to the model now, and how many of these were before."""

    tokens: int
    known: int


@router.post("/v1/warm", responses=ANSWERS)
async def warm(body: WarmBody, calling: Calling) -> Warmed:
    """Reads a file ahead of its edit: a `/v1/apply` about it that needs the model is answered sooner."""
    caller = calling.of(body.user)
    request = Request(body.original, body.update, body.instruction, body.path)
    tokens, known = await caller.run(lambda: _warmed(caller, request))
    return Warmed(tokens=tokens, known=known)


def _warmed(caller: Caller, request: Request) -> tuple[int, int]:
    model = caller.service.model
    read(request.original, request.update, request.place)  # keeps the outline of the file
    return (0, 0) if model is None else model.warm(request)
