"""In: nothing. Out: the class that drafters of TensorRT-LLM extend, as `_torch/speculative/drafter.py` defines it."""

from abc import ABC, abstractmethod
from typing import Any, final


class Drafter(ABC):
    """The constructor, the method to write, and the padding for CUDA graphs; sizes in tokens."""

    _needs_padding_kv_extension: bool = False

    def __init__(
        self,
        max_draft_len: int | None = None,
        max_total_draft_tokens: int | None = None,
        max_concurrency: int | None = None,
        draft_len_schedule: dict[int, int] | None = None,
    ) -> None:
        self.max_draft_len = max_draft_len
        self.max_total_draft_tokens = max_total_draft_tokens
        self._static_max_total_draft_tokens = max_total_draft_tokens
        self.max_concurrency = max_concurrency
        self.draft_len_schedule = draft_len_schedule

    @abstractmethod
    def prepare_draft_tokens(self, scheduled_requests: Any, resource_manager: Any | None = None) -> None: ...

    @final
    def pad_draft_tokens_for_cuda_graph(self, scheduled_requests: Any, resource_manager: Any | None = None) -> None:
        for request in scheduled_requests.generation_requests:
            missing = (self._static_max_total_draft_tokens or 0) - len(request.py_draft_tokens)
            request.py_draft_tokens.extend(0 for _ in range(missing))
