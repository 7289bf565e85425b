"""In: the ids of one source, or of the output so far. Out: where a run stands in it, and how telling that is."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from redraft.draft import Origin

# Ids of the end of the output that are compared: longer agreement decides nothing more.
TAIL = 24
# Occurrences of one id that are looked at on either side of where the output is expected to go on.
_BEFORE, _AFTER = 8, 16


class Text:
    """One sequence of ids; the index of its ids is built when first asked for."""

    def __init__(self, origin: Origin, ids: Iterable[int]) -> None:
        self.origin = origin
        self.ids = list(ids)

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        places: dict[int, list[int]] = {}
        for place, token in enumerate(self.ids):
            places.setdefault(token, []).append(place)
        return places

    def append(self, token: int) -> None:
        self._places.setdefault(token, []).append(len(self.ids))
        self.ids.append(token)

    def ends(self, run: Sequence[int], place: int) -> Iterator[int]:
        """The ends of occurrences of `run`: those of its rarest id that stand nearest to `place` are looked at."""
        index, places = min(((i, self._places.get(token, [])) for i, token in enumerate(run)), key=lambda p: len(p[1]))
        middle = bisect_left(places, place)
        for found in places[max(middle - _BEFORE, 0) : middle + _AFTER]:
            start = found - index
            if start >= 0 and self.ids[start : start + len(run)] == run:
                yield start + len(run)

    def evidence(self, tail: Sequence[int], end: int) -> float:
        """Bits that speak for `end` as the place where `tail` ends: the surprise of the ids that agree before it."""
        bits = 0.0
        for back in range(1, min(len(tail), end, TAIL) + 1):
            if tail[-back] != self.ids[end - back]:
                break
            bits += math.log2(len(self.ids) / len(self._places[tail[-back]]))
        return bits
