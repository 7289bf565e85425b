"""In: mined edits. Out: samples of answers that retell and word freely, in Parquet, and lessons for the ranker."""

import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.lines import write_lines
from redraft.cli.samples import Edits, check_folder, counts, shown
from redraft.data.drift_samples import DriftWriter
from redraft.data.edits import read_edits
from redraft.data.readings import misreadings
from redraft.data.rows import count_rows
from redraft.data.samples import chosen, read_samples, write_samples
from redraft.errors import RedraftError


def lessons(
    sources: Annotated[list[Path], typer.Argument(metavar="SAMPLES.parquet...", help="With the right files.")],
    out: Annotated[Path, typer.Option("--out", metavar="JSONL", help="A pair of a right and a wrong file a line.")],
) -> int:
    """Let the reader read samples, and keep what it takes or weighs and is wrong: lessons for the ranker."""
    check_folder(out)
    samples = (sample for source in sources for sample in read_samples(source))
    found = list(misreadings(shown(samples, "read", sum(map(count_rows, sources)))))
    write_lines(out, map(asdict, found), "lessons", len(found))
    print(f"{len(found):,} lessons written to {out}", file=sys.stderr)
    return 0


def drift(
    edits: Edits,
    out: Annotated[Path, typer.Option("--out", metavar="SAMPLES.parquet", help="A sample a row.")],
    pairs: Annotated[
        Path | None,
        typer.Option("--lessons", metavar="JSONL", help="Where pairs of a right and a wrong file go."),
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="At most so many edits; without it, all.")] = None,
    per_edit: Annotated[int, typer.Option(min=1, help="At most so many styles of one edit.")] = 1,
    seed: Annotated[int, typer.Option(help="Decides wordings, what is retold, and which edits are taken.")] = 0,
) -> int:
    """Write answers of careless assistants for edits: context retold, markers in free words, diffs without headers.

    The right file of each is known. A lesson is such an answer with the right file and a wrong one, as a reader that
    falls for it would write it.
    """
    for target in filter(None, (out, pairs)):
        check_folder(target)
    writer = DriftWriter(seed, per_edit)
    taken = chosen(read_edits(edits), count, seed)
    made = write_samples(out, (sample for edit in taken for sample in writer.samples(edit)))
    if not made:
        raise RedraftError(f"there are no samples: {out} is not written")
    print(f"{made:,} samples of {len(taken):,} edits: {counts(writer.written)}", file=sys.stderr)
    if pairs:
        found = writer.lessons
        write_lines(pairs, map(asdict, found), "lessons", len(found))
        print(f"{len(found):,} lessons: {counts(Counter(one.kind for one in found))}", file=sys.stderr)
    return 0
