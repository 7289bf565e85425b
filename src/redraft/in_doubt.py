"""In: a request, what the readers make of it, and a model. Out: what the model makes of it, else what they do."""

from contextlib import suppress

from redraft.choosing import chosen, confirmed
from redraft.edit.guard.check import WRITTEN
from redraft.edit.request import Request
from redraft.engines import Ranker, Sampling
from redraft.errors import RedraftError
from redraft.reading import read_request
from redraft.regional import by_regions
from redraft.result import Result
from redraft.rewrite import Rewriter


def in_doubt(model: Rewriter, request: Request, found: Result, sampling: Sampling) -> Result:
    """What the model would rather write of all that the readers list, else what it writes itself.

    What a reader has written is written or refused, never written otherwise.
    """
    is_refused = found.status not in WRITTEN
    if isinstance(model.engine, Ranker):
        with suppress(RedraftError):
            found = (chosen if is_refused else confirmed)(model.engine, request, found)
    if is_refused and found.status not in WRITTEN and model.writes_regions:
        with suppress(RedraftError):
            written = by_regions(model, request, read_request(request), sampling)
            found = written if written.status in WRITTEN else found
    return found
