"""In: a model's forward pass over a cache. Out: the verifier of the loop: targets for the ids that it is fed."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from redraft.draft import Logprobs
from redraft.draft.loop import Targets
from redraft.engines.abandon import before_forward
from redraft.engines.choice import Choice, Likeliest
from redraft.engines.logits import Logits

# Bounds the memory for logits and masks; longer chunks gain nothing on the devices measured.
_CHUNK = 1024


class Session(Protocol):
    """One model with one growing cache."""

    def forward(self, ids: Sequence[int], keep: int) -> Logits:
        """Feed ids after what is cached; the logits (keep, vocabulary) after the last `keep` of them."""
        ...

    def crop(self, n: int) -> None:
        """Forget the last `n` ids."""
        ...


@runtime_checkable
class GreedySession(Protocol):
    """One that finds the likeliest ids without writing logits: they are large."""

    def likeliest(self, ids: Sequence[int], keep: int) -> tuple[list[int], list[float]]:
        """The ids that `Likeliest` chooses of the logits of `forward`, and their margins."""
        ...


class Model(Protocol):
    """A loaded model; `context` is the number of tokens that it holds, None where nothing says."""

    @property
    def context(self) -> int | None: ...

    @property
    def end_ids(self) -> frozenset[int]: ...

    def session(self) -> Session: ...


class ModelVerifier:
    """Feeds a session that has read so many ids of the prompt; logits are never computed inside the prompt."""

    def __init__(self, session: Session, choice: Choice, prompt_tokens: int, read: int = 0) -> None:
        self._session = session
        self._choice, self._is_greedy = choice, isinstance(choice, Likeliest)
        self._prompt_tokens = prompt_tokens
        self._read = read
        self._fed = read

    @property
    def fed(self) -> int:
        """How many ids the session holds."""
        return self._fed

    def step(self, ids: Sequence[int]) -> Targets:
        ids, self._read = ids[self._read :], 0
        targets: list[int] = []
        margins: list[float] = []
        logprobs: list[Logprobs] = []
        for start in range(0, len(ids), _CHUNK):
            chosen = self._feed(ids[start : start + _CHUNK])
            targets += chosen.ids
            margins += chosen.margins
            logprobs += chosen.logprobs
        return Targets(targets, margins, logprobs)

    def _feed(self, ids: Sequence[int]) -> Targets:
        before_forward()
        self._fed += len(ids)
        wanted = min(len(ids), self._fed - self._prompt_tokens + 1)
        if self._is_greedy and isinstance(self._session, GreedySession):
            found = self._session.likeliest(ids, max(wanted, 1))
            return Targets(*found) if wanted >= 1 else Targets((), ())
        logits = self._session.forward(ids, max(wanted, 1))
        if wanted < 1:
            return Targets((), ())
        return self._choice.choose(logits, self._fed - self._prompt_tokens + 1 - wanted)

    def rollback(self, n: int) -> None:
        self._fed -= n
        if n:
            self._session.crop(n)
