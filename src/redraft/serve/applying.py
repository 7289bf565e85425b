"""In: a file and a sketch of its new version. Out: the new file and its diff, or why there is none."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from redraft.changes.change import unified
from redraft.edit.request import Request
from redraft.serve.caller import Calling

router = APIRouter()


class Edit(BaseModel):
    """One edit: `update` is the sketch, a chat answer or a diff; `instruction` what was asked for."""

    model_config = ConfigDict(extra="forbid")

    original: str
    update: str = ""
    instruction: str = ""
    path: str = ""

    def request(self) -> Request:
        return Request(self.original, self.update, self.instruction, self.path)


@router.post("/v1/apply")
async def apply(edit: Edit, caller: Calling) -> dict[str, Any]:
    """The fields of a batch line and a unified diff; nothing is written anywhere."""
    result = await caller.run(lambda: caller.service.editor.answer(edit.request()))
    caller.service.meters.count_result(result)
    return result.record() | {"diff": unified(edit.original, result.output, edit.path)}
