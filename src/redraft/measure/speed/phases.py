"""In: an engine at work on one answer. Out: the seconds that each phase of it took."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from redraft.engines import Chunk


@dataclass(frozen=True)
class Phases:
    """Seconds of one answer.

    `prompt` is the first forward by the share of its ids that are the prompt's, `verify` all other time in forwards,
    choosing targets and forgetting what was rejected included, `draft` what lies between forwards, and `rest` the rest
    of the request: reading the update, prompts, guards.
    """

    tokenize: float
    prompt: float
    verify: float
    draft: float
    detokenize: float
    rest: float


@runtime_checkable
class HasTokens(Protocol):
    """An engine of ours, whose tokenizer can be listened to."""

    tokens: Any


class TimedTokens:
    """A tokenizer that adds up the seconds of its calls."""

    def __init__(self, tokens: Any) -> None:
        self._tokens = tokens
        self.encoding = self.decoding = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tokens, name)

    def open(self, *given: Any) -> Any:
        return self._encoded(self._tokens.open, *given)

    def encode(self, *given: Any) -> Any:
        return self._encoded(self._tokens.encode, *given)

    def _encoded(self, call: Callable[..., Any], *given: Any) -> Any:
        started = time.perf_counter()
        found = call(*given)
        self.encoding += time.perf_counter() - started
        return found

    def decode(self, ids: Sequence[int]) -> Any:
        started = time.perf_counter()
        found = self._tokens.decode(ids)
        self.decoding += time.perf_counter() - started
        return found


class Stopwatch:
    """Listens to one answer; `forward` is to be called before each forward."""

    def __init__(self, tokens: TimedTokens) -> None:
        self._tokens = tokens
        self._encoded, self._decoded = tokens.encoding, tokens.decoding
        self._began: float | None = None
        self._prompt = self._verify = self._draft = 0.0

    def _now(self) -> float:
        """A clock that stands still in the tokenizer."""
        return time.perf_counter() - self._tokens.encoding - self._tokens.decoding

    def forward(self) -> None:
        """A long input is fed by several forwards: the first one begins the phase."""
        if self._began is None:
            self._began = self._now()

    def listened(self, make: Callable[[], Iterator[Chunk]]) -> Iterator[Chunk]:
        """The chunks as the engine makes them."""
        resumed, is_first = self._now(), True
        chunks = make()
        while True:
            self._began = None
            chunk = next(chunks, None)
            if chunk is None:
                return
            if self._began is not None:
                self._draft += self._began - resumed
                self._add(self._now() - self._began, chunk, is_first)
            is_first = False
            yield chunk
            resumed = self._now()

    def _add(self, seconds: float, chunk: Chunk, is_first: bool) -> None:
        share = chunk.prompt_tokens / (chunk.prompt_tokens + chunk.drafted) if is_first else 0.0
        self._prompt += share * seconds
        self._verify += (1 - share) * seconds

    def phases(self, seconds: float) -> Phases:
        """Of an answer that took so long in all."""
        encoded, decoded = self._tokens.encoding - self._encoded, self._tokens.decoding - self._decoded
        known = encoded + self._prompt + self._verify + self._draft + decoded
        return Phases(encoded, self._prompt, self._verify, self._draft, decoded, max(0.0, seconds - known))
