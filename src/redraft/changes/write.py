"""In: the changes of an edit. Out: the files written, all or none, remembered in the journal, checked and committed."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from redraft.changes.change import Change
from redraft.errors import ChangedError, RedraftError, RefusedError
from redraft.files.git import Commit
from redraft.files.journal import Entry, Journal, digest
from redraft.files.read import File, content
from redraft.files.write import Change as Contents
from redraft.files.write import replace as replace_files


@dataclass(frozen=True)
class Written:
    """What was done besides: the short hash of the commit, and why there is no undo."""

    commit: str = ""
    note: str = ""


def write(changes: Sequence[Change], verify: str = "", commit: str | None = None, keep: bool = True) -> Written:
    """Writes the files of all changes, or none.

    `verify` is a shell command that runs on the new files; where it fails, the old ones come back. `{}` in it stands
    for their paths. `commit` is the message of a git commit of just these files. `keep` has a text that comes too late
    put beside its file. Raises RedraftError where a file cannot be written, ChangedError where one is not what was
    read, and RefusedError, all files being as they were, where the command fails or git holds more.
    """
    contents = [pair for change in changes for pair in change.contents()]
    if not contents:
        return Written()
    paths = [file.path for file, _ in contents]
    pending = None if commit is None else Commit(paths)
    with _remembered(contents) as (entry, note):
        replace_files(contents, keep)
        if verify:
            _verify(verify, contents)
    if entry is not None and verify:
        _amend(entry)
    return Written(pending.make(commit or _message(changes)) if pending else "", note)


@contextmanager
def _remembered(contents: Sequence[Contents]) -> Iterator[tuple[Entry | None, str]]:
    """An entry in the journal from before the files change; taken out again where they do not."""
    try:
        entry, note = Journal().add(contents), ""
    except RedraftError as error:
        entry, note = None, f"this change cannot be undone: {error}"
    try:
        yield entry, note
    except BaseException as error:
        # An interrupt can come when all is written: then it can be undone. A writer that came too late wrote nothing.
        is_late = isinstance(error, ChangedError)
        if entry is not None and (is_late or all(content(file.path) == _before(file) for file, _ in contents)):
            with suppress(RedraftError):
                Journal().replace(entry, ())
        raise


def _verify(command: str, contents: Sequence[Contents]) -> None:
    """Runs the command; puts the old files back, and raises RefusedError, where it fails or is interrupted."""
    paths = [str(file.path) for file, data in contents if data is not None]
    quoted = subprocess.list2cmdline(paths) if os.name == "nt" else shlex.join(paths)
    try:
        code = _run(command.replace("{}", quoted))
    except BaseException:
        _put_back(contents)
        raise
    if code:
        _put_back(contents)
        files = "the old file is" if len(contents) == 1 else "the old files are"
        raise RefusedError(f"{command!r} failed with exit code {code}; {files} back, nothing was changed")


def _run(command: str) -> int:
    """What it prints goes to standard error: standard output is for results."""
    sys.stderr.flush()
    try:
        told: int | None = sys.stderr.fileno()
    except (OSError, ValueError):
        told = subprocess.DEVNULL
    done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=told, stderr=told, check=False)
    return done.returncode


def _put_back(contents: Sequence[Contents]) -> None:
    """The old files, whatever the command made of the new ones."""
    replace_files([_back(file) for file, _ in contents if content(file.path) != _before(file)])


def _back(file: File) -> Contents:
    now = content(file.path)
    return replace(file, data=now or b"", is_new=now is None), _before(file)


def _before(file: File) -> bytes | None:
    return None if file.is_new else file.data


def _amend(entry: Entry) -> None:
    """Remembers what a formatter made of the files, so that they can be undone."""
    with suppress(RedraftError):
        Journal().replace(entry, [replace(kept, after=digest(content(Path(kept.path)))) for kept in entry.files])


def _message(changes: Sequence[Change]) -> str:
    names = [change.path for change in changes if change.changes_anything]
    return f"Apply an edit to {names[0]}" if len(names) == 1 else f"Apply an answer to {len(names)} files"
