"""In: a request that the readers do not settle, and a model that writes regions. Out: what it writes, and its cost.

The model writes what it is shown of the file anew, and the text has to keep the laws of what a model cannot judge.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log1p
from typing import Any

from redraft.advised import advised
from redraft.choosing import Proposed, decided, proposed
from redraft.edit.align.likeness import quoted
from redraft.edit.guard.check import ran_away
from redraft.edit.guard.runaway import Runaway
from redraft.edit.guard.unheard import unheard
from redraft.edit.merge.reading import Reading
from redraft.edit.prompts.regional import RegionTemplate
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.window import GapError, window
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.runaway import stopped
from redraft.reading import read_request
from redraft.result import Result
from redraft.rewrite import Rewriter, counts, finish, unhurried

REGIONS = RegionTemplate.name
_SPARE = 64
_DEAR = 1e6  # nats, where an engine tells no margins: trusted by no sign
_UNSURE = "the model is not sure what the answer changes: show more lines around it"


def by_regions(model: Rewriter, request: Request, sampling: Sampling = GREEDY) -> Result:
    """What the model alone makes of it.

    Raises RedraftError where the answer tells no place, or more than fits into the model.
    """
    own, work = written(model, request, sampling)
    made = own if isinstance(own, Result) else decided(model.kind, request, _unsure(request, own), [own])
    found = replace(made, **work)
    return found if found.output is None else advised(request, found)


def _unsure(request: Request, own: Proposed) -> Result:
    """The refusal of what the model wrote: what speaks against it, what words bid beside it, or that it is not sure."""
    if own.objection is not None:
        return Result(own.objection.status, own.text, 0.0, "model", own.objection.message)
    order = unheard(read_request(request).answer, request.original, own.text)
    message = f"the model did not do what the words say: {quoted(order)}" if order else _UNSURE
    return Result("needs_context", own.text, 0.0, "model", message)


def written(model: Rewriter, request: Request, sampling: Sampling = GREEDY) -> tuple[Proposed | Result, dict[str, Any]]:
    """The text that the model writes, a refusal where it may not be meant, and what it took, as `Result` names that.

    Raises RedraftError where the answer tells no place, or more than fits into the model.
    """
    chunks = _chunks(model, request, read_request(request), sampling)
    return _own(model, request, chunks), counts(chunks)


def _own(model: Rewriter, request: Request, chunks: Sequence[Chunk]) -> Proposed | Result:
    end = finish(chunks)
    if end == "runaway":
        return Result("runaway", None, 0.0, "model", ran_away("".join(chunk.text for chunk in chunks)))
    try:
        output = model.file(request, window(request.original, (), 0), chunks)
    except GapError as error:
        return Result("needs_context", None, 0.0, "model", str(error))
    if output == request.original:  # what a model writes, too, that does not understand
        return Result("needs_context", output, 0.0, "model", _UNSURE)
    nats = cost([margin for chunk in chunks for margin in chunk.margins])
    return proposed(request, output, nats, own=True, finish=end)


def cost(margins: Sequence[float]) -> float:
    """Nats that a text costs a model between each of whose tokens and the next likeliest there are so many nats, if no
    other tokens were likely; `_DEAR` where nobody knows."""
    return sum(log1p(exp(-margin)) for margin in margins) if margins else _DEAR


def _chunks(model: Rewriter, request: Request, reading: Reading, sampling: Sampling) -> list[Chunk]:
    """What the model writes, drafted from the likeliest candidate."""
    likeliest = next((candidate.text for candidate in reading.candidates), None)
    prompt = model.template.prompt(request, likeliest if request.prediction is None else request.prediction)
    most = sampling.max_tokens or _most(request)
    how = replace(sampling, speculate=model.speculate and sampling.speculate, max_tokens=most)
    watch = Runaway("", (request.original, request.update))
    return list(unhurried(stopped(model.engine.generate(prompt, how), watch, model.progress)))


def _most(request: Request) -> int:
    """Tokens that no right output needs: all that is shown of the file and the whole answer, at two signs a token."""
    shown_signs = sum(len(line) + 1 for lines in shown(request).texts for line in lines)
    return _SPARE + (shown_signs + len(request.update)) // 2
