"""In: a folder with a Llama, Qwen2 or Qwen3 model. Out: sessions of its forward pass, written out here and nothing imported.

The same arithmetic as transformers' modules, in fewer and larger operations: importing those takes longer than an edit, and at a
few tokens a forward most of their time is not spent in matrix products.
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
    plain = not config.get("use_sliding_window") and not config.get("mlp_bias") and not config.get("quantization_config")
    return (
        config.get("model_type") in _KINDS
        and plain
        and config.get("hidden_act") == "silu"
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
        theta = (config.get("rope_parameters") or config)["rope_theta"]
        self.frequencies = 1.0 / theta ** (torch.arange(0, self.width, 2, device=device).float() / self.width)
        weights = _Weights(folder, dtype, device)
        self.embedding = weights.take("model.embed_tokens.weight")
        self.layers = [weights.layer(number) for number in range(config["num_hidden_layers"])]
        self.norm = weights.take("model.norm.weight")
        tied = config.get("tie_word_embeddings", False)
        self.head = self.embedding if tied else weights.take("lm_head.weight")

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

    def _optional(self, *names: str) -> Tensor | None:
        return self.take(*names) if names[0] in self._tensors else None

    def layer(self, number: int) -> _Layer:
        attention, mlp = f"model.layers.{number}.self_attn", f"model.layers.{number}.mlp"
        return _Layer(
            attention_norm=self.take(f"model.layers.{number}.input_layernorm.weight"),
            query_key_value=self.take(*(f"{attention}.{name}_proj.weight" for name in "qkv")),
            bias=self._optional(*(f"{attention}.{name}_proj.bias" for name in "qkv")),
            query_norm=self._optional(f"{attention}.q_norm.weight"),
            key_norm=self._optional(f"{attention}.k_norm.weight"),
            output=self.take(f"{attention}.o_proj.weight"),
            output_bias=self._optional(f"{attention}.o_proj.bias"),
            mlp_norm=self.take(f"model.layers.{number}.post_attention_layernorm.weight"),
            gate_up=self.take(f"{mlp}.gate_proj.weight", f"{mlp}.up_proj.weight"),
            down=self.take(f"{mlp}.down_proj.weight"),
        )


@dataclass(frozen=True)
class _Positions:
    """What all layers share in one forward: the turns of the new tokens, and whom each may look at (None: all before)."""

    cosine: Tensor
    sine: Tensor
    mask: Tensor | None


class DecoderSession:
    """One growing cache: for each layer the keys and values (2, heads, room, width), of which `_length` tokens are filled."""

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
            state = state + self._attend(layer, room, nn.rms_norm(state, state.shape[-1:], layer.attention_norm, model.epsilon), positions)
            gate, up = nn.linear(
                nn.rms_norm(state, state.shape[-1:], layer.mlp_norm, model.epsilon), layer.gate_up
            ).chunk(2, -1)
            state = state + nn.linear(nn.silu(gate) * up, layer.down)
        self._length += len(ids)
        state = nn.rms_norm(state[-keep:], state.shape[-1:], model.norm, model.epsilon)
        return nn.linear(state, model.head)

    def crop(self, n: int) -> None:
        self._length -= n

    def _attend(self, layer: _Layer, room: Tensor, state: Tensor, positions: _Positions) -> Tensor:
        model, tokens = self._model, len(state)
        start, end = self._length, self._length + tokens
        joined = nn.linear(state, layer.query_key_value, layer.bias).view(tokens, -1, model.width).transpose(0, 1)
        query, key, value = joined.split((model.heads, model.pairs, model.pairs))
        if layer.query_norm is not None and layer.key_norm is not None:
            query = nn.rms_norm(query, (model.width,), layer.query_norm, model.epsilon)
            key = nn.rms_norm(key, (model.width,), layer.key_norm, model.epsilon)
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
            mask = torch.full((tokens, start + tokens), -torch.inf, dtype=model.dtype, device=model.device).triu_(start + 1)
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
