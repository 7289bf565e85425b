"""In: cases and systems. Out: an outcome for each pair: what the system made of the case, and how that compares."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.apply import Result
from redraft.bench.cases import Case
from redraft.data.sizes import bucket, line_count
from redraft.edit import jsonl
from redraft.edit.guard import WRITTEN
from redraft.errors import RedraftError
from redraft.evals.grade import grade
from redraft.evals.systems import System

_KEPT = (
    *("status", "message", "confidence", "decided_by", "ground", "prompt_tokens", "completion_tokens", "drafted"),
    *("accepted", "forwards", "seconds", "chars_per_second"),
)


@dataclass(frozen=True)
class Outcome:
    """One case by one system; `output` is None also where it is the expected text. A failure is an outcome, too."""

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
    ground: str | None
    prompt_tokens: int
    completion_tokens: int
    drafted: int
    accepted: int
    forwards: int
    seconds: float
    chars_per_second: float


def outcomes(cases: Iterable[Case], systems: Sequence[System], done: set[tuple[str, str]]) -> Iterator[Outcome]:
    """Each case by each system, but for those that are done: pairs of case and system."""
    for case in cases:
        for system in systems:
            if (case.id, system.name) not in done:
                yield outcome(case, system.name, system.editor.answer(case.request))


def outcome(case: Case, system: str, result: Result) -> Outcome:
    graded = grade(result.output, case.expected, case.request.path)
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
        output=None if graded.exact else result.output,
        **{name: getattr(result, name) for name in _KEPT},
    )


def read_outcomes(source: Path) -> list[Outcome]:
    """Raises RedraftError that names a line which is no outcome."""
    return [_outcome(line, f"{source}:{number}") for number, line in jsonl.read_lines(source)]


def _outcome(line: str, where: str) -> Outcome:
    try:
        row: dict[str, Any] = jsonl.parse(line)
        return Outcome(**row)
    except (RedraftError, TypeError) as error:
        raise RedraftError(f"{where}: not a record of `eval run`: {error}") from error
