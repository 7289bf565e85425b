"""In: a prompt, and what a request asks of its answer. Out: the pieces of the answer as they come, and its usage."""

import time
import uuid
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.engines import Chunk, Engine, Sampling, Tokenizing
from redraft.errors import TooLongError
from redraft.next.statement import first_statement
from redraft.serve.caller import Caller
from redraft.serve.meters import Meters


@dataclass
class Usage:
    """What an answer took, summed over its chunks; `predicted` is how many tokens were expected."""

    predicted: int = 0
    prompt: int = 0
    written: int = 0
    accepted: int = 0

    def add(self, chunk: Chunk) -> None:
        self.prompt = chunk.prompt_tokens
        self.written += len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens
        self.accepted += sum(origin == "prediction" for origin in chunk.origins)

    def record(self) -> dict[str, Any]:
        """OpenAI's usage: accepted and rejected are the tokens of the prediction that the answer has, and has not."""
        return {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.written,
            "total_tokens": self.prompt + self.written,
            "completion_tokens_details": {
                "accepted_prediction_tokens": self.accepted,
                "rejected_prediction_tokens": max(0, self.predicted - self.accepted),
            },
        }


@dataclass(frozen=True)
class Piece:
    """Some more of an answer: its text, the log-probabilities of its tokens, and why it is the last one."""

    text: str
    logprobs: Sequence[dict[str, Any]] = ()
    finish: str | None = None


@dataclass
class Generation:
    """An answer that is being written: its `id`, when it began, and what it has taken so far."""

    kind: str
    model: str
    id: str = field(default_factory=lambda: f"{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))
    usage: Usage = field(default_factory=Usage)

    def head(self, kind: str) -> dict[str, Any]:
        return {"id": f"{self.kind}-{self.id}", "object": kind, "created": self.created, "model": self.model}

    async def pieces(
        self, caller: Caller, prompt: Prompt, sampling: Sampling, topic: str = "", behind: str | None = None
    ) -> AsyncGenerator[Piece, None]:
        """The answer of the engine; the first piece is there when this returns. Raises as `Caller.stream` does.

        With `behind` its first statement that does not repeat that text.
        """
        engine, meters = caller.service.engine, caller.service.meters

        def written() -> Iterator[Piece]:
            self.usage.predicted = _tokens(engine, prompt)
            chunks = _generated(engine, prompt, sampling)
            return self._written(engine, chunks if behind is None else first_statement(chunks, behind), meters)

        return await caller.stream(written, topic)

    def _written(self, engine: Engine, chunks: Iterator[Chunk], meters: Meters) -> Iterator[Piece]:
        for chunk in chunks:
            self.usage.add(chunk)
            meters.count_chunk(chunk)
            yield Piece(chunk.text, list(_logprobs(chunk, engine)), chunk.finish or None)


def _generated(engine: Engine, prompt: Prompt, sampling: Sampling) -> Iterator[Chunk]:
    """What is expected is cut by halves until it fits, since it changes the time alone."""
    while True:
        try:
            yield from engine.generate(prompt, sampling)
            return
        except TooLongError:  # before the first chunk
            if not prompt.sources:
                raise
            parts = prompt.sources[0].parts
            half = parts[: len(parts) // 2] if len(parts) > 1 else [Part(parts[0].text[: len(parts[0].text) // 2])]
            is_left = any(part.text for part in half)
            prompt = replace(prompt, sources=(Source(prompt.sources[0].origin, tuple(half)),) if is_left else ())


def _tokens(engine: Engine, prompt: Prompt) -> int:
    """How many tokens the prediction has; 0 where the engine knows none."""
    if not prompt.sources or prompt.sources[0].origin != "prediction" or not isinstance(engine, Tokenizing):
        return 0
    return len(engine.encode("".join(part.text for part in prompt.sources[0].parts)))


def _logprobs(chunk: Chunk, engine: Engine) -> Iterator[dict[str, Any]]:
    """Each token of a chunk as OpenAI's chat tells it."""
    for row in chunk.logprobs if isinstance(engine, Tokenizing) else ():
        (token, share), *others = ((engine.decode((id_,)), share) for id_, share in row)  # type: ignore[attr-defined]
        yield _token(token, share) | {"top_logprobs": [_token(*each) for each in others]}


def _token(token: str, share: float) -> dict[str, Any]:
    # What is in the middle of a character has no bytes that could be told from its text.
    return {"token": token, "logprob": share, "bytes": None if "\ufffd" in token else list(token.encode())}
