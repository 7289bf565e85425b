"""In: a GGUF file of the Llama or Qwen2 family, or a Llama folder. Out: tensors named and laid out as in the other."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from redraft.errors import RedraftError

_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_EMBEDDING, _HEAD = "token_embd.weight", "output.weight"
_OUTSIDE = {
    _EMBEDDING: "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    _HEAD: "lm_head.weight",
}
_KINDS = ("llama", "qwen2")
_TYPE_OF_SPECIAL = 3  # in tokenizer.ggml.token_type; 1 is an ordinary token


class GgufModel:
    """A GGUF file; raises RedraftError for what is none, is cut off, or is neither Llama nor Qwen2."""

    def __init__(self, path: Path) -> None:
        try:
            self._reader = gguf.GGUFReader(path)
            self.count = len(self._reader.tensors)
            self.kind = str(self.field("general.architecture"))
        except (ValueError, OSError, KeyError, IndexError) as error:
            raise RedraftError(f"{path} is not a whole GGUF file: {error}") from error
        if self.kind not in _KINDS:
            raise RedraftError(f"{path} holds a model of the kind {self.kind}, not {' or '.join(_KINDS)}")

    def field(self, name: str) -> Any:
        """What the file says under a name, None where it says nothing."""
        field = self._reader.get_field(name)
        return None if field is None else field.contents()

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Each tensor by its name in a Hugging Face folder, dequantised, in bfloat16.

        Qwen2's files hold the one matrix of embedding and output twice; it is taken from the finer of the two.
        """
        heads = self.field(f"{self.kind}.attention.head_count")
        pairs = self.field(f"{self.kind}.attention.head_count_kv") or heads
        is_twice = self.kind == "qwen2" and any(found.name == _HEAD for found in self._reader.tensors)
        for found in self._reader.tensors:
            if is_twice and found.name == _EMBEDDING:
                continue
            values = torch.from_numpy(numpy.array(gguf.dequantize(found.data, found.tensor_type), numpy.float32))
            name = _folder_name(_EMBEDDING if is_twice and found.name == _HEAD else found.name)
            if self.kind == "llama" and name.endswith(("q_proj.weight", "k_proj.weight")):
                values = _halved(values, heads if "q_proj" in name else pairs)
            yield name, values.to(torch.bfloat16)


def _folder_name(name: str) -> str:
    if name in _OUTSIDE:
        return _OUTSIDE[name]
    _, number, kind, part = name.split(".")
    return f"model.layers.{number}.{_LAYER[kind]}.{part}"


def _halved(weight: Tensor, heads: int) -> Tensor:
    """From pairs of neighbours, as llama.cpp turns them, to the halves that transformers turns."""
    return weight.view(heads, -1, 2, weight.shape[-1]).transpose(1, 2).reshape(weight.shape)


def _paired(weight: Tensor, heads: int) -> Tensor:
    return weight.view(heads, 2, -1, weight.shape[-1]).transpose(1, 2).reshape(weight.shape)


def write_gguf(folder: Path, config: dict[str, Any], out: Path, name: str, chat: str | None = None) -> None:
    """The model of a Llama folder as one GGUF file for llama.cpp, in bfloat16; `chat` is its chat template."""
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_name(name)
    _write_shape(writer, config)
    _write_tokens(writer, Tokenizer.from_file(str(folder / "tokenizer.json")), config)
    if chat:
        writer.add_chat_template(chat)
    if template := config.get("redraft_template"):
        writer.add_string("redraft.template", template)
    names = {there: here for here, there in _OUTSIDE.items()}
    names |= {
        f"model.layers.{number}.{there}.weight": f"blk.{number}.{here}.weight"
        for number in range(config["num_hidden_layers"])
        for here, there in _LAYER.items()
    }
    for file in sorted(folder.glob("*.safetensors")):
        for there, weight in load_file(file).items():
            _write_tensor(writer, names[there], weight, config)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _write_tensor(writer: Any, name: str, weight: Tensor, config: dict[str, Any]) -> None:
    if weight.dim() == 1:
        writer.add_tensor(name, weight.float().numpy())
        return
    if "attn_q" in name or "attn_k" in name:
        weight = _paired(weight, config["num_attention_heads" if "attn_q" in name else "num_key_value_heads"])
    kind = gguf.GGMLQuantizationType.BF16
    writer.add_tensor(name, weight.to(torch.bfloat16).contiguous().view(torch.uint8).numpy(), raw_dtype=kind)


def _write_shape(writer: Any, config: dict[str, Any]) -> None:
    heads = config["num_attention_heads"]
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_rope_dimension_count(config.get("head_dim") or config["hidden_size"] // heads)
    writer.add_rope_freq_base((config.get("rope_parameters") or config)["rope_theta"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_BF16)
    writer.add_vocab_size(config["vocab_size"])


def _write_tokens(writer: Any, tokenizer: Tokenizer, config: dict[str, Any]) -> None:
    special = {number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special}
    numbers = range(config["vocab_size"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list([tokenizer.id_to_token(number) or f"[unused {number}]" for number in numbers])
    writer.add_token_types([_TYPE_OF_SPECIAL if number in special else 1 for number in numbers])
    writer.add_token_merges(_merges(tokenizer))
    ends = config["eos_token_id"]
    writer.add_eos_token_id(ends[0] if isinstance(ends, list) else ends)
    for kind in ("bos", "pad"):
        if (number := config.get(f"{kind}_token_id")) is not None:
            getattr(writer, f"add_{kind}_token_id")(number)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)


def _merges(tokenizer: Tokenizer) -> list[str]:
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return [merge if isinstance(merge, str) else " ".join(merge) for merge in merges]
