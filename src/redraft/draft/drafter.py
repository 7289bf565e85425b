"""In: the sources that the output is likely to repeat, best first, and the output. Out: the ids that come next."""

from collections.abc import Sequence

from redraft.draft import Origin
from redraft.draft.follow import Follower, Place
from redraft.draft.text import TAIL, Text


class EditDrafter:
    """Follows the best source; where the output leaves it, goes on where the output does, in any source or the output.

    What it remembers between calls is what it read: another output than a longer one makes it read from the start.
    """

    def __init__(self, sources: Sequence[tuple[Origin, Sequence[int]]]) -> None:
        self._sources = [Text(origin, ids) for origin, ids in sources]
        self._restart()

    def _restart(self) -> None:
        self._follower = Follower(self._sources)
        self._read: list[int] = []
        self._origins: list[Origin] = []

    def draft(self, output: Sequence[int], limit: int) -> list[int]:
        self._catch_up(output)
        ids: list[int] = []
        self._origins = []
        place = self._follower.place
        while len(ids) < limit and place.position < len(self._follower.texts[place.text].ids):
            place = self._take(place, ids, limit)
        return ids

    def origins(self) -> Sequence[Origin]:
        return self._origins

    def _catch_up(self, output: Sequence[int]) -> None:
        known = output[: len(self._read)]
        if self._read != (known if isinstance(known, list) else list(known)):
            self._restart()
        for token in output[len(self._read) :]:
            self._read.append(token)
            self._follower.read(self._read, len(self._read))

    def _take(self, place: Place, ids: list[int], limit: int) -> Place:
        """Add to the draft from `place`: what is left of the best text, or one id of another, which may lead back."""
        text = self._follower.texts[place.text]
        count = 1 if place.text else limit - len(ids)
        taken = text.ids[place.position : place.position + count]
        ids += taken
        self._origins += [text.origin] * len(taken)
        place = Place(place.text, place.position + len(taken), place.score)
        tail = (self._read[-TAIL:] + ids[-TAIL:])[-TAIL:]
        return self._follower.rejoin(place, tail, len(self._read) + len(ids))
