"""In: the ids of a request's prediction and prompt, and of its output so far. Out: the ids to verify next."""

from collections.abc import Mapping, Sequence
from typing import Any

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import Cost, Fastest
from redraft.engines.vllm import PREDICTION


class RequestDrafts:
    """The drafts of one request: from its prediction, and where that does not help, from the prompt and the output."""

    def __init__(self, prediction: Sequence[int], prompt: Sequence[int], cost: Cost) -> None:
        self._drafter = EditDrafter([("prediction", prediction), ("original", prompt)])
        self._policy = Fastest(cost)
        self._written = 0
        self._drafted = 0

    def next(self, output: Sequence[int], limit: int) -> list[int]:
        """At most `limit` ids; `output` is that of the last call, grown by what the model accepted, and its own id."""
        written = len(output) - self._written
        # A request that was not scheduled has learnt nothing, and one that was preempted forgets what it drafted.
        if written > 0:
            self._policy.seen(self._drafted, min(written - 1, self._drafted))
        draft = self._drafter.draft(output, max(0, min(self._policy.length(), limit)))
        self._written, self._drafted = len(output), len(draft)
        return draft


def prediction_of(extra_args: Mapping[str, Any] | None, vocabulary: int) -> list[int]:
    """The ids that a request brought along; none where they are not ids of this vocabulary: then nothing is drafted."""
    ids = (extra_args or {}).get(PREDICTION)
    if not isinstance(ids, (list, tuple)) or not all(type(id_) is int and 0 <= id_ < vocabulary for id_ in ids):
        return []
    return list(ids)
