"""In: local git clones. Out: the edits of their histories in Parquet; answers and samples of regions."""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import answers, options, regions
from redraft.cli.lines import bar, check_folder
from redraft.cli.next_samples import next_samples
from redraft.cli.small_samples import small_samples
from redraft.data.clones import Clone, find_clones, other_folders
from redraft.data.edits import Edit, write_edits
from redraft.data.mine import LIMITS, Limits, mine, reserved_as
from redraft.edit import jsonl
from redraft.errors import RedraftError

data = typer.Typer(
    no_args_is_help=True, help="Mine edits from git histories; collect answers; pack samples to train on."
)

Names = Annotated[Path | None, typer.Option(metavar="FILE", help="Repositories, owner/name, a line each.")]


@dataclass
class Mining:
    """The edits of clones as they are mined, and how it goes."""

    clones: Sequence[Clone]
    limits: Limits
    seed: int
    edits: int = 0
    missing: int = 0
    started: float = field(default_factory=time.perf_counter)

    def run(self) -> Iterator[Edit]:
        with bar() as watched:
            task = watched.add_task("", total=len(self.clones))
            for clone in self.clones:
                watched.update(task, description=f"{self.said()}; {clone.name}")
                yield from self._mine(clone)
                watched.advance(task)

    def said(self) -> str:
        return f"{self.edits:,} edits, {self.edits / (time.perf_counter() - self.started):,.0f} edits/s"

    def _mine(self, clone: Clone) -> Sequence[Edit]:
        try:
            mined = mine(clone, self.limits, self.seed)
        except RedraftError as error:
            print(f"left out: {error}", file=sys.stderr)
            return ()
        self.edits += len(mined.edits)
        self.missing += mined.missing
        return mined.edits


@data.command("mine")
def mine_edits(
    clones: options.Clones,
    out: Annotated[Path, typer.Option("--out", metavar="EDITS.parquet", help="An edit a row.")],
    per_repository: Annotated[int, typer.Option(min=1, help="At most so many of one.")] = LIMITS.per_repository,
    per_path: Annotated[int, typer.Option(min=1, help="At most so many of one file.")] = LIMITS.per_path,
    max_lines: Annotated[int, typer.Option(min=1, help="Of the file before the edit.")] = LIMITS.max_lines,
    only: Names = None,
    exclude: Names = None,
    seed: Annotated[int, typer.Option(help="Decides which edits of a repository are taken.")] = 0,
) -> int:
    """Mine the single-file edits of git histories; repositories that are reserved for tests are refused."""
    chosen = _chosen(find_clones(clones), only, exclude)
    check_folder(out)
    if only is None and (others := other_folders(clones)):
        print(f"left out, no git clones: {', '.join(map(str, others))}", file=sys.stderr)
    limits = Limits(per_repository=per_repository, per_path=per_path, max_lines=max_lines)
    mining = Mining(chosen, limits, seed)
    if not write_edits(out, mining.run()):
        counts = f"{len(chosen)} repositories, {mining.missing:,} objects missing"
        raise RedraftError(f"no edits in {counts}: {out} is not written")
    print(f"{mining.said()}, {len(chosen)} repositories; {mining.missing:,} objects missing", file=sys.stderr)
    return 0


data.command("answers")(answers.answers)
data.command("regions")(regions.pack)
data.command("small")(small_samples)
data.command("lists")(regions.pack_lists)
data.command("next")(next_samples)


def _chosen(found: Sequence[Clone], only: Path | None, exclude: Path | None) -> list[Clone]:
    wanted, unwanted = _names(only), _names(exclude) or set()
    chosen = [clone for clone in found if clone.name.lower() not in unwanted]
    if wanted is not None:
        if missing := wanted - {clone.name.lower() for clone in found}:
            raise RedraftError(f"no clone of {', '.join(sorted(missing))}")
        chosen = [clone for clone in chosen if clone.name.lower() in wanted]
    if reserved := [_named(clone.name, name) for clone in chosen if (name := reserved_as(clone))]:
        raise RedraftError(f"reserved for tests, never mined: {', '.join(reserved)}; leave them out with --exclude")
    return chosen


def _named(name: str, reserved: str) -> str:
    return name if name == reserved else f"{name} (that is {reserved})"


def _names(file: Path | None) -> set[str] | None:
    return None if file is None else {line.strip().lower() for _, line in jsonl.read_lines(file)}
