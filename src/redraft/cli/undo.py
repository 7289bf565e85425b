"""In: a file, a number, or nothing. Out: changes there listed, taken back, or made again."""

import time
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import options, streams
from redraft.files import undo as history
from redraft.files.journal import Journal

_Which = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE] [N]",
        help="The file; without it, the current folder. N is the number of `redraft log`; without it, the last.",
    ),
]
_File = Annotated[Path | None, typer.Argument(help="The file; without it, the current folder and all below.")]


def undo(which: _Which = None, dry_run: options.DryRun = False) -> int:
    """Take back the last change of a file, or of all files; refuse where a file has changed since."""
    file, number = _named(which or [])
    paths = history.undo(_journal(), file, Path.cwd(), dry_run, number)
    for path in paths:
        streams.say(f"{_shown(path)}: the old version {'would come' if dry_run else 'is'} back")
    if not paths:
        streams.tell("nothing written: that change was undone before")
    return 0


def redo(file: _File = None, dry_run: options.DryRun = False) -> int:
    """Make the change again that `redraft undo` took back last; refuse where a file has changed since."""
    paths = history.redo(_journal(), file, Path.cwd(), dry_run)
    for path in paths:
        streams.say(f"{_shown(path)}: the new version {'would come' if dry_run else 'is'} back")
    if not paths:
        streams.tell("nothing written: that change is there already")
    return 0


def log(
    file: _File = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="At most so many changes.")] = 20,
) -> int:
    """List the changes that redraft wrote, the newest first, with the numbers that `redraft undo N` takes."""
    found = history.log(_journal(), file, Path.cwd())
    for logged in found[:count]:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(logged.seconds))
        names = ", ".join(str(_shown(Path(kept.path))) for kept in logged.files)
        streams.write(streams.visible(f"{logged.number or '-':>3}  {when}  {names}{_state(logged)}\n"))
    if not found:
        streams.tell("redraft has written nothing here that it knows of")
    return 0


def _journal() -> Journal:
    """What was stopped halfway is taken back before anybody looks."""
    journal = Journal()
    streams.note(history.recover(journal))
    return journal


def _state(logged: history.Logged) -> str:
    if logged.number is None:
        return "  (undone)" if logged.is_current else "  (undone, changed since)"
    return "" if logged.is_current else "  (changed since)"


def _named(which: list[str]) -> tuple[Path | None, int]:
    """The file and the number; digits are a number, unless they are the name of a file."""
    rest = list(which)
    number = rest.pop() if rest and rest[-1].isdecimal() and not (len(rest) == 1 and Path(rest[0]).exists()) else "1"
    if len(rest) > 1 or int(number) < 1:
        raise typer.BadParameter("undo takes a FILE and a number N from 1 on, each of them once at most")
    return (Path(rest[0]) if rest else None), int(number)


def _shown(path: Path) -> Path:
    """As seen from the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
