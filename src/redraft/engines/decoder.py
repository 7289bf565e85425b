"""In: a folder with a Llama, Qwen2 or Qwen3 model. Out: sessions of its forward pass, written out here.

The same arithmetic as transformers' modules, to the last bit where that was measured; importing those takes longer
than an edit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as nn
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from redraft.engines.folder import Folder
from redraft.errors import RedraftError

_KINDS = ("llama", "qwen2", "qwen3")
_NEEDED = {"hidden_size", "num_hidden_layers", "num_attention_heads", "rms_norm_eps", "max_position_embeddings"}
_USUAL_THETA = 10_000.0
_LEAST_ROOM = 1024


@dataclass(frozen=True)
class _Layer:
    """The weights of one layer; what reads the same input is joined into one matrix."""

    attention_norm: Tensor
    query_key_value: Tensor
    bias: Tensor | None
    query_norm: Tensor | None
    key_norm: Tensor | None
    output: Tensor
    output_bias: Tensor | None
    mlp_norm: Tensor
    gate_up: Tensor
    down: Tensor


def reads(folder: Folder) -> bool:
    """Whether this is a model without anything special: plain rotary positions, full attention, weights as they are."""
    config = folder.config
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    special = ("use_sliding_window", "mlp_bias", "quantization_config", "partial_rotary_factor")
    return (
        config.get("model_type") in _KINDS
        and config.keys() >= _NEEDED
        and not any(map(config.get, special))
        and config.get("hidden_act") == "silu"
        and set(config.get("layer_types") or ["full_attention"]) == {"full_attention"}
        and rope.get("rope_type", rope.get("type", "default")) == "default"
    )


class DecoderModel:
    """The model in `folder`; `context` is the number of tokens that it holds."""

    def __init__(self, folder: Folder, dtype: torch.dtype, device: torch.device) -> None:
        config = folder.config
        self.context: int | None = config["max_position_embeddings"]
        self.end_ids = folder.end_ids()
        self.heads: int = config["num_attention_heads"]
        self.pairs: int = config.get("num_key_value_heads") or self.heads
        self.width: int = config.get("head_dim") or config["hidden_size"] // self.heads
        self.epsilon: float = config["rms_norm_eps"]
        self.dtype, self.device = dtype, device
        theta = (config.get("rope_parameters") or config).get("rope_theta", _USUAL_THETA)
        self.frequencies = 1.0 / theta ** (torch.arange(0, self.width, 2, device=device).float() / self.width)
        weights = _Weights(folder, dtype, device)
        self.embedding = weights.take("model.embed_tokens.weight")
        self.layers = [weights.layer(number) for number in range(config["num_hidden_layers"])]
        self.norm = weights.take("model.norm.weight")
        head = None if config.get("tie_word_embeddings") else weights.optional("lm_head.weight")
        self.head = self.embedding if head is None else head

    def normed(self, state: Tensor, weight: Tensor) -> Tensor:
        return nn.rms_norm(state, weight.shape, weight, self.epsilon)

    def session(self) -> "DecoderSession":
        return DecoderSession(self)


class _Weights:
    """The tensors of a folder, each taken out once."""

    def __init__(self, folder: Folder, dtype: torch.dtype, device: torch.device) -> None:
        self._path, self._dtype, self._device = folder.path, dtype, device
        self._tensors: dict[str, Tensor] = {}
        for file in folder.tensors():
            try:
                self._tensors |= load_file(file)
            except (OSError, SafetensorError) as error:
                raise RedraftError(f"cannot load {folder.path}: {file.name}: {error}") from error

    def take(self, *names: str) -> Tensor:
        """The tensors below each other."""
        missing = [name for name in names if name not in self._tensors]
        if missing:
            raise RedraftError(f"cannot load {self._path}: it has no tensor {missing[0]}")
        tensors = [self._tensors.pop(name).to(self._device, self._dtype) for name in names]
        return tensors[0] if len(tensors) == 1 else torch.cat(tensors)

    def optional(self, *names: str) -> Tensor | None:
        return self.take(*names) if names[0] in self._tensors else None

    def layer(self, number: int) -> _Layer:
        attention, mlp = f"model.layers.{number}.self_attn", f"model.layers.{number}.mlp"
        return _Layer(
            attention_norm=self.take(f"model.layers.{number}.input_layernorm.weight"),
            query_key_value=self.take(*(f"{attention}.{name}_proj.weight" for name in "qkv")),
            bias=self.optional(*(f"{attention}.{name}_proj.bias" for name in "qkv")),
            query_norm=self.optional(f"{attention}.q_norm.weight"),
            key_norm=self.optional(f"{attention}.k_norm.weight"),
            output=self.take(f"{attention}.o_proj.weight"),
            output_bias=self.optional(f"{attention}.o_proj.bias"),
            mlp_norm=self.take(f"model.layers.{number}.post_attention_layernorm.weight"),
            gate_up=self.take(f"{mlp}.gate_proj.weight", f"{mlp}.up_proj.weight"),
            down=self.take(f"{mlp}.down_proj.weight"),
        )


@dataclass(frozen=True)
class _Positions:
    """What all layers share in one forward: the new tokens' turns, and what each may look at (None: all before)."""

    cosine: Tensor
    sine: Tensor
    mask: Tensor | None


class DecoderSession:
    """One growing cache: a layer's keys and values are (2, heads, room, width), filled up to `_length` tokens."""

    def __init__(self, model: DecoderModel) -> None:
        self._model = model
        self._rooms: list[Tensor] = [self._room(_LEAST_ROOM) for _ in model.layers]
        self._length = 0

    def forward(self, ids: Sequence[int], keep: int) -> Tensor:
        model = self._model
        self._grow(self._length + len(ids))
        positions = self._positions(len(ids))
        state = nn.embedding(torch.tensor(ids, device=model.device), model.embedding)
        for layer, room in zip(model.layers, self._rooms, strict=True):
            state = state + self._attend(layer, room, model.normed(state, layer.attention_norm), positions)
            gate, up = nn.linear(model.normed(state, layer.mlp_norm), layer.gate_up).chunk(2, -1)
            state = state + nn.linear(nn.silu(gate) * up, layer.down)
        self._length += len(ids)
        return nn.linear(model.normed(state[-keep:], model.norm), model.head)

    def crop(self, n: int) -> None:
        self._length -= n

    def _attend(self, layer: _Layer, room: Tensor, state: Tensor, positions: _Positions) -> Tensor:
        model, tokens = self._model, len(state)
        start, end = self._length, self._length + tokens
        joined = nn.linear(state, layer.query_key_value, layer.bias).view(tokens, -1, model.width).transpose(0, 1)
        query, key, value = torch.split(joined, [model.heads, model.pairs, model.pairs])
        if layer.query_norm is not None and layer.key_norm is not None:
            query, key = model.normed(query, layer.query_norm), model.normed(key, layer.key_norm)
        room[0, :, start:end] = _turned(key, positions)
        room[1, :, start:end] = value
        seen = nn.scaled_dot_product_attention(
            _turned(query, positions)[None],
            room[None, 0, :, :end],
            room[None, 1, :, :end],
            attn_mask=positions.mask,
            is_causal=start == 0 and tokens > 1,
            enable_gqa=model.pairs != model.heads,
        )
        return nn.linear(seen[0].transpose(0, 1).reshape(tokens, -1), layer.output, layer.output_bias)

    def _positions(self, tokens: int) -> _Positions:
        model, start = self._model, self._length
        places = torch.arange(start, start + tokens, device=model.device).float()
        angles = torch.outer(places, model.frequencies).repeat(1, 2)
        mask = None
        if start > 0 and tokens > 1:
            mask = torch.full((tokens, start + tokens), -torch.inf, dtype=model.dtype, device=model.device).triu_(
                start + 1
            )
        return _Positions(angles.cos().to(model.dtype), angles.sin().to(model.dtype), mask)

    def _room(self, tokens: int) -> Tensor:
        model = self._model
        return torch.empty(2, model.pairs, tokens, model.width, dtype=model.dtype, device=model.device)

    def _grow(self, tokens: int) -> None:
        for number, room in enumerate(self._rooms):
            if room.shape[2] < tokens:
                self._rooms[number] = larger = self._room(2 * tokens)
                larger[:, :, : self._length] = room[:, :, : self._length]


def _turned(heads: Tensor, positions: _Positions) -> Tensor:
    """Rotary positions: the first half of each head is turned with the second."""
    first, second = heads.chunk(2, -1)
    return heads * positions.cosine + torch.cat((-second, first), -1) * positions.sine
