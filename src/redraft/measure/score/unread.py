"""In: manifests of sets that nobody reads, and git clones. Out: their cases, as far as the clones have the files."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from redraft.data.clones import find_clones
from redraft.errors import RedraftError
from redraft.measure.cases import Case, case_of
from redraft.measure.sets import manifests
from redraft.measure.sets.named import EvaluationSet


def unread(listing: Iterable[Path], clones: Path) -> Iterator[EvaluationSet]:
    """The set of each manifest, with the ids of the cases whose files the clones lack.

    Raises RedraftError where there are no clones.
    """
    there = {clone.name for clone in find_clones(clones)}
    for manifest in listing:
        cases, missing = list[Case](), list[str]()
        for listed in manifests.read(manifest):
            found = _case(listed, clones) if listed.repository in there else None
            if found is None:
                missing.append(listed.id)
            else:
                cases.append(found)
        yield EvaluationSet(manifest.stem, cases, missing)


def _case(listed: manifests.Listed, clones: Path) -> Case | None:
    try:
        (task,) = manifests.tasks([listed], clones)
    except RedraftError:
        return None
    return case_of(asdict(task))
