"""In: mined edits. Out: samples of next edits, a JSON object a line."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.lines import check_folder
from redraft.data.edits import read_edits
from redraft.data.mine import PERMISSIVE
from redraft.data.next_samples import samples
from redraft.errors import RedraftError


def next_samples(
    edits: Annotated[Path, typer.Argument(metavar="EDITS.parquet", help="Edits, as `redraft data mine` writes them.")],
    out: Annotated[Path, typer.Option("--out", metavar="SAMPLES.jsonl", help="A sample a line.")],
    permissive: Annotated[
        bool, typer.Option("--permissive", help=f"Only edits under {', '.join(sorted(PERMISSIVE))}.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Decides which steps of an edit are taken.")] = 0,
) -> int:
    """Make samples of next edits in Sweep's format: steps between and inside commits, half with nothing to change."""
    check_folder(out)
    known = [edit for edit in read_edits(edits) if not permissive or edit.license in PERMISSIVE]
    kinds = Counter[str]()
    with out.open("w", encoding="utf-8") as file:
        for sample in samples(known, seed):
            kinds[sample.step.kind] += 1
            file.write(json.dumps(sample.record()) + "\n")
    if not kinds:
        out.unlink()
        raise RedraftError(f"no edit of {edits} makes a sample: {out} is not written")
    print(", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items())), file=sys.stderr)
    return 0
