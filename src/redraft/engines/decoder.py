"""In: a folder with a Llama, Qwen2 or Qwen3 model. Out: sessions of its forward pass, written out here.

The same arithmetic as that of transformers' modules but for rounding, in fewer passes over memory; importing those
takes longer than an edit.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as nn
from torch import Tensor

from redraft.engines.folder import Folder
from redraft.engines.matrix import Gate, Matrix, gate, matrix
from redraft.engines.sizes import sizes_of
from redraft.engines.weights import Weights, frequencies

_LEAST_ROOM = 1024
# Up to so many tokens, heads that share keys are read as more tokens of one head: the keys are passed once.
_FEW = 32


@dataclass(frozen=True)
class _Layer:
    """The weights of one layer; what reads the same input is joined into one matrix."""

    attention_norm: Tensor
    query_key_value: Matrix
    query_norm: Tensor | None
    key_norm: Tensor | None
    output: Matrix
    mlp_norm: Tensor
    gate: Gate
    down: Matrix


class DecoderModel:
    """The model in `folder`; `context` is the number of tokens that it holds."""

    def __init__(self, folder: Folder, dtype: torch.dtype, device: torch.device) -> None:
        sizes = sizes_of(folder)
        self.context: int | None = sizes.context
        self.end_ids = folder.end_ids()
        self.heads, self.pairs, self.width, self.epsilon = sizes.heads, sizes.pairs, sizes.width, sizes.epsilon
        self.dtype, self.device = dtype, device
        self.frequencies = frequencies(sizes, device)
        weights = Weights(folder, dtype, device)
        self.embedding = weights.take("model.embed_tokens.weight")
        self.layers = [_layer(weights, number) for number in range(sizes.layers)]
        self.norm = weights.take("model.norm.weight")
        head = weights.head()
        self.head = matrix(self.embedding if head is None else head)

    def normed(self, state: Tensor, weight: Tensor) -> Tensor:
        """Root mean square layer normalisation; torch's own takes twice as many passes."""
        length: Tensor = torch.linalg.vector_norm(state, dim=-1, keepdim=True, dtype=torch.float32)
        scale = (length * length / state.shape[-1]).add_(self.epsilon).rsqrt_()
        return (state * scale).to(state.dtype) * weight

    def session(self) -> "DecoderSession":
        return DecoderSession(self)

    def passed(self, ids: Tensor, positions: "Positions", rooms: Sequence[Tensor]) -> Tensor:
        """The state (tokens, hidden) after all layers; the rooms of their caches are filled."""
        state = nn.embedding(ids, self.embedding)
        for layer, room in zip(self.layers, rooms, strict=True):
            seen = self._attend(layer, room, self.normed(state, layer.attention_norm), positions)
            state = layer.output.added(seen, state)
            state = layer.down.added(layer.gate.product(self.normed(state, layer.mlp_norm)), state)
        return state

    def logits(self, state: Tensor) -> Tensor:
        return self.head.product(self.normed(state, self.norm))

    def room(self, tokens: int) -> Tensor:
        """The cache of one layer: keys and values (2, heads, tokens, width)."""
        return torch.empty(2, self.pairs, tokens, self.width, dtype=self.dtype, device=self.device)

    def _attend(self, layer: _Layer, room: Tensor, state: Tensor, positions: "Positions") -> Tensor:
        joined = layer.query_key_value.product(state).view(len(state), -1, self.width)
        turning, value = joined[:, : -self.pairs], joined[:, -self.pairs :]
        if layer.query_norm is not None and layer.key_norm is not None:
            query, key = turning[:, : self.heads], turning[:, self.heads :]
            turning = torch.cat((self.normed(query, layer.query_norm), self.normed(key, layer.key_norm)), 1)
        query, key = torch.split(positions.turned(turning), [self.heads, self.pairs], 1)
        room[0, :, positions.slot], room[1, :, positions.slot] = key.transpose(0, 1), value.transpose(0, 1)
        return self._seen(query, room[:, None, :, : positions.end], positions)

    def _seen(self, query: Tensor, room: Tensor, positions: "Positions") -> Tensor:
        """What tokens see, (tokens, heads * width), with queries (tokens, heads, width)."""
        tokens = len(query)
        query = query.transpose(0, 1)
        if positions.is_folded:
            query = query.reshape(self.pairs, -1, self.width)
        seen = nn.scaled_dot_product_attention(
            query[None],
            room[0],
            room[1],
            attn_mask=positions.mask,
            is_causal=positions.mask is None and tokens > 1,
            enable_gqa=not positions.is_folded and self.pairs != self.heads,
        )
        return seen.reshape(self.heads, tokens, self.width).transpose(0, 1).reshape(tokens, -1)


def _layer(weights: Weights, number: int) -> _Layer:
    attention, mlp = f"model.layers.{number}.self_attn", f"model.layers.{number}.mlp"
    return _Layer(
        attention_norm=weights.take(f"model.layers.{number}.input_layernorm.weight"),
        query_key_value=matrix(
            weights.take(*(f"{attention}.{name}_proj.weight" for name in "qkv")),
            weights.optional(*(f"{attention}.{name}_proj.bias" for name in "qkv")),
        ),
        query_norm=weights.optional(f"{attention}.q_norm.weight"),
        key_norm=weights.optional(f"{attention}.k_norm.weight"),
        output=matrix(weights.take(f"{attention}.o_proj.weight"), weights.optional(f"{attention}.o_proj.bias")),
        mlp_norm=weights.take(f"model.layers.{number}.post_attention_layernorm.weight"),
        gate=gate(weights.take(f"{mlp}.gate_proj.weight"), weights.take(f"{mlp}.up_proj.weight")),
        down=matrix(weights.take(f"{mlp}.down_proj.weight")),
    )


@dataclass(frozen=True)
class Positions:
    """What all layers share in one forward: the new tokens' turns, their slot of the cache, and what each may look at.

    `mask` is added to the scores of the first `end` tokens; None lets each look at all before itself.
    """

    cosine: Tensor
    sine: Tensor
    slot: slice | Tensor
    end: int
    mask: Tensor | None
    is_folded: bool

    @classmethod
    def of(
        cls, model: DecoderModel, places: Tensor, slot: slice | Tensor, end: int, mask: Tensor | None, is_folded: bool
    ) -> "Positions":
        """Those of tokens at `places`, with a mask (tokens, end)."""
        angles = torch.outer(places.float(), model.frequencies)
        cosine, sine = angles.cos().repeat(1, 2), angles.sin()
        sine = torch.cat((-sine, sine), 1)
        if mask is not None and is_folded:
            mask = mask.repeat(model.heads // model.pairs, 1)
        return cls(cosine[:, None].to(model.dtype), sine[:, None].to(model.dtype), slot, end, mask, is_folded)

    def turned(self, heads: Tensor) -> Tensor:
        """Rotary positions on (tokens, heads, width): the first half of each head is turned with the second."""
        return (heads * self.cosine).addcmul_(heads.roll(heads.shape[-1] // 2, -1), self.sine)


class DecoderSession:
    """One cache that grows, filled up to `_length` tokens."""

    def __init__(self, model: DecoderModel) -> None:
        self._model = model
        self._rooms = [model.room(_LEAST_ROOM) for _ in model.layers]
        self._length = 0

    @torch.inference_mode()
    def forward(self, ids: Sequence[int], keep: int) -> Tensor:
        model = self._model
        self._grow(self._length + len(ids))
        given = torch.tensor(ids, device=model.device)
        state = model.passed(given, self._positions(len(ids)), self._rooms)
        self._length += len(ids)
        return model.logits(state[-keep:])

    def crop(self, n: int) -> None:
        self._length -= n

    def _positions(self, tokens: int) -> Positions:
        model, start = self._model, self._length
        end, mask = start + tokens, None
        if start > 0 and tokens > 1:
            mask = torch.full((tokens, end), -torch.inf, dtype=model.dtype, device=model.device).triu_(start + 1)
        places = torch.arange(start, end, device=model.device)
        return Positions.of(model, places, slice(start, end), end, mask, is_folded=start > 0 and tokens <= _FEW)

    def _grow(self, tokens: int) -> None:
        for number, room in enumerate(self._rooms):
            if room.shape[2] < tokens:
                self._rooms[number] = larger = self._model.room(2 * tokens)
                larger[:, :, : self._length] = room[:, :, : self._length]
