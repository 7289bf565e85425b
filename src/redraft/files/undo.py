"""In: the journal, and a file or a folder. Out: changes there listed, taken back and made again, or why they cannot be.

A change keeps the number that it was given when it was made, also where it is taken back or made again. One whose
writer was killed is taken back as well, whenever somebody looks for such changes.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from redraft.errors import RedraftError, RefusedError
from redraft.files.folder import content, opened
from redraft.files.journal import Entry, Journal, Kept, digest, missing
from redraft.files.read import File
from redraft.files.write import Change, sweep
from redraft.files.write import replace as replace_files

_MOST = 3  # later changes that are named


@dataclass(frozen=True)
class Logged:
    """A change, and which files it was about: those that were taken back, or those that were not."""

    entry: Entry
    files: tuple[Kept, ...]
    is_current: bool

    @property
    def number(self) -> int:
        return self.entry.number

    @property
    def is_undone(self) -> bool:
        return bool(self.files[0].undone)

    @property
    def seconds(self) -> float:
        """When it was made, since the epoch."""
        return int(self.entry.name) / 1e9


def log(journal: Journal, file: Path | None, folder: Path) -> list[Logged]:
    """The changes of a file, or those that touched the folder, the newest first.

    `is_current`: all its files are still as it left them, so that it can be taken back, or made again, at once.
    """
    journal.number()
    return [
        Logged(entry, files, all(_is_left(kept) for kept in files))
        for entry in journal.entries()
        for files in _split(_chosen(entry, file, folder))
    ]


def undo(
    journal: Journal, file: Path | None, folder: Path, dry_run: bool = False, number: int | None = None
) -> list[Change]:
    """Takes back a change of a file, or of all its files one that touched the folder; the last, or that of a number.

    Returns what becomes of the files that change; nothing where they were brought back before. Raises RefusedError, and
    changes nothing, where a file is no longer what was written, and RedraftError where nothing is known.
    """
    entry, chosen = _made(journal, file, folder, number)
    changes: list[Change] = []
    for kept in chosen:
        data = content(Path(kept.path))
        if digest(data) == kept.after:
            changes.append(_change(journal, kept, data, kept.before))
        elif digest(data) != kept.before:
            raise RefusedError(_in_the_way(journal, kept, entry))
    if chosen and not dry_run:
        now = time.time_ns()
        _turn(journal, entry, [replace(kept, undone=now) for kept in chosen], changes, now)
        _leave(chosen)
    return changes


def redo(
    journal: Journal, file: Path | None, folder: Path, dry_run: bool = False, number: int | None = None
) -> list[Change]:
    """Makes a change again that was taken back, the one taken back last or that of a number; as `undo` otherwise."""
    entry, chosen = _undone(journal, file, folder, number)
    changes = list[Change]()
    for kept in chosen:
        data = content(Path(kept.path))
        if digest(data) == kept.before:
            changes.append(_change(journal, kept, data, kept.after))
        elif digest(data) != kept.after:
            raise RefusedError(f"{kept.path} has changed since the change was taken back; nothing was written")
    if chosen and not dry_run:
        made = [replace(kept, made=missing(Path(kept.path).parent)) for kept in chosen]
        _turn(journal, entry, made, changes, 0)
    return changes


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
    _leave(entry.files)
    journal.settle(entry, [kept for kept in entry.files if kept.undone])
    return "is taken back" if changes else ""


def _turn(journal: Journal, entry: Entry, chosen: Sequence[Kept], changes: Sequence[Change], undone: int) -> None:
    """Makes the changes of some files of an entry, pending meanwhile, and notes when they were taken back, or 0."""
    pending = replace(entry, files=tuple(chosen))
    with journal.turning(pending, [file.data for file, _ in changes if not file.is_new]):
        try:
            replace_files(changes, keep=False)
        except BaseException:
            journal.give_up(pending)
            raise
        journal.settle(pending, [replace(kept, undone=undone) for kept in chosen])


def _made(journal: Journal, file: Path | None, folder: Path, number: int | None) -> tuple[Entry, list[Kept]]:
    """A change, and its files that were not taken back: the last that has such files, or that of a number."""
    for entry, files in _known(journal, file, folder, number, "undo"):
        left = [kept for kept in files if not kept.undone]
        if left or number is not None:
            return entry, left
    raise RedraftError(f"nothing to undo: no change of {_where(file, folder)} is known")


def _undone(journal: Journal, file: Path | None, folder: Path, number: int | None) -> tuple[Entry, list[Kept]]:
    """A change, and its files that were taken back last: of all changes, or of that with a number."""
    found = list(_known(journal, file, folder, number, "redo"))
    last = max((kept.undone for _, files in found for kept in files), default=0)
    if not last and number is None:
        raise RedraftError(f"nothing to redo: no change of {_where(file, folder)} was taken back")
    entry, files = next(each for each in found if not last or any(kept.undone == last for kept in each[1]))
    return entry, [kept for kept in files if kept.undone and kept.undone == last]


def _known(
    journal: Journal, file: Path | None, folder: Path, number: int | None, what: str
) -> Iterator[tuple[Entry, list[Kept]]]:
    """The changes that are meant, the newest first; raises RedraftError for a number that none of them has."""
    journal.number()
    found = [(entry, files) for entry in journal.entries() if (files := _chosen(entry, file, folder))]
    if number is not None:
        found = [each for each in found if each[0].number == number]
        if not found:
            which = f"no change number {number} of {_where(file, folder)} is known"
            raise RedraftError(f"nothing to {what}: {which}; redraft log lists them")
    yield from found


def _chosen(entry: Entry, file: Path | None, folder: Path) -> list[Kept]:
    """The files of a change that are meant: that file, or all of them where one lies in the folder."""
    if file is not None:
        target = str(file.resolve())
        return [kept for kept in entry.files if kept.path == target]
    root = folder.resolve()
    is_intended = any(Path(kept.path).is_relative_to(root) for kept in entry.files)
    return list(entry.files) if is_intended else []


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


def _in_the_way(journal: Journal, kept: Kept, entry: Entry) -> str:
    """Why a change cannot be taken back: the later ones that come first, or somebody else's."""
    later = [
        each.number
        for each in journal.entries()
        if each.name > entry.name and any(one.path == kept.path and not one.undone for one in each.files)
    ]
    if not later:
        return f"{kept.path} has changed since redraft wrote it; nothing was undone"
    first = ", then ".join(f"redraft undo {number}" for number in later[:_MOST])
    more = f", and {len(later) - _MOST} more" if len(later) > _MOST else ""
    return f"nothing was undone: redraft changed {kept.path} again since; take that back first: {first}{more}"


def _leave(files: Sequence[Kept]) -> None:
    """Removes the folders that a change made for files that are gone, where nothing else is in them."""
    made = {folder for kept in files if kept.before is None for folder in [*Path(kept.path).parents][: kept.made]}
    for folder in sorted(made, key=lambda each: len(each.parts), reverse=True):
        with suppress(OSError), opened(folder.parent) as above:
            above.remove_folder(folder.name)


def _change(journal: Journal, kept: Kept, data: bytes | None, wanted: str | None) -> Change:
    path = Path(kept.path)
    mode = kept.mode if data is None else path.stat().st_mode & 0o7777
    file = File(path, "", "utf-8", b"", mode, data or b"", is_new=data is None)
    return file, None if wanted is None else journal.content(wanted)
