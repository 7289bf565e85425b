"""In: a file, or nothing. Out: the last change there taken back."""

from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import options, streams
from redraft.files.journal import Journal
from redraft.files.undo import recover
from redraft.files.undo import undo as take_back


def undo(
    file: Annotated[
        Path | None, typer.Argument(help="The file; without it, the last change below the current folder.")
    ] = None,
    dry_run: options.DryRun = False,
) -> int:
    """Take back the last change of a file, or the last change of all; refuse where a file has changed since."""
    journal = Journal()
    streams.note(recover(journal))
    paths = take_back(journal, file, Path.cwd(), dry_run)
    for path in paths:
        streams.tell(f"{_shown(path)}: the old version {'would come' if dry_run else 'is'} back")
    if not paths:
        streams.tell("nothing written: the last change was undone before")
    return 0


def _shown(path: Path) -> Path:
    """As seen from the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
