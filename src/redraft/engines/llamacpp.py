"""In: a GGUF file, then prompts. Out: chunks from llama.cpp, by the same loop as every engine of ours.

Source: llama-cpp-python, its low-level batch API: its own `draft_model` computes logits for the whole prompt.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Cost, Fastest, Policy
from redraft.draft.loop import speculate
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.choice import choice_of
from redraft.engines.chunks import chunks
from redraft.engines.llamacpp_model import LlamaCppModel
from redraft.engines.llamacpp_tokens import LlamaCppTokens
from redraft.engines.rank import log_probabilities
from redraft.engines.reading import TokenReader
from redraft.engines.room import room
from redraft.engines.verifier import ModelVerifier

# In the file's metadata: which template the model was trained with.
TEMPLATE_KEY = "redraft.template"
# Only the ratio counts: what one more id in a forward costs, in forwards of one id; an estimate for 135 M parameters.
_COST = Cost(1.0, 0.04)


class LlamaCppEngine:
    """The model in a GGUF file; `threads` is by default as many as there are processors for this process.

    Raises RedraftError for what is no GGUF file, or a model whose state cannot be rolled back.
    """

    def __init__(self, path: str, threads: int | None = None) -> None:
        self.model = LlamaCppModel(Path(path), threads)
        self.tokens = LlamaCppTokens(self.model)
        self.template = self.model.said(TEMPLATE_KEY) or ("chat" if self.tokens.has_chat else "fenced")

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """Raises RedraftError when prompt and output do not fit into the model's context."""
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        sources = [(source.origin, self.tokens.encode(source.parts)) for source in prompt.sources]
        lengths = [len(ids) for _, ids in sources]
        most = room(prompt, len(prompt_ids), lengths, self.model.context, sampling.max_tokens)
        speculation = sources[0][1] if sources and sampling.speculate else ()
        session = self.model.session(len(prompt_ids) + most)
        verifier = ModelVerifier(session, choice_of(sampling, speculation), len(prompt_ids))
        ends = self.model.end_ids.union(self.tokens.known(sampling.ends))
        forwards = speculate(verifier, prompt_ids, EditDrafter(sources), policy_of(sampling), ends, most)
        reader = TokenReader(self.tokens, prompt_ids)
        return chunks(forwards, reader, prompt.stop, ends, most, len(prompt_ids))

    def has_token(self, text: str) -> bool:
        return self.tokens.special(text) is not None

    def encode(self, text: str) -> list[int]:
        return self.tokens.encode((Part(text),))

    def decode(self, ids: Sequence[int]) -> str:
        return self.tokens.decode(ids)

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        return self.tokens.parts(ids)

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        """The log-probability of each text as the output, in nats, less that of the beginning that all share.

        Raises RedraftError when prompt and text do not fit into the model's context.
        """
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        end = [] if prompt.stop else [self.model.end]
        closing = prompt.stop[0] if prompt.stop else ""
        ids = [[*self.tokens.encode((Part(text + closing),)), *end] for text in texts]
        longest = max(map(len, ids), default=0)
        room(prompt, len(prompt_ids), [longest], self.model.context)
        return log_probabilities(self.model.sized(len(prompt_ids) + longest), prompt_ids, ids)


def policy_of(sampling: Sampling) -> Policy:
    """How long the drafts are."""
    return Fastest(_COST) if sampling.speculate else VANILLA
