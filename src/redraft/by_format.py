"""In: a request. Out: the `Result` of an answer in exact formats, or that gives the file back; None for a sketch."""

from dataclasses import replace
from functools import lru_cache

from redraft.edit.align.likeness import quoted
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Block
from redraft.edit.answer.parsed import parsed
from redraft.edit.exact.read import Exact, behind, read_exact
from redraft.edit.exact.whole import given_back
from redraft.edit.guard.check import unsound
from redraft.edit.guard.unheard import unheard
from redraft.edit.named.filled import filled
from redraft.edit.request import Request
from redraft.laws import broken_text
from redraft.result import Result

UNHEARD = "no code shows what the words say: {}; show the lines that change"
THERE = "the file has all that the answer shows already"
_COPIED = 0.98  # confidence in a copy of the file with its changes


@lru_cache(maxsize=8)
def exactly(request: Request) -> Result | None:
    """What an answer in exact formats makes of the file, by the rules of their owners, and one that gives the whole
    file back; None for a sketch."""
    if (whole := wholly(request)) is not None:
        return whole
    asked = (request.original, request.update, request.place)
    if (found := read_exact(*asked) or filled(*asked)) is None:
        return None
    if (result := lawful(request, found)).status == "applied":
        answer = parsed(*asked)
        answer = answer if answer.prose.strip() else Answer((Block.plain(result.output or ""),), behind(request.update))
        if order := unheard(answer, request.original, result.output or ""):
            return replace(result, status="needs_context", confidence=0.0, message=UNHEARD.format(quoted(order)))
    return result


def lawful(request: Request, found: Exact) -> Result:
    """What an exact format makes of the file, refused where the text breaks a law or a guard is against it."""
    if found.text is None:
        return Result("truncated" if found.is_cut else "needs_context", None, 0.0, "format", found.message)
    if law := broken_text(request.original, found.text, request.place, request.update):
        return Result("needs_context", found.text, 0.0, "format", law.message)
    if found.text == request.original:
        return Result("no_change", found.text, 1.0, "format", THERE)
    if verdict := unsound(request.original, found.text, request.place, request.update, is_exact=True):
        return Result(verdict.status, found.text, 0.0, "format", verdict.message, healed=found.healed)
    return Result("applied", found.text, 1.0, "format", "", healed=found.healed)


@lru_cache(maxsize=8)
def wholly(request: Request) -> Result | None:
    """What an answer makes of the file that is a copy of it, marks of formats included; None for another answer."""
    given = given_back(request.original, request.update)
    if given is None:
        return None
    if order := unheard(Answer((), given.said), request.original, given.text):
        return Result("needs_context", given.text, 0.0, "format", UNHEARD.format(quoted(order)))
    if given.text == request.original:
        return Result("no_change", given.text, 1.0, "format", THERE)
    if law := broken_text(request.original, given.text, request.place, request.update):
        return Result("needs_context", given.text, 0.0, "format", law.message)
    if verdict := unsound(request.original, given.text, request.place, request.update, is_exact=True):
        return Result(verdict.status, given.text, 0.0, "format", verdict.message)
    return Result("applied", given.text, _COPIED, "format", "")
