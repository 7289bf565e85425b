"""In: cases and systems. Out: an outcome for each pair: what the system made of the case, and how that compares."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from redraft.data.sizes import bucket, line_count
from redraft.edit.decide import Weighed
from redraft.edit.guard.check import WRITTEN
from redraft.edit.text.endings import Endings
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.accuracy.systems import System
from redraft.measure.cases import Case
from redraft.measure.rows import read_rows
from redraft.result import Result

_KEPT = (
    *("status", "message", "confidence", "decided_by", "prompt_tokens", "completion_tokens", "drafted"),
    *("accepted", "forwards", "seconds", "chars_per_second"),
)


_GONE = ("ground",)  # fields of records that older versions wrote


class Weighing(NamedTuple):
    """Of a candidate: what the reader has against it, the model's nats for it if any, and whether it is right."""

    cost: float
    nats: float | None
    right: bool


@dataclass(frozen=True)
class Outcome:
    """One case of a set by one system; a failure is an outcome, too.

    `output` is None also where it is the expected text. `violations` counts lines that should have stayed and did not,
    None without an output. `cost` is in dollars, None where no price is known; `bits_per_byte` is of the right answer.
    `features` is what the confidence comes from, `weighed` the reader's candidates, the one taken first.
    """

    id: str
    system: str
    language: str
    style: str
    lines: int
    bucket: str
    exact: bool
    equal_but_whitespace: bool
    equal_as_trees: bool
    silent_error: bool
    output: str | None
    status: str
    message: str
    confidence: float | None
    decided_by: str
    prompt_tokens: int
    completion_tokens: int
    drafted: int
    accepted: int
    forwards: int
    seconds: float
    chars_per_second: float
    violations: int | None = None
    cost: float | None = None
    bits_per_byte: float | None = None
    set: str = ""
    abilities: Sequence[str] = ()
    tidy: bool | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    weighed: Sequence[Weighing] = ()

    @property
    def candidates(self) -> int:
        """How many texts the answer may mean, as the reader sees it."""
        return len(self.weighed)

    @property
    def oracle(self) -> bool:
        """Whether one of them is right."""
        return any(each.right for each in self.weighed)

    @property
    def margin(self) -> float | None:
        """How many nats the model gives the one taken above the next best; None where it was not asked."""
        found = [each.nats for each in self.weighed if each.nats is not None]
        return found[0] - max(found[1:]) if len(found) > 1 else None

    @property
    def is_decided(self) -> bool:
        """Whether the reader's text is written wherever it is sure enough: there is one, and no guard is against it."""
        return bool(self.weighed) and (self.status in WRITTEN or self.status == "needs_context")


def sampled(cases: Sequence[Case], count: int | None, seed: int = 0) -> list[Case]:
    """So many of the cases, in their order, all for None; the same for the same ids and seed."""
    drawn = sorted(cases, key=lambda case: sha256(f"{seed} {case.id}".encode()).digest())[:count]
    kept = {case.id for case in drawn}
    return [case for case in cases if case.id in kept]


def outcomes(
    cases: Iterable[Case], systems: Sequence[System], done: set[tuple[str, str]], name: str = "", bits: bool = False
) -> Iterator[Outcome]:
    """Each case of the set called `name` by each system, but for those that are done: pairs of case and system.

    With `bits` it is measured what the model loses on each expected file, which is one more forward.
    """
    for case in cases:
        for system in systems:
            if (case.id, system.name) not in done:
                result = system.answer(case.request, case.lines)
                loss = system.bits_per_byte(case.request, case.expected) if bits else None
                found = outcome(case, system.name, result)
                yield replace(found, cost=system.cost(result), bits_per_byte=loss, set=name)


def outcome(case: Case, system: str, result: Result) -> Outcome:
    graded = best_grade(case, result.output)
    return Outcome(
        id=case.id,
        system=system,
        language=case.language,
        style=case.style,
        lines=line_count(case.request.original),
        bucket=bucket(case.request.original),
        exact=graded.exact,
        equal_but_whitespace=graded.equal_but_whitespace,
        equal_as_trees=graded.equal_as_trees,
        silent_error=result.status in WRITTEN and not graded.equal_as_trees,
        violations=graded.violations,
        output=None if graded.exact else result.output,
        abilities=case.abilities,
        tidy=case.tidy,
        features=result.features,
        weighed=[_weighing(case, each) for each in result.weighed],
        **{name: getattr(result, name) for name in _KEPT},
    )


def _weighing(case: Case, weighed: Weighed) -> Weighing:
    right = best_grade(case, Endings.of(case.request.original).restored(weighed.candidate.text)).equal_as_trees
    return Weighing(weighed.candidate.cost, weighed.log_probability, right)


def read_outcomes(source: Path, unread: list[str] | None = None) -> list[Outcome]:
    """Raises RedraftError that names a line which is no outcome; with `unread` it is left out, and named there."""
    return read_rows(source, _outcome, "a record of `eval run`", unread)


def _outcome(weighed: Sequence[Sequence[Any]] = (), **row: Any) -> Outcome:
    found = [Weighing(*each[:3]) for each in weighed]  # older versions wrote more
    return Outcome(weighed=found, **{name: value for name, value in row.items() if name not in _GONE})
