"""In: prompts, as ids. Out: sessions that have read the beginning of a prompt already, kept from earlier prompts.

A prompt is read in blocks whose sizes depend on its length alone, whether they are kept or not: what the model says
after it does not depend on what was kept, to the last bit. The blocks at its end are smaller, so that little is read
again where the next prompt differs there.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from redraft.engines.abandon import before_forward
from redraft.engines.verifier import Model, Session

BLOCK, LEAST = 256, 32  # a block of fewer takes nearly as long
_SIZES = (BLOCK, 128, 64, LEAST)
_MOST_TOKENS, _MOST_SESSIONS = 12_288, 4  # kept; what they take is memory of the model's device


@dataclass(frozen=True)
class Begun:
    """A session that has read these ids, in blocks; `known` counts those that were kept."""

    session: Session
    ids: tuple[int, ...]
    known: int


class Prefixes:
    """Sessions of one model; those that were used last are kept."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._kept: list[Begun] = []

    def begin(self, prompt_ids: Sequence[int]) -> Begun:
        """A session that has read the prompt's blocks, but never its last id; it is no longer kept here."""
        ends = _ends(len(prompt_ids) - 1)
        wanted = tuple(prompt_ids[: ends[-1] if ends else 0])
        session, known = self._taken(wanted)
        read = known
        try:
            for end in ends[bisect(ends, known) :]:
                before_forward()
                session.forward(wanted[read:end], 1)
                read = end
        except BaseException:
            self._keep(Begun(session, wanted[:read], known))
            raise
        return Begun(session, wanted, known)

    def end(self, begun: Begun, fed: int) -> None:
        """Keeps a session that was fed `fed` ids in all."""
        begun.session.crop(fed - len(begun.ids))
        self._keep(begun)

    def _keep(self, begun: Begun) -> None:
        if begun.ids:
            self._kept.append(begun)
        while len(self._kept) > _MOST_SESSIONS or sum(len(each.ids) for each in self._kept) > _MOST_TOKENS:
            del self._kept[0]

    def _taken(self, wanted: Sequence[int]) -> tuple[Session, int]:
        """The session that knows most of the beginning, unless most of what it knows is something else."""
        shared = [_shared(each.ids, wanted) for each in self._kept]
        best = max(range(len(shared)), key=shared.__getitem__, default=None)
        if best is None or shared[best] == 0 or 2 * shared[best] < len(self._kept[best].ids):
            return self._model.session(), 0
        taken = self._kept.pop(best)
        taken.session.crop(len(taken.ids) - shared[best])
        return taken.session, shared[best]


def _ends(count: int) -> list[int]:
    """Where the blocks end of what has `count` ids; what is left at its end is in no block."""
    ends = list[int]()
    for size in _SIZES:
        ends += range((ends[-1] if ends else 0) + size, count + 1, size)
    return ends


def _shared(known: Sequence[int], wanted: Sequence[int]) -> int:
    """How many ids of the same blocks both begin with."""
    shared = 0
    for end, other in zip(_ends(len(known)), _ends(len(wanted)), strict=False):
        if end != other or known[shared:end] != wanted[shared:end]:
            break
        shared = end
    return shared
