"""In: nothing. Out: the commands that fine-tune models to apply edits, and the one that says what a model loses."""

import typer

from redraft.cli.lean import cut, lean
from redraft.cli.regions import regions
from redraft.cli.tune import bits, tune

train = typer.Typer(no_args_is_help=True, help="Fine-tune a model to apply edits.")
train.command()(tune)
train.command()(lean)
train.command()(cut)
train.command()(regions)
train.command()(bits)
