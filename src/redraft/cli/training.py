"""In: nothing. Out: what the training commands share: arguments, the check for extras, the progress bar."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from redraft.errors import RedraftError

Edits = Annotated[Path, typer.Argument(metavar="EDITS.parquet", help="Edits, as `redraft data mine` writes them.")]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write.")]


def need(package: str) -> None:
    """Raises RedraftError, which says what to install, when a package is missing."""
    try:
        __import__(package)
    except ImportError as error:
        raise RedraftError(f"training needs {package}: pip install 'redraft[train]'") from error


def quiet() -> None:
    """Keeps transformers' own progress bars, which do not look for a terminal, off standard error."""
    from transformers.utils import logging

    logging.disable_progress_bar()


def bar() -> Progress:
    """Steps done and time left, on a terminal only."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=console, disable=not console.is_terminal)
