"""In: the journal, and a file or a folder. Out: changes there listed, taken back and made again, or why they cannot be.

Changes are numbered from 1, the newest first; one that was taken back has no number until it is made again. A change
whose writer was killed is taken back as well, whenever somebody looks for such changes.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from redraft.errors import RedraftError, RefusedError
from redraft.files.folder import content
from redraft.files.journal import Entry, Journal, Kept, digest
from redraft.files.read import File
from redraft.files.write import Change, sweep
from redraft.files.write import replace as replace_files


@dataclass(frozen=True)
class Logged:
    """A change: its number, None for one that was taken back, and which files it was about."""

    number: int | None
    entry: Entry
    files: tuple[Kept, ...]
    is_current: bool

    @property
    def seconds(self) -> float:
        """When it was made, since the epoch."""
        return int(self.entry.name) / 1e9


def log(journal: Journal, file: Path | None, folder: Path) -> list[Logged]:
    """The changes of a file, or those that touched the folder, the newest first.

    `is_current`: all its files are still as it left them, so that it can be taken back, or made again, at once.
    """
    found, number = list[Logged](), 0
    for entry in journal.entries():
        for files in _split(_chosen(entry, file, folder)):
            number += not files[0].undone
            is_current = all(_is_left(kept) for kept in files)
            found.append(Logged(None if files[0].undone else number, entry, files, is_current))
    return found


def undo(journal: Journal, file: Path | None, folder: Path, dry_run: bool = False, number: int = 1) -> list[Path]:
    """Takes back a change of a file, or of all its files one that touched the folder; the last, or that of a number.

    Returns the files that changed; none where an undo that was stopped had brought them back already. Raises
    RefusedError, and changes nothing, where a file is no longer what was written, and RedraftError where nothing is
    known.
    """
    entry, chosen = _numbered(journal, file, folder, number)
    changes: list[Change] = []
    for kept in chosen:
        data = content(Path(kept.path))
        if digest(data) == kept.after:
            changes.append(_change(journal, kept, data, kept.before))
        elif digest(data) != kept.before:
            raise RefusedError(f"{kept.path} has changed since redraft wrote it{_later(journal, kept, entry)}")
    if not dry_run:
        now = time.time_ns()
        _turn(journal, entry, [replace(kept, undone=now) for kept in chosen], changes, now)
    return [change[0].path for change in changes]


def redo(journal: Journal, file: Path | None, folder: Path, dry_run: bool = False) -> list[Path]:
    """Makes again what was taken back last, of a file or of all files of a change; raises as `undo` does."""
    found = [
        (entry, [kept for kept in _chosen(entry, file, folder) if kept.undone])
        for entry in journal.entries()
        if any(kept.undone for kept in _chosen(entry, file, folder))
    ]
    if not found:
        raise RedraftError(f"nothing to redo: no change of {_where(file, folder)} was taken back")
    entry, undone = max(found, key=lambda each: max(kept.undone for kept in each[1]))
    last = max(kept.undone for kept in undone)
    chosen, changes = [kept for kept in undone if kept.undone == last], list[Change]()
    for kept in chosen:
        data = content(Path(kept.path))
        if digest(data) == kept.before:
            changes.append(_change(journal, kept, data, kept.after))
        elif digest(data) != kept.after:
            raise RefusedError(f"{kept.path} has changed since the change was taken back; nothing was written")
    if not dry_run:
        _turn(journal, entry, chosen, changes, 0)
    return [change[0].path for change in changes]


def recover(journal: Journal) -> Iterator[str]:
    """Takes back the changes that were stopped halfway, or in their check; says so, a line each.

    Where a file holds something else by now, the change stays as it is, and `undo` takes it back.
    """
    for entry in journal.stopped():
        named = ", ".join(kept.path for kept in entry.files)
        try:
            done = _recovered(journal, entry)
        except RedraftError as error:
            journal.settle(entry, [replace(kept, undone=0) for kept in entry.files])
            done = f"could not be taken back: {error}"
        if done:
            yield f"an edit of {named} was stopped before its end and {done}"


def _recovered(journal: Journal, entry: Entry) -> str:
    """What was done, "" where there was nothing to do."""
    sweep([Path(kept.path) for kept in entry.files])
    found = [(kept, content(Path(kept.path))) for kept in entry.files]
    if any(digest(data) not in (kept.before, kept.after) for kept, data in found):
        journal.settle(entry, [replace(kept, after=digest(data), undone=0) for kept, data in found])
        return "is left as it is, since not all is as it was written; redraft undo takes it back"
    changes = [
        _change(journal, kept, data, kept.before)
        for kept, data in found
        if kept.before != kept.after and digest(data) == kept.after
    ]
    replace_files(changes, keep=False)
    journal.settle(entry, [kept for kept in entry.files if kept.undone])
    return "is taken back" if changes else ""


def _turn(journal: Journal, entry: Entry, chosen: Sequence[Kept], changes: Sequence[Change], undone: int) -> None:
    """Makes the changes of some files of an entry, pending meanwhile, and notes when they were taken back, or 0."""
    pending = Entry(entry.name, tuple(chosen))
    with journal.turning(pending, [file.data for file, _ in changes if not file.is_new]):
        try:
            replace_files(changes, keep=False)
        except BaseException:
            journal.give_up(pending)
            raise
        journal.settle(pending, [replace(kept, undone=undone) for kept in chosen])


def _numbered(journal: Journal, file: Path | None, folder: Path, number: int) -> tuple[Entry, list[Kept]]:
    """A change that was not taken back, by its number."""
    made = (
        (entry, left)
        for entry in journal.entries()
        if (left := [kept for kept in _chosen(entry, file, folder) if not kept.undone])
    )
    found = next(islice(made, number - 1, None), None)
    if found is None:
        what = "nothing to undo: no change" if number == 1 else f"nothing to undo: no change number {number}"
        raise RedraftError(f"{what} of {_where(file, folder)} is known")
    return found


def _chosen(entry: Entry, file: Path | None, folder: Path) -> list[Kept]:
    """The files of a change that are meant: that file, or all of them where one lies in the folder."""
    if file is not None:
        target = str(file.resolve())
        return [kept for kept in entry.files if kept.path == target]
    root = folder.resolve()
    is_meant = any(Path(kept.path).is_relative_to(root) for kept in entry.files)
    return list(entry.files) if is_meant else []


def _where(file: Path | None, folder: Path) -> str:
    return str(file) if file is not None else f"{folder.resolve()} and below"


def _split(files: Sequence[Kept]) -> list[tuple[Kept, ...]]:
    """The files that are as they were written, and those that were taken back."""
    parts = ([kept for kept in files if bool(kept.undone) == undone] for undone in (False, True))
    return [tuple(part) for part in parts if part]


def _is_left(kept: Kept) -> bool:
    """Whether a file is still as the change left it."""
    try:
        return digest(content(Path(kept.path))) == (kept.before if kept.undone else kept.after)
    except RedraftError:
        return False


def _later(journal: Journal, kept: Kept, entry: Entry) -> str:
    """Which later change stands in the way, if one does."""
    behind = [
        each
        for each in journal.entries()
        if each.name > entry.name and any(one.path == kept.path and not one.undone for one in each.files)
    ]
    return "; nothing was undone" + (f": {len(behind)} later change(s) of it come first" if behind else "")


def _change(journal: Journal, kept: Kept, data: bytes | None, wanted: str | None) -> Change:
    path = Path(kept.path)
    mode = kept.mode if data is None else path.stat().st_mode & 0o7777
    file = File(path, "", "utf-8", b"", mode, data or b"", is_new=data is None)
    return file, None if wanted is None else journal.content(wanted)
