"""In: recordings, and a model of transformers. Out: what its `generate` takes to write the recorded outputs.

Every forward is really computed; a processor of logits has it choose the recorded ids.
"""

import time
from collections.abc import Sequence
from typing import Any

import torch
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from redraft.errors import RedraftError
from redraft.measure.speed.recording import Recording

# Way: the arguments of `generate`.
WAYS: dict[str, dict[str, int]] = {
    "plain": {},
    "lookup-10-3": {"prompt_lookup_num_tokens": 10, "max_matching_ngram_size": 3},
    "lookup-40-4": {"prompt_lookup_num_tokens": 40, "max_matching_ngram_size": 4},
}


class Told(LogitsProcessor):  # type: ignore[misc]
    """At each place of the output the recorded id is the likeliest."""

    def __init__(self, recording: Recording) -> None:
        self._start, self._output = len(recording.prompt), recording.output

    def __call__(self, ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        told = self._output[min(ids.shape[1] - self._start, len(self._output) - 1)]
        return torch.full_like(scores, float("-inf")).index_fill(1, torch.tensor([told], device=scores.device), 0.0)


@torch.inference_mode()
def seconds(model: Any, recording: Recording, way: str) -> float:
    """From the ids of the prompt to the last one; raises RedraftError where it did not write what was recorded."""
    started = time.perf_counter()
    batch = torch.tensor([list(recording.prompt)], device=model.device)
    settings = GenerationConfig(do_sample=False, max_new_tokens=len(recording.output), pad_token_id=0)
    found = model.generate(
        batch,
        attention_mask=torch.ones_like(batch),
        generation_config=settings,
        logits_processor=LogitsProcessorList([Told(recording)]),
        **WAYS[way],
    )
    written: Sequence[int] = found[0, len(recording.prompt) :].tolist()
    took = time.perf_counter() - started
    if list(written) != list(recording.output):
        raise RedraftError(f"{recording.record.id}: transformers, {way}, did not write what was recorded")
    return took
