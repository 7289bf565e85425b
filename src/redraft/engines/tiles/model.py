"""In: a folder with a Llama, on a processor with AMX or AVX512-BF16. Out: sessions of its forward pass in bfloat16.

Tokens fed together give the same logits, to the last bit, as tokens fed one by one.
"""

import ctypes
from collections.abc import Sequence

import torch
import torch.nn.functional as nn
from torch import Tensor

from redraft.engines.folder import Folder
from redraft.engines.sizes import sizes_of
from redraft.engines.tiles.library import Shape, library
from redraft.engines.weights import Weights, frequencies

_BLOCK, _TILE, _LEAST_ROOM = 32, 16, 1024


def runs(folder: Folder, dtype: torch.dtype, device: torch.device) -> bool:
    """Whether this is for here: a Llama without biases, sizes whole blocks, in bfloat16, where the library is."""
    config, width = folder.config, sizes_of(folder).width
    if dtype != torch.bfloat16 or device.type != "cpu" or config["model_type"] != "llama":
        return False
    sizes = (width, *(config[name] for name in ("hidden_size", "intermediate_size", "vocab_size")))
    return not any(size % _BLOCK for size in sizes) and not config.get("attention_bias") and library() is not None


class TileModel:
    """The model in `folder`; `context` is the number of tokens that it holds."""

    def __init__(self, folder: Folder) -> None:
        sizes = sizes_of(folder)
        self.context: int | None = sizes.context
        self.end_ids = folder.end_ids()
        weights = Weights(folder, torch.bfloat16, torch.device("cpu"))
        self.embedding = weights.take("model.embed_tokens.weight")
        layers = [_layer(weights, number) for number in range(sizes.layers)]
        head = weights.head()
        norm, packed = weights.take("model.norm.weight"), _packed(self.embedding if head is None else head)
        pointers = (ctypes.c_void_p * (6 * sizes.layers))(*(each.data_ptr() for layer in layers for each in layer))
        # The library only has the addresses.
        self._kept = (layers, norm, packed, pointers)
        self.sizes, self.vocabulary = sizes, len(packed) * _BLOCK
        self._frequencies = frequencies(sizes, torch.device("cpu"))
        self.shape = Shape(
            layers=sizes.layers,
            hidden=self.embedding.shape[1],
            heads=sizes.heads,
            pairs=sizes.pairs,
            width=sizes.width,
            inner=folder.config["intermediate_size"],
            vocabulary=self.vocabulary,
            epsilon=sizes.epsilon,
            norm=norm.data_ptr(),
            head=packed.data_ptr(),
            layer=ctypes.addressof(pointers),
        )

    def turns(self, start: int, tokens: int) -> Tensor:
        """The cosines, then the sines, of positions (tokens, width), as exact as bfloat16."""
        angles = torch.outer(torch.arange(start, start + tokens).float(), self._frequencies)
        return torch.cat((angles.cos(), angles.sin()), 1).bfloat16().float()

    def session(self) -> "TileSession":
        return TileSession(self)


class TileSession:
    """One growing cache: for each layer keys and values, in the library's order, filled up to `_length` tokens."""

    def __init__(self, model: TileModel) -> None:
        self._model = model
        self._rooms: list[Tensor] = []
        self._room = self._length = 0
        self._grow(_LEAST_ROOM)

    def forward(self, ids: Sequence[int], keep: int) -> Tensor:
        logits = torch.empty(keep, self._model.vocabulary, dtype=torch.bfloat16)
        self._feed(ids, keep, logits.data_ptr(), None, None)
        return logits

    def likeliest(self, ids: Sequence[int], keep: int) -> tuple[list[int], list[float]]:
        """Feeds ids as `forward` does; the likeliest one after the last `keep` of them, and its margin."""
        found, margins = torch.empty(keep, dtype=torch.long), torch.empty(keep)
        self._feed(ids, keep, None, found.data_ptr(), margins.data_ptr())
        return found.tolist(), margins.tolist()

    def _feed(self, ids: Sequence[int], keep: int, *out: int | None) -> None:
        """`out` is where to write logits, or else ids and margins."""
        model, made = self._model, library()
        assert made is not None
        if self._length + len(ids) > self._room:
            self._grow(2 * (self._length + len(ids)))
        state, turns = nn.embedding(torch.tensor(ids), model.embedding), model.turns(self._length, len(ids))
        rooms = (ctypes.c_void_p * len(self._rooms))(*(room.data_ptr() for room in self._rooms))
        made.redraft_forward(
            model.shape,
            *(state.data_ptr(), turns.data_ptr(), rooms),
            *(self._room, self._length, len(ids), keep),
            *(*out, torch.get_num_threads()),
        )
        self._length += len(ids)

    def crop(self, n: int) -> None:
        self._length -= n

    def _grow(self, tokens: int) -> None:
        sizes, filled = self._model.sizes, self._room
        self._room = -(-tokens // _BLOCK) * _BLOCK
        # Zeros, because what is masked is multiplied all the same.
        larger = [
            torch.zeros(2, sizes.pairs, self._room, sizes.width, dtype=torch.bfloat16) for _ in range(sizes.layers)
        ]
        for room, old in zip(larger, self._rooms, strict=False):
            room[:, :, :filled] = old
        self._rooms = larger


def _layer(weights: Weights, number: int) -> tuple[Tensor, ...]:
    """In the order of `Layer` of forward.cpp."""
    attention, mlp = f"model.layers.{number}.self_attn", f"model.layers.{number}.mlp"
    gate, up = (weights.take(f"{mlp}.{name}_proj.weight") for name in ("gate", "up"))
    beside = torch.stack((gate.view(-1, _TILE, gate.shape[1]), up.view(-1, _TILE, up.shape[1])), 1)
    return (
        weights.take(f"model.layers.{number}.input_layernorm.weight"),
        _packed(weights.take(*(f"{attention}.{name}_proj.weight" for name in "qkv"))),
        _packed(weights.take(f"{attention}.o_proj.weight")),
        weights.take(f"model.layers.{number}.post_attention_layernorm.weight"),
        _packed(beside.view(-1, gate.shape[1])),
        _packed(weights.take(f"{mlp}.down_proj.weight")),
    )


def _packed(weight: Tensor) -> Tensor:
    """(out, in) as (out / 32, in / 32, 2 tiles, 16 pairs, 16 columns, 2), see product.h."""
    columns, products = weight.shape
    tiles = weight.view(columns // _BLOCK, 2, _TILE, products // _BLOCK, _TILE, 2)
    return tiles.permute(0, 3, 1, 4, 2, 5).contiguous()
