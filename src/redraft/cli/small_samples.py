"""In: files of small cases. Out: a packed file of samples of regions."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli.packing import write_regions
from redraft.cli.regions import Model, tokens_for
from redraft.measure.score.small import Small, read_small


def small_samples(
    cases: Annotated[list[Path], typer.Argument(metavar="CASES.jsonl", help="Files of small cases.")],
    out: Annotated[Path, typer.Option("--out", metavar="SAFETENSORS", help="Where the ids go.")],
    model: Model,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")] = 1600,
    seed: Annotated[int, typer.Option(help="Decides the order.")] = 0,
) -> int:
    """Pack samples of regions from small cases; a fifth of them, by their names, is held out."""
    tokens = tokens_for(model, out)
    told = ((f"{file.stem}/{case.id}", _Told(case)) for file in cases for case in read_small(file) if case.right)
    return write_regions(told, tokens, longest, out, seed, Counter())


class _Told:
    """A small case as an edit that was told: its first right text is what is learned."""

    def __init__(self, case: Small) -> None:
        self.id, self.path, self.original, self.update = case.id, case.path, case.original, case.update
        self.expected, self.style = case.right[0], "small"
