"""In: prompts, as ids. Out: sessions that have read the beginning of a prompt already, kept from earlier prompts.

A prompt is read in blocks that begin at multiples of `BLOCK`, whether they are kept or not: what the model says after
it does not depend on what was kept, to the last bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.engines.abandon import before_forward
from redraft.engines.verifier import Model, Session

BLOCK = 256
_MOST_TOKENS, _MOST_SESSIONS = 12_288, 4  # kept; what they take is memory of the model's device


@dataclass(frozen=True)
class Begun:
    """A session that has read these ids, whole blocks of them; `known` counts those that were kept."""

    session: Session
    ids: tuple[int, ...]
    known: int


class Prefixes:
    """Sessions of one model; those that were used last are kept."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._kept: list[Begun] = []

    def begin(self, prompt_ids: Sequence[int]) -> Begun:
        """A session that has read the prompt's whole blocks, but never its last id; it is no longer kept here."""
        wanted = tuple(prompt_ids[: (len(prompt_ids) - 1) // BLOCK * BLOCK])
        session, known = self._taken(wanted)
        read = known
        try:
            for start in range(known, len(wanted), BLOCK):
                before_forward()
                session.forward(wanted[start : start + BLOCK], 1)
                read = start + BLOCK
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


def _shared(known: Sequence[int], wanted: Sequence[int]) -> int:
    """How many ids of whole blocks both begin with."""
    starts = range(0, min(len(known), len(wanted)), BLOCK)
    return next((at for at in starts if known[at : at + BLOCK] != wanted[at : at + BLOCK]), len(starts) * BLOCK)
