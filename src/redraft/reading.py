"""In: a request. Out: its candidates that may be written, and the `Result` of the deterministic reader alone."""

from functools import lru_cache

from redraft.edit.align.likeness import quoted
from redraft.edit.decide import SURE, Decision, by_reading, doubt
from redraft.edit.guard.check import WRITTEN, check_merged
from redraft.edit.guard.unheard import unheard
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Reading
from redraft.edit.request import Request
from redraft.errors import RedraftError
from redraft.result import Reader, Result

_CLEAR = 1.5  # a margin of costs that no ranking overcomes; infinite where there is one candidate, or none


def read_request(request: Request) -> Reading:
    return read(request.original, request.update, request.place, request.instruction)


# A server asks first whether an edit needs its model, then for the edit.
@lru_cache(maxsize=8)
def weighed(request: Request) -> tuple[Reading, Decision]:
    """The candidates that may be written, and what the reader makes of them."""
    reading = _passing(request, read_request(request))
    return reading, by_reading(request.original, reading, request.instruction)


def is_clear(request: Request) -> bool:
    """Whether no ranking would change what the reader decides."""
    reading, decision = weighed(request)
    return decision.is_sure or reading.margin >= _CLEAR


def is_open(request: Request) -> bool:
    """Whether a model that reads answers itself should: there are candidates, and the first is not quite sure."""
    reading, decision = weighed(request)
    result = merged(request)
    is_written = result.status in WRITTEN and decision.confidence >= SURE
    return bool(reading.candidates) and not is_written and result.status != "truncated"


def is_settled(found: Result) -> bool:
    """Whether no model is asked to read again: the reader writes the file, or the answer is cut off."""
    return found.status in (*WRITTEN, "truncated")


def merged(request: Request) -> Result:
    """What the reader writes or refuses; raises RedraftError without an update."""
    if not request.update.strip():
        raise RedraftError("the update is empty: without a model there is nothing to apply")
    return guarded(request, *weighed(request), "merge")


def guarded(request: Request, reading: Reading, decision: Decision, by: Reader) -> Result:
    """The text of a decision where it is sure enough and no guard is against it."""
    text, status, message, confidence = decision.text, "needs_context", decision.message, 0.0
    if text is not None:
        verdict = check_merged(request.original, reading.answer, text, request.place)
        status, message, confidence = verdict.status, verdict.message, decision.confidence
        if status in WRITTEN and not decision.is_sure:
            status, message = "needs_context", doubt(reading)
        if status in WRITTEN and (order := unheard(reading.answer, request.original, text)):
            status, message = "needs_context", f"no code shows what the words say: {quoted(order)}"
    sure = confidence if status in WRITTEN else 0.0
    return Result(status, text, sure, by, message, weighed=decision.weighed, seen=decision.seen)  # type: ignore[arg-type]


def _passing(request: Request, reading: Reading) -> Reading:
    """The candidates that no guard is against; all of them where there is none such."""
    original, answer, path = request.original, reading.answer, request.place
    checked = ((each, check_merged(original, answer, each.text, path)) for each in reading.candidates)
    kept = tuple(each for each, verdict in checked if verdict.status in WRITTEN)
    return Reading(reading.answer, kept, reading.reason) if kept else reading
