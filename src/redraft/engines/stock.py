"""In: a Hugging Face model. Out: its tokenizer, and sessions of its forward pass as transformers runs it."""

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import torch
import transformers
from jinja2 import TemplateError
from safetensors import SafetensorError
from transformers.cache_utils import Cache

from redraft.edit.request import Message
from redraft.engines.cache import RoomyLayer
from redraft.engines.tokens import Tokens
from redraft.errors import RedraftError

# The kinds of layers whose cache is one entry a token; all others keep a state that cannot be rolled back.
_CROPPABLE = {"full_attention", "sliding_attention", "chunked_attention"}


class StockSession:
    """One growing cache of a transformers model."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache = Cache(layer_class_to_replicate=RoomyLayer)
        # Transformers before 5.24 calls it by the older name.
        name = "cache" if "cache" in signature(model.forward).parameters else "past_key_values"
        self._taken = {name: self._cache, "use_cache": True}

    @torch.inference_mode()
    def forward(self, ids: Sequence[int], keep: int) -> torch.Tensor:
        batch = torch.tensor([ids], device=self._model.device)
        output = self._model(batch, logits_to_keep=keep, **self._taken)
        logits: torch.Tensor = output.logits[0, -keep:]
        return logits

    def crop(self, n: int) -> None:
        self._cache.crop(-n)


class StockModel:
    """Any decoder-only model with attention in all its layers; `context` is the number of tokens that it holds."""

    def __init__(self, name: str, dtype: torch.dtype, device: torch.device) -> None:
        self._model = load_model(name, dtype).to(device).eval()
        text = self._model.config.get_text_config(decoder=True)
        self.context: int | None = getattr(text, "max_position_embeddings", None)
        self.vocabulary: int = text.vocab_size
        self.end_ids = _end_ids(self._model.generation_config)

    def session(self) -> StockSession:
        return StockSession(self._model)


def load_model(name: str, dtype: torch.dtype) -> Any:
    """The model as transformers makes it; raises RedraftError for one that cannot be loaded or is not of the kind."""
    config = _quietly(name, lambda: transformers.AutoConfig.from_pretrained(name, trust_remote_code=False))
    _check_kind(name, config)
    return _quietly(name, lambda: _load(name, config, dtype))


def load_tokenizer(name: str) -> Any:
    """The tokenizer as transformers makes it; raises RedraftError for one that cannot be loaded."""
    return _quietly(name, lambda: transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False))


def _load(name: str, config: Any, dtype: torch.dtype) -> Any:
    model = transformers.AutoModelForCausalLM.from_pretrained(
        name, config=config, dtype=dtype, use_safetensors=True, trust_remote_code=False
    )
    if model._is_stateful:
        raise RedraftError(_cannot_roll_back(name, config.model_type))
    return model


def _check_kind(name: str, config: Any) -> None:
    if config.is_encoder_decoder:
        raise RedraftError(f"{name} is an encoder-decoder model ({config.model_type}), not decoder-only")
    layers = set(getattr(config.get_text_config(decoder=True), "layer_types", None) or ())
    if layers - _CROPPABLE:
        raise RedraftError(_cannot_roll_back(name, config.model_type))


def _cannot_roll_back(name: str, kind: str) -> str:
    return f"{name} ({kind}) keeps a state that cannot be rolled back when a draft is rejected"


def _end_ids(generation: Any) -> frozenset[int]:
    ends = generation.eos_token_id
    if ends is None:
        return frozenset()
    return frozenset(ends if isinstance(ends, list) else [ends])


def load_tokens(name: str) -> Tokens:
    """The model's tokenizer, with its chat template where it has one."""
    tokenizer = load_tokenizer(name)
    if not tokenizer.chat_template:
        return Tokens(tokenizer.backend_tokenizer)
    return Tokens(tokenizer.backend_tokenizer, lambda messages: _rendered(tokenizer, messages))


def _rendered(tokenizer: Any, messages: Sequence[Message]) -> str:
    turns = [{"role": message.role, "content": message.content} for message in messages]
    try:
        # Qwen3 would think first; other templates ignore the word.
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, enable_thinking=False)
    except TemplateError as error:
        raise RedraftError(f"the model's chat template does not take this conversation: {error}") from error
    return str(text)


def _quietly(name: str, load: Callable[[], Any]) -> Any:
    """Runs a loader of transformers without its progress bars and advice; its errors become one line."""
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        return load()
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise RedraftError(f"cannot load {name}: {reason[0]}") from error
