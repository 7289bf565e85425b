"""In: git clones. Out: the answers of the sets of these repositories, as far as they may be learned from."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from redraft.data.clones import find_clones
from redraft.data.mine import is_reserved
from redraft.errors import RedraftError
from redraft.measure.sets.answers import AnswerTask
from redraft.measure.sets.calls import CallTask
from redraft.measure.sets.manifests import Listed, read, tasks
from redraft.measure.sets.named import UNREAD, find_manifest, manifests

SKETCHES = "sketches-1814"


def learnable(clones: Path, sketches: float = 0.0, seed: int = 0) -> list[Listed]:
    """Each answer once; `sketches` by rules for each of them, drawn by a seed. None is of a repository of the sets that
    nobody reads, or that is reserved."""
    unread = {one.repository for name in UNREAD for one in read(find_manifest(name))}
    cloned = {clone.name for clone in find_clones(clones)}
    open_ = {repository for repository in cloned - unread if not is_reserved(repository)}
    names = [name for name in manifests() if name.startswith("answers-") and name not in UNREAD]
    listed = (one for name in names for one in read(find_manifest(name)) if one.repository in open_)
    found: dict[str, Listed] = {}
    for one in listed:
        found.setdefault(getattr(one, "answer_blob", one.id), one)
    ruled = [one for one in read(find_manifest(SKETCHES)) if one.repository in open_]
    Random(seed).shuffle(ruled)
    return [*found.values(), *ruled[: round(sketches * len(found))]]


def with_texts(
    listed: Iterable[Listed], clones: Path, met: Counter[str]
) -> Iterator[tuple[str, AnswerTask | CallTask]]:
    """Each with its repository; what is not in its clone is counted."""
    for one in listed:
        try:
            (task,) = tasks([one], clones)
        except RedraftError:
            met["not in its clone"] += 1
        else:
            yield one.repository, task
