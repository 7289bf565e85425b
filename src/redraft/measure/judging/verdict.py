"""In: verdicts of a model on outputs. Out: them in a file of JSON lines, each there as soon as it came."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.rows import read_rows

SCORES = range(1, 6)


@dataclass(frozen=True)
class Verdict:
    """What a model says about the output of a system for a case.

    `output` is the digest of what it saw; `order` holds those of all that it was shown at once, in their order;
    `answer` is all that it said about them.
    """

    id: str
    system: str
    model: str
    score: int
    reason: str
    output: str
    order: tuple[str, ...]
    answer: str


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


class Verdicts:
    """Verdicts, one for each case, system and model, in a file of JSON lines; a torn last line is dropped.

    Raises RedraftError where the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, Lock()
        jsonl.drop_torn(path)
        self._known: dict[tuple[str, str], dict[str, Verdict]] = defaultdict(dict)
        for one in read_rows(path, _verdict, "a verdict of `eval judge`") if path.exists() else ():
            self._know(one)

    def __iter__(self) -> Iterator[Verdict]:
        return (one for by_system in self._known.values() for one in by_system.values())

    def of(self, case: str, model: str) -> Mapping[str, Verdict]:
        """By system."""
        return self._known.get((case, model), {})

    def add(self, verdicts: Sequence[Verdict]) -> None:
        with self._lock:
            jsonl.append(self.path, [asdict(one) for one in verdicts])
            for one in verdicts:
                self._know(one)

    def _know(self, one: Verdict) -> None:
        self._known[one.id, one.model][one.system] = one


def _verdict(order: Sequence[str], **row: Any) -> Verdict:
    if row["score"] not in SCORES:
        raise RedraftError(f"the score {row['score']!r} is not one of 1 to 5")
    return Verdict(order=tuple(order), **row)
