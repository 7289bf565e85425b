"""In: sequences of ids, one id at a time. Out: how much of the end of a running sequence occurs in them."""

from collections.abc import Iterable


class SuffixAutomaton:
    """The substrings of several sequences (Blumer et al. 1985, online); `longest` is what occurs of the running end.

    As in SAM decoding (arXiv 2411.10666), but sources and output share one automaton: a copied output finds its states
    already there and adds none.
    """

    def __init__(self, sources: Iterable[Iterable[int]] = ()) -> None:
        self._next: list[dict[int, int]] = [{}]
        self._link = [-1]
        self._length = [0]
        self._last = 0
        for source in sources:
            self._last = 0
            for token in source:
                self._append(token)
        self._last = 0
        self._state = 0
        self.longest = 0

    def extend(self, token: int) -> None:
        """Add an id to the running sequence: `longest` ids at its end occur in a source, or earlier in it."""
        self._match(token)
        self._append(token)
        # The state that held the match may have been split by its shorter strings.
        if self.longest <= self._length[self._link[self._state]]:
            self._state = max(self._link[self._state], 0)

    def _match(self, token: int) -> None:
        state = self._state
        while state > 0 and token not in self._next[state]:
            state = self._link[state]
            self.longest = self._length[state]
        self._state = self._next[state].get(token, 0)
        self.longest = self.longest + 1 if self._state else 0

    def _append(self, token: int) -> None:
        following, link = self._next, self._link
        last = self._last
        if token in following[last]:
            self._last = self._exact(last, token)
            return
        new = len(link)
        following.append({})
        link.append(0)
        self._length.append(self._length[last] + 1)
        while last >= 0 and token not in following[last]:
            following[last][token] = new
            last = link[last]
        if last >= 0:
            link[new] = self._exact(last, token)
        self._last = new

    def _exact(self, state: int, token: int) -> int:
        """The state of `state`'s longest string and `token`, split off where longer strings share it."""
        following, link = self._next, self._link
        target = following[state][token]
        if self._length[target] == self._length[state] + 1:
            return target
        clone = len(link)
        following.append(following[target].copy())
        link.append(link[target])
        self._length.append(self._length[state] + 1)
        link[target] = clone
        while state >= 0 and following[state].get(token) == target:
            following[state][token] = clone
            state = link[state]
        return clone
