"""In: a manifest of cases (hashes, no code) and git clones. Out: tasks to evaluate on; new manifests.

The clones are local ones, or made here with nothing in them but the files of the cases.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Protocol

from redraft.data.clones import Clone, blob_hash, fetch_blobs, find_clones, open_blobs
from redraft.data.edits import Edit
from redraft.data.manners import ALL_STYLES, sketch_in
from redraft.data.sizes import bucket
from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.rows import read_manifest_rows

GITHUB = "https://github.com"
DEVELOPMENT = Path(__file__).with_name("dev-100.jsonl")
LEAST_LINES = 20
# Files that are mostly not code come half as often as code does.
RARER = frozenset(("markdown", "yaml", "toml", "json"))


@dataclass(frozen=True)
class PublicEdit:
    """One edit of a public history by its hashes, and the style, seed and hash of its sketch."""

    id: str
    repository: str
    commit: str
    path: str
    before_blob: str
    after_blob: str
    language: str
    license: str
    style: str
    seed: int
    update_blob: str

    def __post_init__(self) -> None:
        if self.style not in ALL_STYLES:
            raise RedraftError(f"there is no style {self.style}")


class Listed(Protocol):
    """What a manifest says of any case: where its files come from."""

    @property
    def id(self) -> str: ...
    @property
    def repository(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def before_blob(self) -> str: ...
    @property
    def after_blob(self) -> str: ...


@dataclass(frozen=True)
class Task:
    """A case with its texts; as a dict, an input line of `redraft batch`."""

    id: str
    path: str
    original: str
    update: str
    expected: str
    language: str
    style: str


def read_manifest(path: Path) -> list[PublicEdit]:
    """The cases of a manifest, one JSON object a line; raises RedraftError for a bad one and for none."""
    return read_manifest_rows(path, PublicEdit, "a case")


def write_manifest(path: Path, cases: Iterable[PublicEdit]) -> None:
    """Raises RedraftError where the file cannot be written."""
    jsonl.write(path, map(asdict, cases))


def repositories(cases: Iterable[Listed]) -> list[str]:
    """The repositories to clone for these cases."""
    return sorted({case.repository for case in cases})


def materialise(cases: Sequence[PublicEdit], clones: Path) -> Iterator[Task]:
    """The tasks in the order of the cases; raises RedraftError that names the missing clones, or the failing case."""
    contents = texts(cases, clones)
    for case in cases:
        before, after = (
            checked(case, blob, contents[case.repository, blob]) for blob in (case.before_blob, case.after_blob)
        )
        update = sketch_in(before, after, case.style, case.seed, case.path)
        if update is None:
            raise RedraftError(f"{case.id}: the style {case.style} with seed {case.seed} cannot say this edit")
        if (digest := blob_hash(update.encode(), case.update_blob)) != case.update_blob:
            raise RedraftError(f"{case.id}: its sketch hashes to {digest}, not to {case.update_blob}")
        yield Task(case.id, case.path, before, update, after, case.language, case.style)


def choose(edits: Iterable[Edit], counts: Mapping[str, int], seed: int = 0) -> list[PublicEdit]:
    """At most so many cases of each size class, from 20 lines on: languages by turns, styles evenly; deterministic."""
    pools: dict[str, list[Edit]] = defaultdict(list)
    for edit in sorted(edits, key=lambda e: sha256(f"{seed} {e.before_blob} {e.after_blob}".encode()).digest()):
        if edit.before.count("\n") >= LEAST_LINES:
            pools[bucket(edit.before)].append(edit)
    styles = Counter[str]()
    cases: list[PublicEdit] = []
    for name, count in counts.items():
        wanted = len(cases) + count
        for edit in _by_turns(pools[name]):
            if len(cases) >= wanted:
                break
            style = _style(edit, styles, seed)
            if style and all(case.path != edit.path for case in cases):
                styles[style] += 1
                cases.append(_new_case(edit, style, seed, len(cases)))
    return cases


def _by_turns(edits: Iterable[Edit]) -> Iterator[Edit]:
    queues: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        queues[edit.language].append(edit)
    for turn in cycle((0, 1)):
        if not any(queues.values()):
            return
        for name in sorted(queues):
            if queues[name] and (turn == 0 or name not in RARER):
                yield queues[name].pop(0)


def _style(edit: Edit, used: Counter[str], seed: int) -> str | None:
    """The least used style that can say the edit."""
    by_use = sorted(ALL_STYLES, key=lambda style: used[style])
    return next((s for s in by_use if sketch_in(edit.before, edit.after, s, seed, edit.path) is not None), None)


def _new_case(edit: Edit, style: str, seed: int, number: int) -> PublicEdit:
    update = sketch_in(edit.before, edit.after, style, seed, edit.path)
    assert update is not None
    return PublicEdit(
        id=f"{number:03}-{edit.language}-{edit.commit[:8]}",
        repository=edit.repository,
        commit=edit.commit,
        path=edit.path,
        before_blob=edit.before_blob,
        after_blob=edit.after_blob,
        language=edit.language,
        license=edit.license,
        style=style,
        seed=seed,
        update_blob=blob_hash(update.encode(), edit.before_blob),
    )


def fetch(cases: Sequence[Listed], folder: Path, place: str = GITHUB) -> Iterator[str]:
    """Bring the files of the cases that clones in `folder` lack from `place`/OWNER/NAME; a repository at a time.

    Yields for each "", or its name and what went wrong.
    """
    for name in repositories(cases):
        clone = Clone(name, folder / name)
        wanted = dict.fromkeys(
            blob for case in cases if case.repository == name for blob in (case.before_blob, case.after_blob)
        )
        if (clone.git_dir / "HEAD").is_file():
            with open_blobs(clone) as blobs:
                wanted = dict.fromkeys(blob for blob in wanted if blobs.read(blob) is None)
        failure = fetch_blobs(f"{place}/{name}", clone, list(wanted)) if wanted else ""
        yield f"{name}: {failure}" if failure else ""


def texts(cases: Sequence[Listed], folder: Path) -> dict[tuple[str, str], bytes | None]:
    """The contents of all blobs, by repository and hash; one git process a repository."""
    clones = {clone.name: clone for clone in find_clones(folder)}
    missing = [name for name in repositories(cases) if name not in clones]
    if missing:
        raise RedraftError(f"{folder} has no clone of {', '.join(missing)}")
    found: dict[tuple[str, str], bytes | None] = {}
    for name in repositories(cases):
        with open_blobs(clones[name]) as blobs:
            for case in cases:
                if case.repository == name:
                    found |= {(name, blob): blobs.read(blob) for blob in (case.before_blob, case.after_blob)}
    return found


def checked(case: Listed, blob: str, content: bytes | None) -> str:
    """The content as text, when it is what its hash says; raises RedraftError that names the case."""
    if content is None:
        raise RedraftError(f"{case.id}: the clone of {case.repository} has no blob {blob} ({case.path})")
    digest = blob_hash(content, blob)
    if digest != blob:
        raise RedraftError(f"{case.id}: {case.path} hashes to {digest}, not to {blob}")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RedraftError(f"{case.id}: {case.path} is not UTF-8") from error
