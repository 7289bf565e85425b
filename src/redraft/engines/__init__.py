"""In: a `Prompt` and how to sample. Out: `Chunk`s, one per forward; the types that every engine shares."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from redraft.draft import Logprobs
from redraft.edit.prompts.prompt import Origin, Part, Prompt
from redraft.errors import RedraftError

Finish = Literal["", "stop", "length", "runaway"]


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen.

    `exact` selects speculative sampling; without it a draft is verified greedily and only what follows is sampled.
    `logprobs` asks for the log-probability of each token, and of that many of the likeliest at its place. `ends` are
    special tokens that end the output, too, where the model has them.
    """

    max_tokens: int | None = None
    temperature: float = 0.0
    seed: int | None = None
    exact: bool = False
    speculate: bool = True
    logprobs: int | None = None
    ends: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < math.inf:
            raise RedraftError(f"the temperature is {self.temperature}, and has to be 0 or more")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise RedraftError(f"max_tokens is {self.max_tokens}, and has to be 1 or more")


GREEDY = Sampling()


@dataclass(frozen=True)
class Chunk:
    """What one forward added: new text, its ids, and for each id who drafted it and the model's top-1 to top-2 margin.

    `runs` is the text in pieces, each from ids of one origin. `drafted`, `accepted` and `forwards` count this chunk
    alone; `finish` is empty until the last chunk. `completion_tokens` counts what was written where ids are not known.
    `logprobs` has for each id what `Sampling.logprobs` asked for: the pair of the id itself, then the likeliest ones.
    """

    runs: tuple[tuple[Origin, str], ...]
    ids: tuple[int, ...]
    origins: tuple[Origin, ...]
    margins: tuple[float, ...]
    drafted: int
    accepted: int
    forwards: int
    finish: Finish
    prompt_tokens: int
    completion_tokens: int | None = None
    logprobs: tuple[Logprobs, ...] = ()

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.runs)


class Engine(Protocol):
    """A model that continues a prompt; `template` names the prompt template it was made for."""

    @property
    def template(self) -> str: ...

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]: ...


@runtime_checkable
class Ranker(Protocol):
    """An engine that says how likely each of a few texts is as what follows a prompt.

    The values are natural logarithms that compare with each other alone: what all texts share may be left out.
    """

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]: ...


@runtime_checkable
class Tokenizing(Protocol):
    """An engine that says how it spells texts; raises RedraftError where it has no lasting ids."""

    def encode(self, text: str) -> list[int]: ...

    def decode(self, ids: Sequence[int]) -> str: ...

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        """What ids of a caller stand for, special tokens included; raises RedraftError for an unknown one."""
        ...


@runtime_checkable
class Marking(Protocol):
    """An engine that knows the special tokens of its model, and heeds `Sampling.ends`."""

    def has_token(self, text: str) -> bool: ...


@runtime_checkable
class Warming(Protocol):
    """An engine that keeps what it has read of prompts for those that begin alike."""

    def keep_prefixes(self) -> None: ...

    def warm(self, prompt: Prompt) -> tuple[int, int]: ...
