"""In: a manifest of cases (hashes, no code) and local git clones. Out: the cases with their texts."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.cli import options
from redraft.cli.lines import write_lines
from redraft.data.clones import find_clones
from redraft.errors import RedraftError
from redraft.evals import cases

evaluate = typer.Typer(no_args_is_help=True, help="Measure accuracy on real edits.")

Manifest = Annotated[
    Path, typer.Argument(metavar="MANIFEST", help="Cases by their hashes.", show_default="the development set")
]


@evaluate.command()
def materialise(
    clones: options.Clones,
    out: Annotated[Path, typer.Option("--out", metavar="CASES.jsonl", help="Input lines of `redraft batch`.")],
    manifest: Manifest = cases.DEVELOPMENT,
) -> int:
    """Write the cases of a manifest with their texts, read from git clones.

    To get the clones into the folder DIR:

    redraft eval repositories | xargs -I% git clone --bare https://github.com/% DIR/%
    """
    chosen = cases.read_manifest(manifest)
    find_clones(clones)
    failures: list[str] = []
    write_lines(out, _tasks(chosen, clones, failures), "cases", len(chosen))
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"{len(chosen) - len(failures)} of {len(chosen)} cases written to {out}", file=sys.stderr)
    return 1 if failures else 0


@evaluate.command("repositories")
def show_repositories(manifest: Manifest = cases.DEVELOPMENT) -> int:
    """Print the repositories that a manifest needs, owner/name, a line each."""
    for name in cases.repositories(cases.read_manifest(manifest)):
        print(name)
    return 0


def _tasks(chosen: Sequence[cases.Case], clones: Path, failures: list[str]) -> Iterator[dict[str, Any]]:
    """The tasks; the reasons of those that cannot be made are added to `failures`."""
    for case in chosen:
        try:
            yield from map(asdict, cases.materialise([case], clones))
        except RedraftError as error:
            failures.append(str(error))
