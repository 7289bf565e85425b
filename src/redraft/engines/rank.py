"""In: a prompt and texts that might follow it, as ids. Out: how likely a model finds each of them, in nats.

What the texts share at the beginning is read once, what they share at the end is not read but for a little of it.
"""

from collections.abc import Iterator, Sequence

from redraft.engines.abandon import before_forward
from redraft.engines.logits import nats
from redraft.engines.prefix import Begun, Prefixes
from redraft.engines.stretches import Ids, shared, stretches
from redraft.engines.verifier import Model, Session

_CHUNK = 256  # bounds the memory for logits


def log_probabilities(
    model: Model, prompt: Sequence[int], texts: Sequence[Sequence[int]], prefixes: Prefixes | None = None
) -> list[float]:
    """The log-probability of each text after the prompt, less that of the beginning which all of them share."""
    known = dict.fromkeys(map(tuple, texts))
    if len(known) < 2:
        return [0.0] * len(texts)
    count, cut = stretches(known)
    *before, last = [*prompt, *next(iter(known))[:count]]
    begun = Begun(model.session(), (), 0) if prefixes is None else prefixes.begin(before)
    session = begun.session
    for start in range(len(begun.ids), len(before), _CHUNK):
        before_forward()
        session.forward(before[start : start + _CHUNK], 1)
    found = dict(_walk(session, last, sorted(set(cut.values()))))
    if prefixes is not None:
        prefixes.end(begun, len(before))
    return [found[cut[tuple(ids)]] for ids in texts]


def _walk(session: Session, last: int, texts: Sequence[Ids]) -> Iterator[tuple[Ids, float]]:
    """Each text and its log-probability; `last` is the id before them, which the session has not been fed yet."""
    for first in dict.fromkeys(ids[:1] for ids in texts):
        group = [ids for ids in texts if ids[:1] == first]
        size = shared(group) if first else 0
        run = group[0][:size]
        loss, fed = _read(session, last, run)
        if len(group) == 1:
            yield group[0], -loss
        else:
            inner = _walk(session, run[-1], [ids[size:] for ids in group])
            yield from ((run + rest, value - loss) for rest, value in inner)
        session.crop(fed)


def _read(session: Session, last: int, run: Ids) -> tuple[float, int]:
    """Feeds all that comes before each id of the run; the loss on the run, and how many ids were fed."""
    fed, loss = [last, *run[:-1]] if run else [], 0.0
    for start in range(0, len(fed), _CHUNK):
        ids = fed[start : start + _CHUNK]
        before_forward()
        loss += nats(session.forward(ids, len(ids)), run[start : start + _CHUNK])
    return loss, len(fed)
