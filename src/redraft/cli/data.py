"""In: local git clones. Out: the edits of their histories in Parquet, and manifests of cases chosen from them."""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from redraft.cli import answers, drift, options, regions, samples
from redraft.cli.next_samples import next_samples
from redraft.cli.samples import Edits, check_folder
from redraft.data.clones import Clone, find_clones, other_folders
from redraft.data.edits import Edit, read_edits, write_edits
from redraft.data.mine import LIMITS, PERMISSIVE, Limits, mine, reserved_as
from redraft.data.sizes import BUCKETS
from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.sets import public

SIZES = tuple(name for _, name in BUCKETS)

data = typer.Typer(
    no_args_is_help=True, help="Mine edits from git histories, sketch and mix them; choose cases from them."
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
        console = Console(stderr=True)
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task("", total=len(self.clones))
            for clone in self.clones:
                bar.update(task, description=f"{self.said()}; {clone.name}")
                yield from self._mine(clone)
                bar.advance(task)

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


data.command("sketch")(samples.sketch)
data.command("drift")(drift.drift)
data.command("lessons")(drift.lessons)
data.command("answers")(answers.answers)
data.command("mix")(samples.mix)
data.command("regions")(regions.pack)
data.command("next")(next_samples)


@data.command("choose")
def choose_cases(
    edits: Edits,
    out: Annotated[Path, typer.Option("--out", metavar="MANIFEST.jsonl", help="Cases by their hashes, no code.")],
    sizes: Annotated[
        str, typer.Option(metavar="N,N,...", help=f"How many of each size class: {', '.join(SIZES)} lines.")
    ] = "50,50",
    permissive: Annotated[
        bool, typer.Option("--permissive", help=f"Only edits under {', '.join(sorted(PERMISSIVE))}.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Decides which edits, and how their sketches are written.")] = 0,
) -> int:
    """Choose cases for a development or test set, spread over sizes, languages and styles of sketches."""
    check_folder(out)
    known = (edit for edit in read_edits(edits) if not permissive or edit.license in PERMISSIVE)
    chosen = public.choose(known, _counts(sizes), seed)
    if not chosen:
        raise RedraftError(f"no edit of {edits} makes a case: {out} is not written")
    public.write_manifest(out, chosen)
    print(f"{len(chosen)} cases of {len(public.repositories(chosen))} repositories", file=sys.stderr)
    return 0


def _counts(sizes: str) -> dict[str, int]:
    numbers = sizes.split(",")
    if len(numbers) > len(SIZES) or not all(number.strip().isdigit() for number in numbers):
        raise RedraftError(f"--sizes {sizes}: at most {len(SIZES)} whole numbers with commas between")
    return dict(zip(SIZES, map(int, numbers), strict=False))


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
