"""In: recordings, and a model of any shape with random weights. Out: what it takes that model to verify these edits.

Every forward is really computed; which drafted ids are accepted is what the recording says. So the time is that of a
model of this shape that writes what the recorded one wrote.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Fastest, Policy
from redraft.draft.loop import Accepted, Targets, speculate
from redraft.edit.prompts.prompt import Prompt
from redraft.engines.choice import Likeliest
from redraft.engines.cost import cost_of
from redraft.engines.verifier import Model, ModelVerifier
from redraft.errors import RedraftError
from redraft.measure.speed.limit import measure_limit
from redraft.measure.speed.memory import peak, reset_peak
from redraft.measure.speed.record import Environment, Record
from redraft.measure.speed.recording import Recording

_WARM_UP = 8


class Replayed:
    """A verifier whose forwards are computed and whose targets are those of a recording."""

    def __init__(self, model: Model, recording: Recording) -> None:
        self._verifier = ModelVerifier(model.session(), Likeliest(), len(recording.prompt))
        self._start = len(recording.prompt) - 1
        self._output = recording.output

    def step(self, ids: Sequence[int]) -> Targets:
        computed = self._verifier.step(ids)
        end = self._verifier.fed - self._start
        told = [self._output[min(at, len(self._output) - 1)] for at in range(end - len(computed.ids), end)]
        return Targets(told, computed.margins)

    def rollback(self, n: int) -> None:
        self._verifier.rollback(n)


@dataclass(frozen=True)
class Replaying:
    """A model with random weights, as the engine whose limit is measured."""

    model: Model
    dtype: str
    device: torch.device
    recording: Recording

    def open(self, prompt: Prompt) -> tuple[Sequence[int], ModelVerifier]:
        ids = self.recording.prompt
        return ids, ModelVerifier(self.model.session(), Likeliest(), len(ids))


def check_ids(size: int, recordings: Sequence[Recording]) -> None:
    """Raises RedraftError for ids that a model with so many has not."""
    largest = max(max(*one.prompt, *one.output) for one in recordings)
    if largest >= size:
        raise RedraftError(f"the model has {size:,} ids, and the recordings the id {largest:,}")


class Replay:
    """Replays recordings on one model."""

    def __init__(self, model: Model, dtype: str, device: torch.device, environment: Environment) -> None:
        self._model, self._dtype, self._device = model, dtype, device
        self._environment = environment
        self._is_cold = True

    def run(self, number: int, recording: Recording) -> Record:
        """At odd numbers the run without drafts comes first."""
        if self._is_cold:
            self._warm_up(recording)
        ways = ("vanilla", "drafts") if number % 2 else ("drafts", "vanilla")
        took = {way: self._timed(recording, way == "drafts") for way in ways}
        (seconds, forwards, memory), (vanilla, _, _) = took["drafts"], took["vanilla"]
        limit, _ = measure_limit(
            Replaying(self._model, self._dtype, self._device, recording), Prompt(()), recording.output
        )
        old = recording.record
        accepted = sum(added.accepted for added in forwards)
        return replace(
            old,
            environment=self._environment,
            replayed=f"random weights; accepted was what {old.environment.engine} wrote ({old.environment.commit})",
            drafted=sum(added.drafted for added in forwards),
            accepted=accepted,
            forwards=len(forwards),
            accepted_per_forward=accepted / len(forwards),
            steps=tuple((added.drafted, added.accepted) for added in forwards),
            seconds=seconds,
            chars_per_second=old.chars_per_second * old.seconds / seconds,
            vanilla_seconds=vanilla,
            speed_up=vanilla / seconds,
            equal_to_vanilla=None,
            difference=None,
            limit_seconds=limit,
            limit_ratio=seconds / limit,
            order=ways,
            phases=None,
            peak_memory=memory,
        )

    def _warm_up(self, recording: Recording) -> None:
        self._is_cold = False
        short = replace(recording, output=recording.output[:_WARM_UP])
        for drafts in (True, False):
            self._timed(short, drafts)

    def _timed(self, recording: Recording, drafts: bool) -> tuple[float, list[Accepted], float | None]:
        reset_peak(str(self._device))
        started = time.perf_counter()
        forwards = list(self._forwards(recording, drafts))
        written = [token for added in forwards for token in added.ids]
        assert written == list(recording.output)
        return time.perf_counter() - started, forwards, peak(str(self._device))

    def _forwards(self, recording: Recording, drafts: bool) -> Iterator[Accepted]:
        policy: Policy = Fastest(cost_of(self._device.type, self._dtype)) if drafts else VANILLA
        return speculate(
            Replayed(self._model, recording),
            recording.prompt,
            EditDrafter(recording.sources),
            policy,
            (),
            len(recording.output),
        )
