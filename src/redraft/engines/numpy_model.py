"""In: a folder with a Llama, Qwen2 or Qwen3 model. Out: sessions of its forward pass in float32, with numpy alone.

Weights stay in the file, in bfloat16, and are widened a matrix at a time: that takes a tenth of a second for half a
billion of them, and numpy's products in float32 run at what the processor can do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from redraft.engines.folder import Folder
from redraft.engines.sizes import sizes_of
from redraft.errors import RedraftError
from redraft.models.tensors import Array, float32, read_tensors

_LEAST_ROOM = 1024
_QUERIES = 128  # read together: what a token cannot see yet is computed for fewer than so many
_WIDENED = 1 << 20  # weights in memory at once: what stays in a processor's caches


@dataclass(frozen=True)
class _Turns:
    """Rotary positions of new tokens (tokens, 1, width)."""

    cosine: Array
    sine: Array

    def turned(self, heads: Array) -> Array:
        """Heads (tokens, heads, width), the first half of each turned with the second."""
        half = heads.shape[-1] // 2
        found: Array = heads * self.cosine
        found += numpy.concatenate((-heads[..., half:], heads[..., :half]), -1) * self.sine
        return found


class NumpyModel:
    """The model in `folder`; `context` is the number of tokens that it holds.

    Raises RedraftError where weights cannot be read or one is missing.
    """

    def __init__(self, folder: Folder) -> None:
        self.sizes = sizes = sizes_of(folder)
        self.context: int | None = sizes.context
        self.end_ids = folder.end_ids()
        self._path = folder.path
        self._tensors = {name: each for file in folder.tensors() for name, each in read_tensors(file).items()}
        self._frequencies = 1.0 / sizes.theta ** (numpy.arange(0, sizes.width, 2, dtype=numpy.float64) / sizes.width)
        self._embedding = self._taken("model.embed_tokens.weight")
        is_tied = folder.config.get("tie_word_embeddings") or "lm_head.weight" not in self._tensors
        self._head = self._embedding if is_tied else self._taken("lm_head.weight")
        self._wide = numpy.zeros(_WIDENED, numpy.float32)

    def session(self) -> "NumpySession":
        return NumpySession(self)

    def embedded(self, ids: Sequence[int]) -> Array:
        """What stands for ids (tokens, hidden)."""
        return float32(self._embedding[numpy.asarray(ids)])

    def turns(self, start: int, tokens: int) -> _Turns:
        angles = numpy.outer(numpy.arange(start, start + tokens), self._frequencies)
        cosine, sine = (numpy.tile(each(angles), 2)[:, None].astype(numpy.float32) for each in (numpy.cos, numpy.sin))
        return _Turns(cosine, sine)

    def normed(self, state: Array, name: str) -> Array:
        """Root mean square layer normalisation."""
        scale = numpy.square(state).mean(-1, keepdims=True)
        found: Array = state / numpy.sqrt(scale + self.sizes.epsilon)
        found *= float32(self._taken(name))
        return found

    def product(self, rows: Array, name: str) -> Array:
        """Rows (tokens, in) by a layer's weights (out, in)."""
        found = self._multiplied(rows, self._taken(f"{name}.weight"))
        if (bias := self._tensors.get(f"{name}.bias")) is not None:
            found += float32(bias)
        return found

    def has(self, name: str) -> bool:
        return name in self._tensors

    def logits(self, state: Array) -> Array:
        return self._multiplied(self.normed(state, "model.norm.weight"), self._head)

    def likeliest(self, state: Array) -> tuple[list[int], list[float]]:
        """Of the logits the highest, and its distance to the next, a block of the vocabulary at a time."""
        state = self.normed(state, "model.norm.weight")
        rows, best = numpy.arange(len(state)), numpy.zeros(len(state), numpy.int64)
        top, second = (numpy.full(len(state), -numpy.inf, numpy.float32) for _ in range(2))
        size = _WIDENED // self._head.shape[1]
        for start in range(0, len(self._head), size):
            logits = self._multiplied(state, self._head[start : start + size])
            place = logits.argmax(-1)
            here = logits[rows, place]
            logits[rows, place] = -numpy.inf
            second = numpy.maximum(numpy.maximum(second, logits.max(-1)), numpy.minimum(top, here))
            best = numpy.where(here > top, start + place, best)
            top = numpy.maximum(top, here)
        return best.tolist(), (top - second).tolist()

    def _multiplied(self, rows: Array, weight: Array) -> Array:
        found = numpy.empty((len(rows), len(weight)), numpy.float32)
        size = max(1, _WIDENED // weight.shape[1])
        for start in range(0, len(weight), size):
            wide = float32(weight[start : start + size], self._wide)
            numpy.matmul(rows, wide.T, out=found[:, start : start + size])
        return found

    def _taken(self, name: str) -> Array:
        if name not in self._tensors:
            raise RedraftError(f"cannot load {self._path}: it has no tensor {name}")
        return self._tensors[name]


class NumpySession:
    """One growing cache: keys and values (layers, 2, heads, tokens, width), filled up to `_length` tokens."""

    def __init__(self, model: NumpyModel) -> None:
        self._model, self._length = model, 0
        self._rooms = self._room(_LEAST_ROOM)

    def forward(self, ids: Sequence[int], keep: int) -> Array:
        return self._model.logits(self._passed(ids)[-keep:])

    def likeliest(self, ids: Sequence[int], keep: int) -> tuple[list[int], list[float]]:
        """Feeds ids as `forward` does; the likeliest one after the last `keep` of them, and its margin."""
        return self._model.likeliest(self._passed(ids)[-keep:])

    def crop(self, n: int) -> None:
        self._length -= n

    def _passed(self, ids: Sequence[int]) -> Array:
        """The state (tokens, hidden) after all layers."""
        model, end = self._model, self._length + len(ids)
        self._grow(end)
        turns = model.turns(self._length, len(ids))
        state = model.embedded(ids)
        for number in range(model.sizes.layers):
            layer = f"model.layers.{number}"
            seen = self._attended(number, model.normed(state, f"{layer}.input_layernorm.weight"), turns)
            state += model.product(seen, f"{layer}.self_attn.o_proj")
            state += _mlp(model, model.normed(state, f"{layer}.post_attention_layernorm.weight"), f"{layer}.mlp")
        self._length = end
        return state

    def _attended(self, number: int, state: Array, turns: _Turns) -> Array:
        model, width, name = self._model, self._model.sizes.width, f"model.layers.{number}.self_attn"
        query, key, value = (
            model.product(state, f"{name}.{kind}_proj").reshape(len(state), -1, width) for kind in "qkv"
        )
        if model.has(f"{name}.q_norm.weight"):
            query, key = (model.normed(each, f"{name}.{kind}_norm.weight") for each, kind in ((query, "q"), (key, "k")))
        room, end = self._rooms[number], self._length + len(state)
        room[0, :, self._length : end] = turns.turned(key).swapaxes(0, 1)
        room[1, :, self._length : end] = value.swapaxes(0, 1)
        query = turns.turned(query) * numpy.float32(width**-0.5)
        starts = range(0, len(state), _QUERIES)
        seen = [_seen(query[start : start + _QUERIES], room, self._length + start) for start in starts]
        return numpy.concatenate(seen).reshape(len(state), -1)

    def _room(self, tokens: int) -> Array:
        sizes = self._model.sizes
        return numpy.zeros((sizes.layers, 2, sizes.pairs, tokens, sizes.width), numpy.float32)

    def _grow(self, tokens: int) -> None:
        if tokens > self._rooms.shape[3]:
            larger = self._room(2 * tokens)
            larger[:, :, :, : self._length] = self._rooms[:, :, :, : self._length]
            self._rooms = larger


def _seen(query: Array, room: Array, start: int) -> Array:
    """What tokens from `start` on see, with queries (tokens, heads, width): each all before it, and itself."""
    tokens, heads, width = query.shape
    pairs, end = room.shape[1], start + tokens
    grouped = query.swapaxes(0, 1).reshape(pairs, -1, width)
    scores = (grouped @ room[0, :, :end].swapaxes(1, 2)).reshape(heads, tokens, end)
    scores[:, :, start:] += numpy.triu(numpy.full((tokens, tokens), -numpy.inf, numpy.float32), 1)
    scores -= scores.max(-1, keepdims=True)
    numpy.exp(scores, out=scores)
    seen: Array = (scores.reshape(pairs, -1, end) @ room[1, :, :end]).reshape(heads, tokens, width)
    seen /= scores.sum(-1, keepdims=True)
    return seen.swapaxes(0, 1)


def _mlp(model: NumpyModel, state: Array, name: str) -> Array:
    gate, up = (model.product(state, f"{name}.{kind}_proj") for kind in ("gate", "up"))
    up *= gate
    with numpy.errstate(over="ignore"):  # what is infinite divides to 0, as it should
        numpy.exp(numpy.negative(gate, out=gate), out=gate)
    gate += 1
    up /= gate
    return model.product(up, f"{name}.down_proj")
