"""In: requests of TensorRT-LLM, and what their outputs are likely to repeat. Out: drafts, where it asks for them.

    drafter = EditsDrafter(max_draft_len=64)
    llm = LLM(model, speculative_config=UserProvidedDecodingConfig(max_draft_len=64, drafter=drafter),
              disable_overlap_scheduler=True)
    drafter.expect(prompt_ids, [("prediction", expected_ids)])
    llm.generate(prompt_ids, SamplingParams(top_k=1))

The drafter has to live in the process that runs the model: TLLM_WORKER_USE_SINGLE_PROCESS=1. Written from the source of
TensorRT-LLM 1.2 and tested against a stand-in of what it touches there; benchmarks/tensorrt_llm.py runs the real one.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tensorrt_llm._torch.speculative.drafter import Drafter

from redraft.draft import Origin
from redraft.draft.drafter import EditDrafter
from redraft.errors import RedraftError

Sources = Sequence[tuple[Origin, Sequence[int]]]
# Requests that are known at a time: nothing tells that one has ended, or that one that was announced never comes.
_MOST = 1024


class EditsDrafter(Drafter):  # type: ignore[misc]  # the type checker does not see TensorRT-LLM
    """Drafts for each request from what is expected of its prompt, or else from the prompt itself."""

    # Drafts are padded to one length for CUDA graphs, and room for the padding has to be in the cache.
    _needs_padding_kv_extension = True

    def __init__(self, max_draft_len: int) -> None:
        super().__init__(max_draft_len=max_draft_len, max_total_draft_tokens=max_draft_len)
        self._expected: OrderedDict[tuple[int, ...], list[Sources]] = OrderedDict()
        self._drafters: OrderedDict[int, EditDrafter] = OrderedDict()

    def expect(self, prompt_ids: Sequence[int], sources: Sources) -> None:
        """What the output of the next request with this prompt is likely to repeat, best first.

        A request carries no such data in TensorRT-LLM: it is known by its prompt. Raises RedraftError for what are no
        ids; whether the model has them is not known here.
        """
        if not all(type(id_) is int and id_ >= 0 for _, ids in sources for id_ in ids):
            raise RedraftError("what is expected are ids of tokens: whole numbers, none below 0")
        self._expected.setdefault(tuple(prompt_ids), []).append(sources)
        _forget(self._expected)

    def prepare_draft_tokens(self, scheduled_requests: Any, resource_manager: Any = None) -> None:
        """Called before each forward; writes the draft of each request that is past its prompt."""
        for request in scheduled_requests.generation_requests:
            request.py_draft_tokens = self._draft(request)

    def _draft(self, request: Any) -> list[int]:
        ids = list(request.get_tokens(0))
        prompt, output = ids[: request.py_orig_prompt_len], ids[request.py_orig_prompt_len :]
        # The model's own token comes on top of what is accepted.
        room = request.py_orig_prompt_len + request.py_max_new_tokens - len(ids) - 1
        limit = min(self.max_draft_len, room)
        return list(self._drafter(request.py_request_id, prompt).draft(output, limit)) if limit > 0 else []

    def _drafter(self, number: int, prompt: list[int]) -> EditDrafter:
        if number not in self._drafters:
            self._drafters[number] = EditDrafter(self._taken(tuple(prompt)))
            _forget(self._drafters)
        self._drafters.move_to_end(number)
        return self._drafters[number]

    def _taken(self, prompt: tuple[int, ...]) -> Sources:
        waiting = self._expected.get(prompt)
        if not waiting:
            return [("original", prompt)]
        sources = waiting.pop(0)
        if not waiting:
            del self._expected[prompt]
        return sources


def _forget(known: OrderedDict[Any, Any]) -> None:
    """Drops what was used longest ago."""
    while len(known) > _MOST:
        known.popitem(last=False)
