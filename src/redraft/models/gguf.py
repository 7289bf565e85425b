"""In: a GGUF file of the Qwen2 family. Out: its tensors, named as in a Hugging Face folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy

from redraft.errors import RedraftError
from redraft.models.tensors import Array

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
_OUTSIDE = {_EMBEDDING: "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
_KIND = "qwen2"


class GgufModel:
    """A GGUF file; raises RedraftError for what is none, is cut off, or is no Qwen2."""

    def __init__(self, path: Path) -> None:
        try:
            self._reader = gguf.GGUFReader(path)
            self.count = len(self._reader.tensors)
            kind = str(self.field("general.architecture"))
        except (ValueError, OSError, KeyError, IndexError) as error:
            raise RedraftError(f"{path} is not a whole GGUF file: {error}") from error
        if kind != _KIND:
            raise RedraftError(f"{path} holds a model of the kind {kind}, not {_KIND}")

    def field(self, name: str) -> Any:
        """What the file says under a name, None where it says nothing."""
        field = self._reader.get_field(name)
        return None if field is None else field.contents()

    def tensors(self) -> Iterator[tuple[str, Array]]:
        """Each tensor by its name in a Hugging Face folder, dequantised, in float32.

        Files may hold the one matrix of embedding and output twice; it is taken from the finer of the two.
        """
        is_twice = any(found.name == _HEAD for found in self._reader.tensors)
        for found in self._reader.tensors:
            if is_twice and found.name == _EMBEDDING:
                continue
            name = _folder_name(_EMBEDDING if is_twice and found.name == _HEAD else found.name)
            yield name, numpy.asarray(gguf.dequantize(found.data, found.tensor_type), numpy.float32)


def _folder_name(name: str) -> str:
    if name in _OUTSIDE:
        return _OUTSIDE[name]
    _, number, kind, part = name.split(".")
    return f"model.layers.{number}.{_LAYER[kind]}.{part}"
