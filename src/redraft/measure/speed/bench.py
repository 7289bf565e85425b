"""In: cases and an engine. Out: a record for each: the model with drafts beside the same model token by token."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from redraft.apply import Redraft
from redraft.data.sizes import bucket, line_count
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import find_template
from redraft.engines import GREEDY, Chunk, Engine, Sampling
from redraft.measure.cases import Case
from redraft.measure.speed.limit import OwnModel, measure_limit
from redraft.measure.speed.record import Difference, Environment, Record
from redraft.result import Result

_WARM_UP_TOKENS = 8


class Recorder:
    """An engine that keeps what its last prompt was and the chunks of its answer."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.template = engine.template
        self.prompt = Prompt(())
        self.chunks: list[Chunk] = []

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        self.prompt, self.chunks = prompt, []
        for chunk in self._engine.generate(prompt, sampling):
            self.chunks.append(chunk)
            yield chunk


@dataclass(frozen=True)
class Answer:
    """What the engine made of one case: the result, what it was asked, and its tokens."""

    result: Result
    prompt: Prompt
    ids: tuple[int, ...]
    margins: tuple[float, ...]


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
        self._editor = Redraft.of(self._recorder, find_template(engine.template))
        self._merge = Redraft(None)

    def run(self, cases: Iterable[tuple[int, Case]]) -> Iterator[Record]:
        """The records of numbered cases; at odd numbers the run without drafts comes first."""
        for count, (number, case) in enumerate(cases):
            if count == 0:
                self._warm_up(case)
            yield self.measure(case, vanilla_first=number % 2 == 1)

    def measure(self, case: Case, vanilla_first: bool) -> Record:
        ways = (False, True) if vanilla_first else (True, False)
        answers = {
            speculate: self._answer(case, replace(self._sampling, speculate=speculate))
            for speculate in ways
            if speculate or self._vanilla
        }
        answer, vanilla = answers[True], answers.get(False)
        record = self._record(case, answer.result)
        if record.status == "error":
            return record
        record = replace(record, accepted_per_forward=record.accepted / record.forwards)
        return record if vanilla is None else self._beside_limit(beside_vanilla(record, answer, vanilla), answer)

    def _warm_up(self, case: Case) -> None:
        """The first forwards of a process are slower; nothing of this is recorded."""
        for speculate in (True, False):
            self._answer(case, Sampling(max_tokens=_WARM_UP_TOKENS, speculate=speculate))

    def _answer(self, case: Case, sampling: Sampling) -> Answer:
        result = self._editor.answer(case.request, sampling)
        chunks = self._recorder.chunks
        ids = tuple(token for chunk in chunks for token in chunk.ids)
        margins = tuple(margin for chunk in chunks for margin in chunk.margins)
        return Answer(result, self._recorder.prompt, ids, margins)

    def _record(self, case: Case, result: Result) -> Record:
        kept = result.record()
        output = kept.pop("output")
        for name in ("confidence", "decided_by"):
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
        seconds = measure_limit(self._engine, answer.prompt, answer.ids)
        return replace(record, limit_seconds=seconds, limit_ratio=record.seconds / seconds)


def _dense(text: str) -> str:
    return "".join(text.split())


def beside_vanilla(record: Record, answer: Answer, vanilla: Answer) -> Record:
    return replace(
        record,
        vanilla_seconds=vanilla.result.seconds,
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
