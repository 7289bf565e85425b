"""In: a request, what the readers make of it, and a model. Out: the likeliest text that may be meant, if any."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from redraft.choosing import MOST, Proposed, decided, doubted, is_likely, listed, rated
from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Request
from redraft.engines import GREEDY, Ranker, Sampling, Warming
from redraft.errors import RedraftError
from redraft.regional import written
from redraft.result import Result
from redraft.rewrite import Rewriter


def in_doubt(model: Rewriter, request: Request, found: Result, sampling: Sampling) -> Result:
    """What a reader has written, where the model would write it, too, or cannot be asked; else the likeliest of what
    the model writes itself and of what the readers list."""
    if isinstance(model.engine, Warming):
        model.engine.keep_prefixes()
    refusal, read = found, list[Proposed]()
    if found.status in WRITTEN and found.output is not None:
        read = rated_texts(model, request, [found.output])
        if not read or is_likely(model.kind, request, read[0]):
            return found
        refusal = doubted(request, found)
    own, work = own_text(model, request, sampling)
    made = decided(model.kind, request, refusal, own)
    if made.status not in WRITTEN:
        made = decided(model.kind, request, refusal, [*own, *listed_texts(model, request, own, read)])
    return replace(made, **work)


def own_text(
    model: Rewriter, request: Request, sampling: Sampling = GREEDY
) -> tuple[Sequence[Proposed], dict[str, Any]]:
    """What the model writes itself, and what that took; nothing where it cannot, or may not be meant."""
    if not model.writes_regions:
        return (), {}
    try:
        own, work = written(model, request, sampling)
    except RedraftError:
        return (), {}
    return () if isinstance(own, Result) else (own,), work


def listed_texts(
    model: Rewriter, request: Request, own: Sequence[Proposed], read: Sequence[Proposed] = ()
) -> list[Proposed]:
    """What the readers list beside the model's own text; `read` has been looked at already."""
    texts = [text for text in listed(request)[:MOST] if text not in {each.text for each in own}]
    known = [each for each in read if each.text in texts]
    return [*known, *rated_texts(model, request, [text for text in texts if text not in {each.text for each in known}])]


def rated_texts(model: Rewriter, request: Request, texts: Sequence[str]) -> list[Proposed]:
    """The texts that may be meant; none where the engine cannot tell how likely they are."""
    try:
        return rated(model.engine, request, texts) if isinstance(model.engine, Ranker) else []
    except RedraftError:
        return []
