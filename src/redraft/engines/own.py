"""In: a model of a folder with its tokenizer, then prompts. Out: chunks, by the same loop whatever library computes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Cost, Fastest, Policy
from redraft.draft.loop import speculate
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.edit.request import Message
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.choice import Likeliest, choice_of
from redraft.engines.chunks import chunks
from redraft.engines.loss import nats
from redraft.engines.prefix import Begun, Prefixes
from redraft.engines.rank import log_probabilities
from redraft.engines.reading import Decoder, TokenReader
from redraft.engines.room import room
from redraft.engines.verifier import Model, ModelVerifier


class Tokens(Decoder, Protocol):
    """The tokenizer of a model, whatever library reads it; `engines/tokens.py` says what each of its methods does."""

    def special(self, text: str) -> int | None: ...

    def known(self, texts: Iterable[str]) -> set[int]: ...

    def encode(self, parts: Iterable[Part]) -> list[int]: ...

    def open(self, parts: Sequence[Part], messages: Sequence[Message]) -> list[int]: ...

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]: ...


class OwnEngine:
    """A model in this process; `cost` is what one more id in a forward takes."""

    def __init__(self, model: Model, tokens: Tokens, template: str, cost: Cost) -> None:
        self.model, self.tokens, self.template = model, tokens, template
        self._cost = cost
        self._prefixes: Prefixes | None = None

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """Raises RedraftError when prompt and output do not fit into the model's context."""
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        sources = [(source.origin, self.tokens.encode(source.parts)) for source in prompt.sources]
        lengths = [len(ids) for _, ids in sources]
        most = room(prompt, len(prompt_ids), lengths, self.model.context, sampling.max_tokens)
        speculation = sources[0][1] if sources and sampling.speculate else ()
        begun = None if self._prefixes is None else self._prefixes.begin(prompt_ids)
        session, read = (self.model.session(), 0) if begun is None else (begun.session, len(begun.ids))
        verifier = ModelVerifier(session, choice_of(sampling, speculation), len(prompt_ids), read)
        drafter = EditDrafter(sources)
        ends = self.model.end_ids.union(self.tokens.known(sampling.ends))
        forwards = speculate(
            verifier, prompt_ids, drafter, self._policy(sampling, bool(lengths and lengths[0])), ends, most
        )
        reader = TokenReader(self.tokens, prompt_ids)
        pieces = chunks(forwards, reader, prompt.stop, ends, most, len(prompt_ids))
        return pieces if begun is None else self._ending(pieces, begun, verifier)

    def keep_prefixes(self) -> None:
        """From now on, what was read of a prompt is kept for the next one that begins alike."""
        self._prefixes = self._prefixes or Prefixes(self.model)

    def warm(self, prompt: Prompt) -> tuple[int, int]:
        """Reads a prompt ahead; how many ids of it are known now, and how many were before.

        Raises RedraftError when it does not fit into the model's context.
        """
        if self._prefixes is None:
            return 0, 0
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        room(prompt, len(prompt_ids), [], self.model.context)
        begun = self._prefixes.begin(prompt_ids)
        self._prefixes.end(begun, len(begun.ids))
        return len(begun.ids), begun.known

    def _ending(self, pieces: Iterator[Chunk], begun: Begun, verifier: ModelVerifier) -> Iterator[Chunk]:
        """The pieces; what was read is kept however they end."""
        try:
            yield from pieces
        finally:
            if self._prefixes is not None:
                self._prefixes.end(begun, verifier.fed)

    def open(self, prompt: Prompt) -> tuple[list[int], ModelVerifier]:
        """The ids of a prompt, and a greedy verifier that has read nothing yet."""
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        return prompt_ids, ModelVerifier(self.model.session(), Likeliest(), len(prompt_ids))

    def has_token(self, text: str) -> bool:
        return self.tokens.special(text) is not None

    def encode(self, text: str) -> list[int]:
        return self.tokens.encode((Part(text),))

    def decode(self, ids: Sequence[int]) -> str:
        return self.tokens.decode(ids)

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        return self.tokens.parts(ids)

    def nats(self, prompt: Prompt) -> float:
        """The loss on the output that the prompt's first source spells, summed over its ids; for measurements."""
        output = self.tokens.encode(prompt.sources[0].parts)
        return nats(self.model, self.tokens.open(prompt.parts, prompt.messages), output)

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        """The log-probability of each text as the output, in nats, less that of the beginning that all share.

        Raises RedraftError when prompt and text do not fit into the model's context.
        """
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        end = [min(self.model.end_ids)] if self.model.end_ids and not prompt.stop else []
        closing = prompt.stop[0] if prompt.stop else ""
        ids = [[*self.tokens.encode((Part(text + closing),)), *end] for text in texts]
        room(prompt, len(prompt_ids), [max(map(len, ids), default=0)], self.model.context)
        return log_probabilities(self.model, prompt_ids, ids, self._prefixes)

    def _policy(self, sampling: Sampling, is_known: bool) -> Policy:
        return Fastest(self._cost, is_known) if sampling.speculate else VANILLA
