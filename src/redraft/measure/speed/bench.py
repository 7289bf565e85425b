"""In: cases and an engine. Out: a record for each: the model with drafts beside the same model token by token."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.apply import Redraft
from redraft.data.sizes import bucket, line_count
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import find_template
from redraft.engines import GREEDY, Chunk, Engine, Ranker, Sampling, Tokenizing
from redraft.engines.abandon import checked
from redraft.measure.cases import Case
from redraft.measure.speed.limit import OwnModel, measure_limit
from redraft.measure.speed.memory import peak, reset_peak
from redraft.measure.speed.phases import HasTokens, Phases, Stopwatch, TimedTokens
from redraft.measure.speed.record import Difference, Environment, Record
from redraft.result import Result

_WARM_UP_TOKENS = 8


class Recorder:
    """An engine that keeps what its last prompt was, the chunks of its answer, and how long it took over what."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.template = engine.template
        self.prompt = Prompt(())
        self.chunks: list[Chunk] = []
        self.watch: Stopwatch | None = None
        if isinstance(engine, Ranker):
            self.rank = engine.rank
        if isinstance(engine, Tokenizing):  # a model that writes regions has to tell its tokens
            self.encode, self.decode, self.parts = engine.encode, engine.decode, engine.parts
        self._tokens: TimedTokens | None = None
        if isinstance(engine, HasTokens):
            self._tokens = engine.tokens = TimedTokens(engine.tokens)

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        self.prompt, self.chunks = prompt, []
        self.watch = None if self._tokens is None else Stopwatch(self._tokens)
        with checked(self._before_forward):
            for chunk in self._listened(lambda: self._engine.generate(prompt, sampling)):
                self.chunks.append(chunk)
                yield chunk

    def _before_forward(self) -> None:
        if self.watch is not None:
            self.watch.forward()

    def _listened(self, make: Callable[[], Iterator[Chunk]]) -> Iterator[Chunk]:
        return make() if self.watch is None else self.watch.listened(make)


@dataclass(frozen=True)
class Answer:
    """What the engine made of one case: the result, what it was asked, its tokens, and what that took."""

    result: Result
    prompt: Prompt
    ids: tuple[int, ...]
    margins: tuple[float, ...]
    steps: Sequence[tuple[int, int]]
    phases: Phases | None
    peak_memory: float | None
    processor_seconds: float


@dataclass(frozen=True)
class Measured:
    """A record, and the answer with drafts that it is of."""

    record: Record
    answer: Answer


class Bench:
    """Measures cases on one engine; without `vanilla` only the model with drafts runs, and not for the limit."""

    def __init__(
        self, engine: Engine, environment: Environment, sampling: Sampling = GREEDY, vanilla: bool = True
    ) -> None:
        self._engine = engine
        self._environment = environment
        self._sampling = sampling
        self._vanilla = vanilla
        self._recorder = Recorder(engine)
        self._editor = Redraft.of(self._recorder, find_template(engine.template), window=environment.window)
        self._merge = Redraft(None)
        self._is_cold = True

    def run(self, cases: Iterable[tuple[int, Case]]) -> Iterator[Measured]:
        """What is measured of numbered cases; at odd numbers the run without drafts comes first."""
        for number, case in cases:
            yield self.measure(case, vanilla_first=number % 2 == 1)

    def measure(self, case: Case, vanilla_first: bool) -> Measured:
        if self._is_cold:
            self._warm_up(case)
        ways = (False, True) if vanilla_first else (True, False)
        answers = {
            speculate: self._answer(case, replace(self._sampling, speculate=speculate))
            for speculate in ways
            if speculate or self._vanilla
        }
        answer, vanilla = answers[True], answers.get(False)
        record = self._record(case, answer.result)
        if record.status == "error":
            return Measured(record, answer)
        record = replace(
            record,
            accepted_per_forward=record.accepted / record.forwards,
            order=tuple("drafts" if speculate else "vanilla" for speculate in answers),
            steps=answer.steps,
            phases=answer.phases,
            peak_memory=answer.peak_memory,
            load=os.getloadavg()[0],
            processor_seconds=answer.processor_seconds,
        )
        if vanilla is not None:
            record = self._beside_limit(beside_vanilla(record, answer, vanilla), answer)
        return Measured(record, answer)

    def _warm_up(self, case: Case) -> None:
        """The first forwards of a process are slower; nothing of this is recorded."""
        self._is_cold = False
        for speculate in (True, False):
            self._answer(case, Sampling(max_tokens=_WARM_UP_TOKENS, speculate=speculate))

    def _answer(self, case: Case, sampling: Sampling) -> Answer:
        device = self._environment.device or ""
        reset_peak(device)
        worked = time.process_time()
        result = self._editor.answer(case.request, sampling)
        worked = time.process_time() - worked
        chunks, watch = self._recorder.chunks, self._recorder.watch
        return Answer(
            result,
            self._recorder.prompt,
            tuple(token for chunk in chunks for token in chunk.ids),
            tuple(margin for chunk in chunks for margin in chunk.margins),
            tuple((chunk.drafted, chunk.accepted) for chunk in chunks),
            watch.phases(result.seconds) if watch and chunks else None,
            peak(device),
            worked,
        )

    def _record(self, case: Case, result: Result) -> Record:
        kept = result.record()
        output = kept.pop("output")
        for name in ("confidence", "decided_by", "added", "removed", "healed", "vanished", "ask_again", "way_on"):
            del kept[name]
        return Record(
            id=case.id,
            language=case.language,
            style=case.style,
            lines=line_count(case.request.original),
            bucket=bucket(case.request.original),
            exact=output == case.expected,
            equal_but_whitespace=output is not None and _dense(output) == _dense(case.expected),
            merge_exact=self._merge.answer(case.request, self._sampling).output == case.expected,
            environment=self._environment,
            **kept,
        )

    def _beside_limit(self, record: Record, answer: Answer) -> Record:
        if not isinstance(self._engine, OwnModel):
            return record
        seconds, worked = measure_limit(self._engine, answer.prompt, answer.ids)
        ratio = record.seconds / seconds
        return replace(record, limit_seconds=seconds, limit_ratio=ratio, limit_processor_seconds=worked)


def _dense(text: str) -> str:
    return "".join(text.split())


def beside_vanilla(record: Record, answer: Answer, vanilla: Answer) -> Record:
    return replace(
        record,
        vanilla_seconds=vanilla.result.seconds,
        vanilla_processor_seconds=vanilla.processor_seconds,
        speed_up=vanilla.result.seconds / record.seconds,
        equal_to_vanilla=answer.ids == vanilla.ids and answer.result.output == vanilla.result.output,
        difference=_difference(answer, vanilla),
    )


def _difference(answer: Answer, vanilla: Answer) -> Difference | None:
    if answer.ids == vanilla.ids:
        return None
    pairs = enumerate(zip(answer.ids, vanilla.ids, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(answer.ids), len(vanilla.ids)))
    margin, vanilla_margin = (next(iter(run.margins[at : at + 1]), None) for run in (answer, vanilla))
    return Difference(at, margin, vanilla_margin)
