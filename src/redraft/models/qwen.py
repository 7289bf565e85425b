"""In: a GGUF file of a Qwen2 model. Out: the same model as a Hugging Face folder, in bfloat16."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from redraft.errors import RedraftError
from redraft.models.adapter import Adapter
from redraft.models.gguf import GgufModel
from redraft.models.tensors import Array, bfloat16, float32, write_tensors

_SPECIAL = 3  # in tokenizer.ggml.token_type
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_END = "<|im_end|>"


def write_folder(
    file: Path,
    out: Path,
    added: Adapter | None = None,
    more: Mapping[str, Any] = MappingProxyType({}),
    shown: Callable[[Iterable[Any], int], Iterable[Any]] = lambda tensors, _: tensors,
) -> None:
    """Writes configuration, tokenizer and weights, with an adapter's in them, into a folder that is there.

    Raises RedraftError for a file that is no whole GGUF of a Qwen2 model, and for an adapter of another model.
    """
    model = GgufModel(file)
    tensors = {name: _adapted(name, weight, added) for name, weight in shown(model.tensors(), model.count)}
    if added and (missing := sorted(added.factors.keys() - tensors.keys())):
        raise RedraftError(f"{added.path} does not fit its base: there is no {missing[0]}")
    tokenizer = tokenizer_of(model)
    config = _config(model, tokenizer) | dict(more)
    _write_json(out / "config.json", config)
    _write_json(out / "generation_config.json", {"eos_token_id": config["eos_token_id"]})
    _write_json(out / "tokenizer_config.json", _settings(model))
    # Not by its own `save`, whose error on a full disk is no OSError.
    (out / "tokenizer.json").write_text(tokenizer.to_str(), encoding="utf-8")
    write_tensors(out / "model.safetensors", tensors)


def _adapted(name: str, weight: Array, added: Adapter | None) -> Array:
    """In bfloat16; an adapter is trained beside the weights as they are then."""
    rounded = bfloat16(weight)
    if added is None or name not in added.factors:
        return rounded
    return bfloat16(added.adapt(name, float32(rounded)))


def tokenizer_of(model: GgufModel) -> Tokenizer:
    """The tokenizer of a GGUF file's vocabulary and merges.

    Qwen's own normalises to NFC. This one does not: what it decodes is, byte for byte, what it was given.
    """
    tokens, kinds = model.field("tokenizer.ggml.tokens"), model.field("tokenizer.ggml.token_type")
    merges = [tuple(merge.split(" ")) for merge in model.field("tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, merges))
    split = pre_tokenizers.Split(Regex(_WORDS), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = [token for token, kind in zip(tokens, kinds, strict=True) if kind == _SPECIAL]
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return tokenizer


def _settings(model: GgufModel) -> dict[str, str]:
    """What says how text becomes ids, with the chat template where the file has one."""
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": _END}
    chat = model.field("tokenizer.chat_template")
    return settings | ({"chat_template": chat} if chat else {})


def _config(model: GgufModel, tokenizer: Tokenizer) -> dict[str, Any]:
    end = tokenizer.token_to_id(_END)
    return {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "hidden_act": "silu",
        "vocab_size": len(model.field("tokenizer.ggml.tokens")),
        "hidden_size": model.field("qwen2.embedding_length"),
        "intermediate_size": model.field("qwen2.feed_forward_length"),
        "num_hidden_layers": model.field("qwen2.block_count"),
        "num_attention_heads": model.field("qwen2.attention.head_count"),
        "num_key_value_heads": model.field("qwen2.attention.head_count_kv"),
        "max_position_embeddings": model.field("qwen2.context_length"),
        "rope_theta": model.field("qwen2.rope.freq_base"),
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": True,
        "torch_dtype": "bfloat16",
        "eos_token_id": model.field("tokenizer.ggml.eos_token_id") if end is None else end,
    }


def _write_json(file: Path, content: dict[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
