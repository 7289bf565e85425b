"""In: a model folder or hub name, then prompts. Out: chunks from a Hugging Face model."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Fastest, Policy
from redraft.draft.loop import speculate
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import GREEDY, Chunk, Sampling, decoder
from redraft.engines.choice import Likeliest, choice_of
from redraft.engines.chunks import chunks
from redraft.engines.cost import cost_of
from redraft.engines.fixed import FixedModel
from redraft.engines.folder import Folder, open_folder, template_of
from redraft.engines.loss import nats
from redraft.engines.prefix import Begun, Prefixes
from redraft.engines.rank import log_probabilities
from redraft.engines.reading import TokenReader
from redraft.engines.room import room
from redraft.engines.tokens import Tokens, folder_tokens
from redraft.engines.verifier import Model, ModelVerifier
from redraft.errors import RedraftError

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w.-]+)?")


class TorchEngine:
    """A decoder-only model; `dtype` is "float32" or "bfloat16", `device` as in torch, chosen when None.

    Raises RedraftError for what is not a model in safetensors, and a model whose state cannot be rolled back.
    """

    def __init__(self, name: str, dtype: str | None = None, device: str | None = None) -> None:
        self.device = device_of(device)
        folder = local_folder(name)
        self.tokens = open_tokens(name, folder)
        self.template = template_of(name, self.tokens.has_chat, folder)
        self.dtype = dtype or fastest_dtype(self.device)
        self.model = _load(name, folder, self.dtype, self.device)
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
        forwards = speculate(verifier, prompt_ids, drafter, self._policy(sampling), ends, most)
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

    def _policy(self, sampling: Sampling) -> Policy:
        if not sampling.speculate:
            return VANILLA
        return Fastest(cost_of(self.device.type, self.dtype))


def local_folder(name: str) -> Folder | None:
    """None for the name of a hub model; raises RedraftError for a path that is no model folder."""
    local = Path(name).is_dir() or not _HUB_NAME.fullmatch(name)
    return open_folder(Path(name)) if local else None


def open_tokens(name: str, folder: Folder | None) -> Tokens:
    """The tokenizer of a model; transformers is imported only for one that needs it."""
    if folder and decoder.reads(folder):
        return folder_tokens(folder)
    from redraft.engines.stock import load_tokens

    return load_tokens(name)


def _load(name: str, folder: Folder | None, dtype: str, device: torch.device) -> Model:
    """transformers is imported only for models that need it."""
    kind = dtype_of(dtype)
    if folder and decoder.reads(folder):
        return on_device(decoder.DecoderModel(folder, kind, device))
    from redraft.engines.stock import StockModel

    return StockModel(name, kind, device)


def on_device(model: decoder.DecoderModel) -> Model:
    """With forwards of fixed shapes where starting them is what takes time."""
    return FixedModel(model) if model.device.type == "cuda" else model


def device_of(name: str | None) -> torch.device:
    """The device of a name, the best there is for None; raises RedraftError where there is none such."""
    if name is None:
        best = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(best)
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as error:
        raise RedraftError(f"no device {name!r} on this machine: {str(error).splitlines()[0]}") from error


def dtype_of(name: str) -> torch.dtype:
    """The dtype of a name; raises RedraftError where there is none such."""
    if name not in DTYPES:
        raise RedraftError(f"unknown dtype {name!r}; there are {', '.join(DTYPES)}")
    return DTYPES[name]


def fastest_dtype(device: torch.device) -> str:
    """bfloat16 where the processor multiplies it natively (AMX, AVX512-BF16) or the device is a GPU."""
    native = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return "bfloat16" if device.type != "cpu" or native else "float32"
