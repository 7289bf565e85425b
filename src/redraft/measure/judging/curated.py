"""In: the curated outputs. Out: what a judge is asked about them, and how far its ratings agree with those by hand.

Forty outputs, written by hand for this project, each rated by hand by the guidelines that a judge is given.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.edit.request import Request
from redraft.measure.judging.agreement import with_hand
from redraft.measure.judging.judge import Question
from redraft.measure.judging.verdict import Verdict
from redraft.measure.rows import read_rows

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
    return read_rows(source, Curated, "a curated output")


def questions(curated: Sequence[Curated]) -> list[Question]:
    return [Question(one.id, Request(one.original, one.update, path=one.path), {SYSTEM: one.output}) for one in curated]


def agreement(curated: Sequence[Curated], verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Markdown: how far each judge agrees with the ratings by hand."""
    return with_hand(
        {one.id: one.rating for one in curated}, [verdict for verdict in verdicts if verdict.system == SYSTEM]
    )
