"""In: the changes of an edit. Out: the files written, all or none, remembered in the journal, checked and committed."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from redraft.changes.change import Change
from redraft.errors import ChangedError, RedraftError, RefusedError
from redraft.files.folder import content
from redraft.files.git import Commit
from redraft.files.journal import Journal, Kept, digest
from redraft.files.read import File
from redraft.files.undo import recover
from redraft.files.write import Change as Contents
from redraft.files.write import replace as replace_files


@dataclass(frozen=True)
class Written:
    """What was done besides: the short hash of the commit, and why there is no undo."""

    commit: str = ""
    note: str = ""


def recovered() -> list[str]:
    """Takes back edits whose writers were killed halfway, wherever they were; what was done, a line each."""
    try:
        return list(recover(Journal()))
    except RedraftError:
        return []  # who writes next is told that there is no journal


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
    with _remembered(contents, is_amended=bool(verify)) as note:
        replace_files(contents, keep)
        if verify:
            _verify(verify, contents)
    return Written(pending.make(commit or _message(changes)) if pending else "", note)


@contextmanager
def _remembered(contents: Sequence[Contents], is_amended: bool) -> Iterator[str]:
    """Within, the change is pending in the journal: who kills us there leaves it to the next start to take it back.

    Gives why there is no undo, "" where there is one. `is_amended`: a command may change the files, too.
    """
    journal = Journal()
    with ExitStack() as stack:
        try:
            entry = stack.enter_context(journal.changing(contents))
        except RedraftError as error:
            yield f"this change cannot be undone: {error}"
            return
        try:
            yield ""
        except BaseException as error:
            with suppress(RedraftError):  # a writer that came too late has written nothing
                if isinstance(error, ChangedError) or all(content(file.path) == _before(file) for file, _ in contents):
                    journal.give_up(entry)
            raise
        journal.settle(entry, [_amended(kept) if is_amended else kept for kept in entry.files])


def _amended(kept: Kept) -> Kept:
    return replace(kept, after=digest(content(Path(kept.path))))


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
    group = None if os.name == "nt" else 0
    with subprocess.Popen(
        command, shell=True, stdin=subprocess.DEVNULL, stdout=told, stderr=told, process_group=group
    ) as running:
        try:
            return running.wait()
        except BaseException:
            # With all that it has started: none of them may write to the files that come back now.
            with suppress(OSError):
                running.kill() if group is None else os.killpg(running.pid, signal.SIGKILL)
            raise


def _put_back(contents: Sequence[Contents]) -> None:
    """The old files, whatever the command made of the new ones."""
    try:
        replace_files([_back(file) for file, _ in contents if content(file.path) != _before(file)])
    except ChangedError as error:
        raise RefusedError(str(error)) from error


def _back(file: File) -> Contents:
    now = content(file.path)
    return replace(file, data=now or b"", is_new=now is None), _before(file)


def _before(file: File) -> bytes | None:
    return None if file.is_new else file.data


def _message(changes: Sequence[Change]) -> str:
    names = [change.path for change in changes if change.changes_anything]
    return f"Apply an edit to {names[0]}" if len(names) == 1 else f"Apply an answer to {len(names)} files"
