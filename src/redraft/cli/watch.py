"""In: answers as they come, by the clipboard or into a folder. Out: each shown, and written where that is wanted."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from redraft.apply import load
from redraft.changes.answer import AnswerResult, Finish, finish, settled
from redraft.changes.plan import Order, plan
from redraft.changes.write import recovered
from redraft.cli import options, show, streams
from redraft.cli.interactive import Questions, wants_best
from redraft.cli.read import clipboard
from redraft.edit.exact.read import files_of
from redraft.errors import RedraftError
from redraft.files import read as files

_EVERY = 0.5  # seconds between two looks
_NO_TERMINAL = "watch asks before it writes; without a terminal add --yes"
_State = dict[Path, tuple[int, int]]  # size and time of change of each file


def watch(
    root: Annotated[Path, typer.Option(metavar="DIR", help="The answers name their files, below DIR.")] = Path("."),
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Take each file that comes into DIR; without it, the clipboard.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write what no guard refuses without asking.")] = False,
    count: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many answers, without those left alone; else at Ctrl-C.")
    ] = None,
    encoding: options.Encoding = None,
    engine: options.Engine = "embedded",
    readers: options.ReadersOption = options.READERS,
    dtype: options.Dtype = None,
) -> int:
    """Take answers as they come, show what each does to the files that it names, and ask."""
    order = Order(load(engine, dtype=dtype, readers=readers), encoding=encoding)
    questions = None if yes else Questions(_NO_TERMINAL)
    came = _copied(clipboard()) if folder is None else _dropped(folder, _state(folder))
    streams.tell(f"waiting for answers {'on the clipboard' if folder is None else f'in {folder}'}; Ctrl-C ends it")
    for number, _ in enumerate(filter(lambda answer: _is_taken(root, answer, order, questions), came), 1):
        if number == count:
            streams.tell(f"stopped after {number} answer{'s' * (number > 1)}, as --count says")
            break
    return 0


def _is_taken(root: Path, answer: str, order: Order, questions: Questions | None) -> bool:
    """Whether it is an answer about files here; what is none is named and left alone."""
    try:
        _take(root, answer, order, questions)
    except RedraftError as error:
        streams.tell(f"left alone: {error}")
        return False
    return True


def _take(root: Path, answer: str, order: Order, questions: Questions | None) -> None:
    streams.note(recovered())
    done = settled(lambda: plan(root, answer, order), Finish(dry_run=questions is not None))
    if questions is not None and any(change.changes_anything for change in done.changes):
        done = _asked(done, questions)
    show.report(done, show.Wanted(False, False, False, False, is_dry=False, has_ways=False), force=done.written)


def _asked(done: AnswerResult, questions: Questions) -> AnswerResult:
    """What was planned, written where that is wanted."""
    if not done.is_accepted:
        is_possible = all(change.is_possible for change in done.changes)
        return finish(done.changes, Finish(force=True)) if is_possible and wants_best(done.changes, questions) else done
    streams.tell(show.coloured(done.diff()) if show.has_colours() else done.diff())
    for change in done.changes:
        for warning in show.warnings(change):
            streams.tell(warning)
    return finish(done.changes, Finish()) if questions.take("write this?") else done


def _copied(last: str) -> Iterator[str]:
    """Each text that comes on the clipboard after the last one and looks like an answer."""
    while True:
        time.sleep(_EVERY)
        text = clipboard()
        if text != last and ("```" in text or files_of(text)):
            yield text
        last = text


def _dropped(folder: Path, before: _State) -> Iterator[str]:
    """The text of each file that comes into the folder or changes there, once it is whole.

    Raises RedraftError where there is no such folder; a file that is no text is named and left alone.
    """
    taken = before
    while True:
        time.sleep(_EVERY)
        now = _state(folder)
        for path in sorted(now):
            if now[path] == before.get(path) and now[path] != taken.get(path):
                taken = {**taken, path: now[path]}
                try:
                    yield files.read(path).text
                except RedraftError as error:
                    streams.tell(f"left alone: {error}")
        before = now


def _state(folder: Path) -> _State:
    try:
        found = [(path, path.stat()) for path in folder.iterdir() if path.is_file() and path.name[0] != "."]
    except OSError as error:
        raise RedraftError(f"cannot look into {folder}: {error.strerror}") from error
    return {path: (stat.st_size, stat.st_mtime_ns) for path, stat in found}
