"""In: mined edits. Out: a packed file of samples of next edits."""

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.lines import counts
from redraft.cli.regions import Model, tokens_for
from redraft.data.edits import read_edits
from redraft.data.mine import PERMISSIVE
from redraft.data.next_samples import samples
from redraft.errors import RedraftError


def next_samples(
    edits: Annotated[Path, typer.Argument(metavar="EDITS.parquet", help="Edits, as `redraft data mine` writes them.")],
    out: Annotated[Path, typer.Option("--out", metavar="SAFETENSORS", help="Where the ids go.")],
    model: Model,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")] = 1200,
    permissive: Annotated[
        bool, typer.Option("--permissive", help=f"Only edits under {', '.join(sorted(PERMISSIVE))}.")
    ] = False,
    unchanged: Annotated[float, typer.Option(min=0, max=0.9, help="The share with nothing to change.")] = 0.5,
    gaps: Annotated[
        float, typer.Option(min=0, max=0.9, help="The share that asks for the text at the cursor, as Qwen's models do.")
    ] = 0.0,
    foretold: Annotated[
        bool, typer.Option("--foretold", help="Only windows whose new words stand in the prompt.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Decides which steps of an edit are taken.")] = 0,
) -> int:
    """Pack samples of next edits: steps of commits in Sweep's format, gaps in Qwen's, some with nothing to say."""
    tokens = tokens_for(model, out)
    from redraft.train.packed import write_packed

    known = [edit for edit in read_edits(edits) if not permissive or edit.license in PERMISSIVE]
    found = list(samples(known, seed, unchanged, gaps, foretold))
    if not found:
        raise RedraftError(f"no edit of {edits} makes a sample: {out} is not written")
    print(counts(Counter(sample.style for sample in found)), file=sys.stderr)
    print(f"{counts(Counter(write_packed(found, tokens, longest, out)))} in {out}", file=sys.stderr)
    return 0
