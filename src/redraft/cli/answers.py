"""In: folders where writers answered as assistants do. Out: a manifest of their answers, as references."""

import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.lines import check_folder, counts
from redraft.data.edits import read_edits
from redraft.data.tasks import Unfinished, Written, read_tasks
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
        Path, typer.Option("--out", metavar="MANIFEST.jsonl", help="The answers as references: no one's code.")
    ],
    count: Annotated[int | None, typer.Option(min=1, help="At most so many that are finished.")] = None,
) -> int:
    """Collect the answers that writers gave for real edits, as a manifest for evaluation and training.

    Of the code of others the manifest holds references alone: `redraft eval fetch` puts the answers together again
    from the clones, and checks them against their hashes.
    """
    check_folder(out)
    found = list(read_tasks(tasks, (edit for path in edits for edit in read_edits(path))))
    written = list(islice((one for one in found if isinstance(one, Written)), count))
    unfinished = [one for one in found if isinstance(one, Unfinished)]
    for one in unfinished:
        if not one.reason.startswith("no answer.md"):
            print(f"left out: {one.folder}: {one.reason}", file=sys.stderr)
    if not written:
        raise RedraftError(f"{tasks}: no task is finished")
    write_answers(out, map(stored, written))
    skipped = sum(one.skipped for one in unfinished)
    kinds = counts(Counter("tidy" if one.tidy else "careless" for one in written))
    print(
        f"{len(written)} answers ({kinds}) in {len({one.edit.language for one in written})} languages", file=sys.stderr
    )
    print(f"{len(unfinished) - skipped} tasks not finished, {skipped} skipped by their writers", file=sys.stderr)
    return 0
