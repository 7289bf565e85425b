"""In: the name of an evaluation set. Out: where its cases lie; the sets of public edits are fetched there first."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RedraftError
from redraft.home import home
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.manifests import read

_PACKAGE = Path(__file__).parent
NATURAL = "natural"
# Sets that nobody reads: what they hold is for the last look alone, and so are their repositories.
UNREAD = ("answers-next", "answers-unseen", "answers-plain", "answers-blind", "redraft-450", "redraft-long")
MANIFESTS = {path.stem: path for path in sorted(_PACKAGE.glob("*.jsonl")) if path.stem != NATURAL}


@dataclass(frozen=True)
class EvaluationSet:
    """The cases of a set that are at hand, and the ids of those that are not."""

    name: str
    cases: list[Case]
    missing: Sequence[str] = ()


def read_set(name: str) -> EvaluationSet:
    """Raises RedraftError for a name that is unknown, and for a set that was not fetched."""
    if name == NATURAL:
        return EvaluationSet(name, read_cases(_PACKAGE / f"{NATURAL}.jsonl"))
    manifest, place = find_manifest(name), fetched(name)
    if not place.is_file():
        raise RedraftError(f"the set {name} is not there: redraft eval fetch {name}")
    cases = read_cases(place)
    known = {case.id for case in cases}
    return EvaluationSet(name, cases, [case.id for case in read(manifest) if case.id not in known])


def find_manifest(name: str) -> Path:
    """The manifest of a set of public edits; raises RedraftError for an unknown name."""
    if name not in MANIFESTS:
        raise RedraftError(f"unknown set {name!r}; there are {', '.join((NATURAL, *MANIFESTS))}")
    return MANIFESTS[name]


def fetched(name: str) -> Path:
    """Where the cases of a set of public edits lie once they were fetched."""
    return home() / "sets" / f"{name}.jsonl"
