"""In: the name of an evaluation set, or a manifest. Out: its cases with their texts, from the network or clones."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli.lines import shown, write_lines
from redraft.data.clones import find_clones
from redraft.errors import RedraftError
from redraft.home import home
from redraft.measure.sets import manifests, named, public

SetOrManifest = Annotated[
    str, typer.Argument(metavar="SET", help="A set of benchmarks/sets, such as redraft-450, or a manifest of your own.")
]


def fetch(
    name: SetOrManifest,
    clones: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Take the files from these git clones and touch no network."),
    ] = None,
    place: Annotated[
        str | None,
        typer.Option("--from", metavar="FOLDER|URL", help="Where manifests lie; without it, in the clone of redraft."),
    ] = None,
    origin: Annotated[str, typer.Option(metavar="URL", help="Where the repositories OWNER/NAME lie.")] = public.GITHUB,
    out: Annotated[
        Path | None, typer.Option(metavar="CASES.jsonl", help="Without it, where `eval run --set` looks for the set.")
    ] = None,
) -> int:
    """Get the files of a set's cases and write the cases; all contents are checked against the hashes of the manifest.

    Only the files themselves are fetched, not the history: some megabytes. What lies there already is not fetched
    again. Manifests and clones are kept in REDRAFT_HOME, without it in the user's cache folder.
    """
    if place is not None:
        named.bring(name, place)
    if name in named.WITH_TEXTS:
        print(f"{len(named.read_set(name).cases)} cases in {named.find_manifest(name)}", file=sys.stderr)
        return 0
    manifest = _manifest(name)
    chosen = manifests.read(manifest)
    target = out or named.fetched(manifest.stem)
    if clones is None:
        clones = home() / "clones"
        _make(clones)
        _bring(chosen, clones, origin)
    find_clones(clones)
    if out is None:
        _make(target.parent)
    failures: list[str] = []
    write_lines(target, _tasks(chosen, clones, failures), "cases", len(chosen))
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"{len(chosen) - len(failures)} of {len(chosen)} cases written to {target}", file=sys.stderr)
    return 1 if failures else 0


def repositories(name: SetOrManifest) -> int:
    """Print the repositories that a set needs, owner/name, a line each."""
    for repository in public.repositories(manifests.read(_manifest(name))):
        print(repository)
    return 0


def _manifest(name: str) -> Path:
    return Path(name) if name.endswith(".jsonl") else named.find_manifest(name)


def _bring(chosen: Sequence[public.Listed], clones: Path, origin: str) -> None:
    fetched = public.fetch(chosen, clones, origin)
    for failure in shown(fetched, "repositories", len(public.repositories(chosen))):
        if failure:
            print(f"failed: {failure}", file=sys.stderr)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RedraftError(f"cannot make {folder}: {error.strerror}") from error


def _tasks(chosen: Sequence[manifests.Listed], clones: Path, failures: list[str]) -> Iterator[dict[str, Any]]:
    """The tasks; the reasons of those that cannot be made are added to `failures`."""
    for case in chosen:
        try:
            yield from map(asdict, manifests.tasks([case], clones))
        except RedraftError as error:
            failures.append(str(error))
