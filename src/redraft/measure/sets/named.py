"""In: the name of an evaluation set. Out: where its manifest and its cases lie, in the clone or the cache."""

import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RedraftError
from redraft.home import home
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.manifests import read

NATURAL, INSTRUCTED = "natural", "instructed"
WITH_TEXTS = (NATURAL, INSTRUCTED)  # their cases hold their texts, so that nothing of them is fetched
ANSWERS = ("answers-next", "answers-unseen", "answers-plain", "answers-blind")
# Sets that nobody reads: what they hold is for the last look alone, and so are their repositories.
UNREAD = (*ANSWERS, "redraft-450", "redraft-long")
_CLONE = Path(__file__).parents[4] / "benchmarks" / "sets"
_PATIENCE = 30.0  # seconds without a byte


@dataclass(frozen=True)
class EvaluationSet:
    """The cases of a set that are at hand, and the ids of those that are not."""

    name: str
    cases: list[Case]
    missing: Sequence[str] = ()


def read_set(name: str) -> EvaluationSet:
    """Raises RedraftError for a set that is not here, and for one whose texts were not fetched."""
    manifest, place = find_manifest(name), fetched(name)
    if name in WITH_TEXTS:
        return EvaluationSet(name, read_cases(manifest))
    if not place.is_file():
        raise RedraftError(f"the texts of the set {name} are not there: redraft eval fetch {name}")
    cases = read_cases(place)
    known = {case.id for case in cases}
    return EvaluationSet(name, cases, [case.id for case in read(manifest) if case.id not in known])


def find_manifest(name: str) -> Path:
    """The manifest of a set; raises RedraftError that says where to get it."""
    known = manifests()
    if name not in known:
        raise RedraftError(
            f"no set {name!r} here; there are {', '.join(known) or 'none'}. Sets lie in benchmarks/sets of a clone of "
            "redraft: redraft eval fetch NAME --from FOLDER|URL brings one"
        )
    return known[name]


def manifests() -> dict[str, Path]:
    """The sets at hand by name: those of the clone that this program runs from, and those that were brought."""
    folders = (_brought(), _CLONE)
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.jsonl"))}


def bring(name: str, place: str) -> Path:
    """The manifest of a set from a folder or the URL of one, kept in the cache.

    Raises RedraftError where it has none, and where it cannot be kept.
    """
    file, target = f"{name}.jsonl", _brought() / f"{name}.jsonl"
    try:
        content = _downloaded(f"{place.rstrip('/')}/{file}") if "://" in place else (Path(place) / file).read_bytes()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    except OSError as error:
        raise RedraftError(f"cannot bring the set {name} from {place}: {error}") from error
    return target


def fetched(name: str) -> Path:
    """Where the cases of a set lie once their texts were fetched."""
    return home() / "sets" / f"{name}.jsonl"


def _brought() -> Path:
    return home() / "manifests"


def _downloaded(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=_PATIENCE) as answer:  # its errors are OSErrors
        return bytes(answer.read())
