"""In: the curated outputs. Out: what a judge is asked about them, and how far its ratings agree with those by hand.

Forty outputs, written by hand for this project, each rated by hand by the guidelines that a judge is given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.edit import jsonl
from redraft.edit.request import Request
from redraft.errors import RedraftError
from redraft.evals.judging.agreement import with_hand
from redraft.evals.judging.judge import Question
from redraft.evals.judging.verdict import Verdict

CURATED = Path(__file__).with_name("curated.jsonl")
SYSTEM = "curated"


@dataclass(frozen=True)
class Curated:
    """An output, the score that a careful human gives it, and why."""

    id: str
    path: str
    original: str
    update: str
    expected: str
    output: str
    rating: int
    reason: str


def read_curated(source: Path = CURATED) -> list[Curated]:
    """Raises RedraftError that names a line which is none."""
    return [_curated(line, f"{source}:{number}") for number, line in jsonl.read_lines(source)]


def questions(curated: Sequence[Curated]) -> list[Question]:
    return [Question(one.id, Request(one.original, one.update, path=one.path), {SYSTEM: one.output}) for one in curated]


def agreement(curated: Sequence[Curated], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Markdown: how far each judge agrees with the ratings by hand."""
    return with_hand(
        {one.id: one.rating for one in curated}, [verdict for verdict in verdicts if verdict.system == SYSTEM]
    )


def _curated(line: str, where: str) -> Curated:
    try:
        return Curated(**jsonl.parse(line))
    except (RedraftError, TypeError) as error:
        raise RedraftError(f"{where}: not a curated output: {error}") from error
