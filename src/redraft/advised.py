"""In: a request and what came of it. Out: the same, refused where the answer is no edit of this file, or cut off."""

from dataclasses import replace

from redraft.edit.named.advice import instead
from redraft.edit.named.patches import CUT_OFF, is_cut_off
from redraft.edit.request import Request
from redraft.result import Result


def advised(request: Request, result: Result) -> Result:
    """An answer that is something else is called that, whatever could be made of it.

    Where somebody asks in words, too, or the answer is in a format of its own, only one about other files is.
    """
    if result.status == "error":
        return result
    if is_cut_off(request.update.split("\n")):
        return replace(result, status="truncated", confidence=0.0, message=CUT_OFF)
    is_edit = bool(request.instruction) or result.status == "applied" or result.decided_by == "format"
    advice = instead(request.update, request.path, is_edit, request.original)
    return replace(result, status="needs_context", confidence=0.0, message=advice) if advice else result
