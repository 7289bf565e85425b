"""In: a prompt and the output that it led to. Out: the limit, the least time in which this engine verifies it."""

import time
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from redraft.draft.loop import Verifier
from redraft.edit.prompts.prompt import Prompt

# The least is taken of what each size needs: which one is fastest depends on the device and on the model.
_SIZES = (128, 256, 512, 1024)


@runtime_checkable
class OwnModel(Protocol):
    """An engine that runs its model in this process, over any ids."""

    @property
    def dtype(self) -> str: ...

    @property
    def device(self) -> object: ...

    def open(self, prompt: Prompt) -> tuple[Sequence[int], Verifier]:
        """The ids of a prompt, and a verifier that has read nothing yet."""
        ...


def measure_limit(engine: OwnModel, prompt: Prompt, output: Sequence[int]) -> tuple[float, float]:
    """Seconds to run the model once over prompt and output, known beforehand, with targets for every output token.

    By the clock, and of processors; of both the least.
    """
    clock, processor = zip(*(_seconds(engine, prompt, output, size) for size in _SIZES), strict=True)
    return min(clock), min(processor)


def _seconds(engine: OwnModel, prompt: Prompt, output: Sequence[int], size: int) -> tuple[float, float]:
    prompt_ids, verifier = engine.open(prompt)
    return feed(verifier, [*prompt_ids, *output[:-1]], size)


def feed(verifier: Verifier, ids: Sequence[int], size: int) -> tuple[float, float]:
    """Seconds in which the model reads ids in blocks, by the clock and of processors."""
    started, worked = time.perf_counter(), time.process_time()
    for start in range(0, len(ids), size):
        verifier.step(ids[start : start + size])
    return time.perf_counter() - started, time.process_time() - worked
