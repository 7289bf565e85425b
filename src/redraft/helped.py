"""In: a request and what came of it. Out: the same, with the lines that vanish, and what to ask the chat model for."""

from dataclasses import replace

from redraft.edit.asking import asking
from redraft.edit.guard.check import WRITTEN
from redraft.edit.guard.vanished import vanished
from redraft.edit.request import Request
from redraft.edit.text.changes import counted
from redraft.result import Result


def helped(request: Request, result: Result) -> Result:
    """What a person or a program needs beside the status; a refused edit has its likeliest text, if there is any."""
    if result.status == "error":
        return result
    output = result.output
    if output is None and result.weighed:
        output = result.weighed[0].candidate.text
    added, removed = (0, 0) if output is None else counted(request.original, output)
    gone = () if output is None else vanished(request.original, request.update, output)
    ask = "" if result.status in WRITTEN else asking(request, result.message, output)
    return replace(result, output=output, added=added, removed=removed, vanished=gone, ask_again=ask)
