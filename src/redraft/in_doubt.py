"""In: a request, what the readers make of it, and a model. Out: the likeliest text that may be meant, if any."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from redraft.choosing import MOST, Proposed, decided, doubted, is_confirmed, listed, rated
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
    refusal = found
    if found.status in WRITTEN:
        if _is_kept(model, request, found):
            return found
        refusal = doubted(request, found)
    own, work = own_text(model, request, sampling)
    made = decided(model.kind, request, refusal, own)
    if made.status not in WRITTEN:
        made = decided(model.kind, request, refusal, [*own, *listed_texts(model, request, own)])
    return replace(made, **work)


def _is_kept(model: Rewriter, request: Request, found: Result) -> bool:
    try:
        return not isinstance(model.engine, Ranker) or is_confirmed(model.kind, model.engine, request, found)
    except RedraftError:
        return True


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


def listed_texts(model: Rewriter, request: Request, but: Sequence[Proposed]) -> list[Proposed]:
    """What the readers list beside other texts, where the engine can tell how likely they are."""
    if not isinstance(model.engine, Ranker):
        return []
    known = {each.text for each in but}
    try:
        return rated(model.engine, request, [text for text in listed(request)[:MOST] if text not in known])
    except RedraftError:
        return []
