"""In: folders where writers answered as assistants do. Out: a manifest of their answers, as references; samples."""

import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.samples import check_folder, counts
from redraft.data.edits import read_edits
from redraft.data.samples import write_samples
from redraft.data.tasks import Unfinished, Written, read_tasks, samples
from redraft.errors import RedraftError
from redraft.measure.sets.answers import stored, write_answers


def answers(
    tasks: Annotated[
        Path,
        typer.Argument(
            metavar="TASKS", help="A folder a task: task.json, before.*, after.*, answer.md, instruction.txt, also/."
        ),
    ],
    edits: Annotated[
        list[Path], typer.Option("--edits", metavar="EDITS.parquet", help="Where the tasks' edits are; repeatable.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="MANIFEST.jsonl", help="The answers as references: no one's code.")
    ] = None,
    learn: Annotated[
        Path | None, typer.Option("--samples", metavar="SAMPLES.parquet", help="The answers as samples, to train on.")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many that are finished.")] = None,
) -> int:
    """Collect the answers that writers gave for real edits: a manifest for evaluation, samples for training.

    Of the code of others the manifest holds references alone: `redraft eval fetch` puts the answers together again
    from the clones, and checks them against their hashes.
    """
    targets = [target for target in (out, learn) if target]
    if not targets:
        raise RedraftError("nothing to write: say --out, --samples or both")
    for target in targets:
        check_folder(target)
    found = list(read_tasks(tasks, (edit for path in edits for edit in read_edits(path))))
    written = list(islice((one for one in found if isinstance(one, Written)), count))
    unfinished = [one for one in found if isinstance(one, Unfinished)]
    for one in unfinished:
        if not one.reason.startswith("no answer.md"):
            print(f"left out: {one.folder}: {one.reason}", file=sys.stderr)
    if not written:
        raise RedraftError(f"{tasks}: no task is finished")
    if out:
        write_answers(out, map(stored, written))
    if learn:
        write_samples(learn, samples(written))
    skipped = sum(one.skipped for one in unfinished)
    kinds = counts(Counter("tidy" if one.tidy else "careless" for one in written))
    print(
        f"{len(written)} answers ({kinds}) in {len({one.edit.language for one in written})} languages", file=sys.stderr
    )
    print(f"{len(unfinished) - skipped} tasks not finished, {skipped} skipped by their writers", file=sys.stderr)
    return 0
