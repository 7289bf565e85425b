"""In: nothing. Out: which models are here, fetched where that is asked for, or written out to train from."""

import json
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import streams

model = typer.Typer(invoke_without_command=True, help="Say which models are here, and fetch them.")


@model.callback()
def which(context: typer.Context) -> None:
    """Print where the models lie, what they were made of, and whether they are as they were written."""
    if context.invoked_subcommand is None:
        from redraft.models.sized import MODELS, state_of

        streams.write(json.dumps({name: state_of(each) for name, each in MODELS.items()}, indent=1) + "\n")


@model.command()
def get(
    name: Annotated[str, typer.Argument(metavar="[small|large]", help="Which one.")] = "small",
    given: Annotated[
        Path | None, typer.Option("--from", metavar="FILE|FOLDER", help="Where it lies; without it, the hub.")
    ] = None,
) -> None:
    """Fetch a model's weights and check them by their hash; an interrupted download goes on where it ended."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    from redraft.models.fetching import get as fetched
    from redraft.models.sized import find_model

    found = find_model(name)
    console = Console(stderr=True)
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
        task = shown.add_task("", total=found.bytes)
        path = fetched(found, given, lambda done: shown.update(task, completed=done))
    streams.write(f"{path}\n")


@model.command()
def base(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write; a new folder.")],
    name: Annotated[str, typer.Option("--model", metavar="small|large", help="Which one.")] = "small",
) -> None:
    """Write a base alone, dequantised, as a Hugging Face folder: `redraft train regions` starts from it."""
    from redraft.models.sized import base_of, find_model

    base_of(find_model(name), folder)
    streams.write(f"{folder}\n")
