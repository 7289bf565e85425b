"""In: edits. Out: samples of answers with drift, styles evenly, and lessons for the ranker made from them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from redraft.data.drift import DRIFT_STYLES, Drifted, drift
from redraft.data.edits import Edit
from redraft.data.lessons import Lesson, Teacher
from redraft.data.samples import Sample

DRIFT = "drift"
# Abbreviated snippets are what assistants write most.
WEIGHTS = {"snippet": 4, "blocks": 3, "signed": 2}


@dataclass
class DriftWriter:
    """Writes at most `per_edit` samples of an edit, in the styles least used so far, and a lesson of each."""

    seed: int = 0
    per_edit: int = 1
    written: Counter[str] = field(default_factory=Counter)
    lessons: list[Lesson] = field(default_factory=list)
    teacher: Teacher = field(default_factory=Teacher)

    def samples(self, edit: Edit) -> Iterator[Sample]:
        made = 0
        for style in sorted(DRIFT_STYLES, key=lambda style: (self._used(style), self._digest(edit, style))):
            told = drift(edit.before, edit.after, style, self.seed, edit.path) if made < self.per_edit else None
            if told is not None:
                made += 1
                self.written[style] += 1
                self.lessons += filter(None, [self.teacher.lesson(edit, told)])
                yield _sample(edit, told)

    def _used(self, style: str) -> float:
        return self.written[style] / WEIGHTS.get(style, 1)

    def _digest(self, edit: Edit, style: str) -> bytes:
        return sha256(f"{self.seed} {style} {edit.path} {edit.after_blob}".encode()).digest()


def _sample(edit: Edit, told: Drifted) -> Sample:
    return Sample(**asdict(edit), instruction="", update=told.update, style=told.style, source=DRIFT, expect="applied")
