"""In: keys and values of new tokens. Out: those of all tokens, in memory with room to spare."""

from typing import Any

import torch
from transformers.cache_utils import DynamicLayer

_LEAST_ROOM = 1024


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """One layer of a cache, always at full length: a sliding window is left to the attention mask.

    transformers' own layer joins old and new at each forward, which costs more than the model where that is small.
    """

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        self.dtype, self.device = key_states.dtype, key_states.device
        self._length = 0
        self._rooms = tuple(_room(states, states.shape[-2]) for states in (key_states, value_states))
        self.is_initialized = True

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start, end = self._length, self._length + key_states.shape[-2]
        if end > self._rooms[0].shape[-2]:
            self._rooms = tuple(_moved(room, start, end) for room in self._rooms)
        for room, states in zip(self._rooms, (key_states, value_states), strict=True):
            room[..., start:end, :] = states
        self._length = end
        self.keys, self.values = (room[..., :end, :] for room in self._rooms)
        return self.keys, self.values

    def get_seq_length(self) -> int:
        return self._length if self.is_initialized else 0

    def crop(self, tokens_to_remove: int) -> None:
        """`tokens_to_remove` is the negative of a count, as in transformers."""
        self._length += tokens_to_remove


def _room(states: torch.Tensor, tokens: int) -> torch.Tensor:
    batch, heads, _, width = states.shape
    return states.new_empty(batch, heads, max(2 * tokens, _LEAST_ROOM), width)


def _moved(room: torch.Tensor, filled: int, tokens: int) -> torch.Tensor:
    larger = _room(room, tokens)
    larger[..., :filled, :] = room[..., :filled, :]
    return larger
