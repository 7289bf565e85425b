"""In: what manifests list, and git clones. Out: the contents of its files, checked; clones of nothing but these."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from redraft.data.clones import Clone, blob_hash, fetch_blobs, find_clones, open_blobs
from redraft.errors import RedraftError

GITHUB = "https://github.com"


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


def repositories(cases: Iterable[Listed]) -> list[str]:
    """The repositories to clone for these cases."""
    return sorted({case.repository for case in cases})


def before_and_after(cases: Sequence[Listed], clones: Path) -> Iterator[tuple[str, str]]:
    """The file of each case on both sides; raises RedraftError that names the missing clones, or the failing case."""
    contents = texts(cases, clones)
    for case in cases:
        before, after = (
            checked(case, blob, contents[case.repository, blob]) for blob in (case.before_blob, case.after_blob)
        )
        yield before, after


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
