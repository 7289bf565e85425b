"""In: what asks a model for a text. Out: its forwards token by token and with drafts, in turns on one engine."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from redraft.draft import Origin
from redraft.draft.statistics import Statistics
from redraft.engines import GREEDY, Chunk, Sampling

Way = Literal["token by token", "with drafts"]
Ask = Callable[[Sampling], Iterator[Chunk]]


@dataclass
class Run:
    """What one way of decoding has written so far, and how many seconds of the engine it took."""

    way: Way
    source: Iterator[Chunk]
    seconds: float = 0.0
    chunks: list[Chunk] = field(default_factory=list)
    is_done: bool = False

    @classmethod
    def start(cls, way: Way, ask: Ask, sampling: Sampling) -> "Run":
        """Raises RedraftError for a request that the model cannot take."""
        started = time.perf_counter()
        source = ask(replace(sampling, speculate=way == "with drafts"))
        return cls(way, source, time.perf_counter() - started)

    def forward(self) -> Chunk | None:
        """What one more forward adds; None at the end."""
        started = time.perf_counter()
        chunk = next(self.source, None)
        self.seconds += time.perf_counter() - started
        if chunk is None:
            self.is_done = True
        else:
            self.chunks.append(chunk)
        return chunk

    @property
    def runs(self) -> list[tuple[Origin, str]]:
        return [run for chunk in self.chunks for run in chunk.runs]

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.runs)

    @property
    def ids(self) -> list[int]:
        return [token for chunk in self.chunks for token in chunk.ids]

    @property
    def speed(self) -> float:
        """Characters a second."""
        return len(self.text) / (self.seconds or 1.0)

    def statistics(self) -> Statistics:
        sums = Statistics()
        for chunk in self.chunks:
            sums.add(chunk.origins, chunk.drafted, chunk.accepted)
        return sums


def both_ways(ask: Ask, sampling: Sampling = GREEDY) -> tuple[Run, Run]:
    """A run without drafts and one with; raises RedraftError for a request that the model cannot take.

    Each is charged the longer of both beginnings: what an engine keeps of prompts would be a present to one of them.
    """
    runs = Run.start("token by token", ask, sampling), Run.start("with drafts", ask, sampling)
    longest = max(run.seconds for run in runs)
    for run in runs:
        run.seconds = longest
    return runs


def race(runs: Sequence[Run]) -> Iterator[tuple[Run, Chunk | None]]:
    """The forwards of all runs, None at the end of each; next is always the run that has had less of the engine.

    Each clock runs only while its own run has the engine, so its seconds are those of a run alone.
    """
    while left := [run for run in runs if not run.is_done]:
        run = min(left, key=lambda run: run.seconds)
        yield run, run.forward()


def first_difference(one: Run, other: Run) -> int | None:
    """The number of the first token, from 0, in which the two runs differ; None where all are the same.

    Two that have run away were stopped at the end of a forward: they are the same as far as both go.
    """
    if one.ids == other.ids:
        return None
    is_cut = all(run.chunks and run.chunks[-1].finish == "runaway" for run in (one, other))
    if is_cut and all(a == b for a, b in zip(one.ids, other.ids, strict=False)):
        return None
    pairs = enumerate(zip(one.ids, other.ids, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one.ids), len(other.ids)))
