"""In: a file, a number, or nothing. Out: changes there listed, taken back, or made again."""

import time
from pathlib import Path
from typing import Annotated

import typer

from redraft.cli import options, streams
from redraft.files import undo as history
from redraft.files.git import committed
from redraft.files.journal import Journal
from redraft.files.write import Change

_Which = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE] [N]",
        help="The file; without it, the current folder. N is a change's number in `redraft log`; without it, the last.",
    ),
]
_File = Annotated[Path | None, typer.Argument(help="The file; without it, the current folder and all below.")]


def undo(which: _Which = None, dry_run: options.DryRun = False) -> int:
    """Take back the last change that was written, or number N, in all its files; refuse where a file changed since."""
    file, number = _named(which or [], "undo")
    changes = history.undo(_journal(), file, Path.cwd(), dry_run, number)
    code = _told(changes, dry_run, "old", "it is undone already")
    if commit := committed([(file.path, file.data) for file, _ in changes]):
        streams.tell(f"note: the commit {commit} stays; commit the old version to take it back there, too")
    return code


def redo(which: _Which = None, dry_run: options.DryRun = False) -> int:
    """Make a change again that `redraft undo` took back, the last or number N; refuse where a file changed since."""
    file, number = _named(which or [], "redo")
    return _told(history.redo(_journal(), file, Path.cwd(), dry_run, number), dry_run, "new", "it is not undone")


def log(
    file: _File = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="At most so many changes.")] = 20,
) -> int:
    """List the changes that redraft wrote, the newest first, with their numbers for `redraft undo N` and `redo N`."""
    found = history.log(_journal(), file, Path.cwd())
    for logged in found[:count]:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(logged.seconds))
        names = ", ".join(str(_shown(Path(kept.path))) for kept in logged.files)
        streams.write(streams.visible(f"{logged.number:>3}  {when}  {names}{_state(logged)}\n"))
    if not found:
        streams.tell("redraft has written nothing here that it knows of")
    return 0


def _journal() -> Journal:
    """What was stopped halfway is taken back before anybody looks."""
    journal = Journal()
    streams.note(history.recover(journal))
    return journal


def _state(logged: history.Logged) -> str:
    if logged.is_undone:
        return "  (undone)" if logged.is_current else "  (undone, changed since)"
    return "" if logged.is_current else "  (changed since)"


def _told(changes: list[Change], is_dry: bool, which: str, why_none: str) -> int:
    """Says what became of each file."""
    for file, data in changes:
        back = f"the {which} version {'would come' if is_dry else 'is'} back"
        gone = "would be removed" if is_dry else "removed"
        streams.say(f"{_shown(file.path)}: {gone if data is None else back}")
    if not changes:
        streams.tell(f"nothing written: {why_none}")
    return 0


def _named(which: list[str], command: str) -> tuple[Path | None, int | None]:
    """The file and the number; digits are a number, unless they are the name of a file."""
    rest = list(which)
    number = rest.pop() if rest and rest[-1].isdecimal() and not (len(rest) == 1 and Path(rest[0]).exists()) else None
    if len(rest) > 1 or number == "0":
        raise typer.BadParameter(f"{command} takes a FILE and a number N from 1 on, each of them once at most")
    return (Path(rest[0]) if rest else None), (None if number is None else int(number))


def _shown(path: Path) -> Path:
    """As seen from the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
