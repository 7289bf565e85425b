"""In: a Llama, Qwen2 or Qwen3 model. Out: sessions whose forwards have a few fixed shapes.

A GPU takes longer to start the kernels of a short forward than to run them; what has a fixed shape and fixed memory is
recorded once as a CUDA graph and started at once. Ids are filled up to the next of the shapes; what is cached of the
filling is written over by what comes next.
"""

from collections.abc import Sequence
from threading import RLock

import torch
from torch import Tensor

from redraft.engines.decoder import DecoderModel, DecoderSession, Positions

# Tokens of one forward; longer ones take long enough to be run as they are.
SHAPES = (1, 8, 32, 128)
_LEAST_ROOM = 2048
_MOST_FREE = 4
_WARM_UP = 2  # libraries choose kernels and take memory in the first runs, which cannot be recorded


class FixedModel:
    """A decoder whose sessions share caches, and with them the graphs that were recorded over each."""

    def __init__(self, model: DecoderModel) -> None:
        self.model = model
        self.context, self.end_ids = model.context, model.end_ids
        self._free: list[_Caches] = []
        self._lock = RLock()  # a session may end, and give back, in the middle of a `take`

    def session(self) -> "FixedSession":
        return FixedSession(self)

    def take(self, tokens: int) -> "_Caches":
        """Caches for so many tokens: the smallest that are free, or new ones."""
        with self._lock:
            fitting = [each for each in self._free if each.room >= tokens]
            if fitting:
                best = min(fitting, key=lambda each: each.room)
                self._free = [each for each in self._free if each is not best]
                return best
        return _Caches(self.model, max(_LEAST_ROOM, 1 << (tokens - 1).bit_length()))

    def give_back(self, caches: "_Caches") -> None:
        with self._lock:
            self._free = [*self._free, caches][-_MOST_FREE:]


class FixedSession(DecoderSession):
    """One cache, taken from its model and given back when the session ends."""

    def __init__(self, fixed: FixedModel) -> None:
        self._model, self._fixed = fixed.model, fixed
        self._caches = fixed.take(1)
        self._rooms, self._length = self._caches.layers, 0

    @torch.inference_mode()
    def forward(self, ids: Sequence[int], keep: int) -> Tensor:
        shape = next((shape for shape in SHAPES if shape >= len(ids)), None)
        if shape is None:
            return super().forward(ids, keep)
        self._grow(self._length + shape)
        logits = self._caches.step(shape)(ids, self._length)
        self._length += len(ids)
        return logits[len(ids) - keep : len(ids)]

    def _grow(self, tokens: int) -> None:
        if tokens <= self._caches.room:
            return
        larger = self._fixed.take(tokens)
        for new, old in zip(larger.layers, self._rooms, strict=True):
            new[:, :, : self._length] = old[:, :, : self._length]
        self._fixed.give_back(self._caches)
        self._caches, self._rooms = larger, larger.layers

    def __del__(self) -> None:
        if hasattr(self, "_caches"):
            self._fixed.give_back(self._caches)


class _Caches:
    """Memory for the keys and values of `room` tokens in each layer, and the steps over it."""

    def __init__(self, model: DecoderModel, room: int) -> None:
        self._model, self.room = model, room
        # What nothing was written to is multiplied by 0, so it must not be infinite.
        self.layers = [model.room(room).zero_() for _ in model.layers]
        self._steps: dict[int, _Step] = {}

    def step(self, tokens: int) -> "_Step":
        if tokens not in self._steps:
            self._steps[tokens] = _Step(self._model, self.layers, self.room, tokens)
        return self._steps[tokens]


class _Step:
    """A forward of up to `tokens` ids over one cache; the logits are valid until the next one."""

    def __init__(self, model: DecoderModel, layers: Sequence[Tensor], room: int, tokens: int) -> None:
        self._model, self._layers, self._room = model, layers, room
        self._ids = torch.zeros(tokens, dtype=torch.long, device=model.device)
        self._start = torch.zeros((), dtype=torch.long, device=model.device)
        self._graph: torch.cuda.CUDAGraph | None = None
        self._logits = torch.empty(0)

    def __call__(self, ids: Sequence[int], start: int) -> Tensor:
        """The logits (tokens, vocabulary) after `ids`, fed after `start` others, and after what fills them up."""
        self._ids[: len(ids)] = torch.tensor(ids, device=self._ids.device)
        self._start.fill_(start)
        if self._ids.device.type != "cuda":
            return self._computed()
        with torch.cuda.device(self._ids.device):
            if self._graph is None:
                self._graph = self._recorded()
            self._graph.replay()
        return self._logits

    def _recorded(self) -> torch.cuda.CUDAGraph:
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(_WARM_UP):
                self._computed()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._logits = self._computed()
        return graph

    def _computed(self) -> Tensor:
        model = self._model
        places = self._start + torch.arange(len(self._ids), device=model.device)
        later = torch.arange(self._room, device=model.device) > places[:, None]
        mask = torch.zeros(later.shape, dtype=model.dtype, device=model.device).masked_fill_(later, -torch.inf)
        positions = Positions.of(model, places, places, self._room, mask, is_folded=True)
        return model.logits(model.passed(self._ids, positions, self._layers))
