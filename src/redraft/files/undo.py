"""In: the journal, and a file or a folder. Out: the last change there taken back, or the reason why it cannot be.

A change whose writer was killed is taken back as well, whenever somebody looks for such changes.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace as with_fields
from pathlib import Path

from redraft.errors import RedraftError, RefusedError
from redraft.files.folder import content
from redraft.files.journal import Entry, Journal, Kept, digest
from redraft.files.read import File
from redraft.files.write import Change, replace, sweep


def undo(journal: Journal, file: Path | None, folder: Path, dry_run: bool = False) -> list[Path]:
    """Takes back the last change of a file, or the last change, of all its files, that touched the folder.

    Returns the files that changed; none where an undo that was stopped had brought them back already. Raises
    RefusedError, and changes nothing, where a file is no longer what was written, and RedraftError where nothing is
    known.
    """
    entry = _last(journal, file, folder)
    for kept in entry.files:
        if digest(content(Path(kept.path))) not in (kept.before, kept.after):
            raise RefusedError(f"{kept.path} has changed since redraft wrote it; nothing was undone")
    changes = _changes(journal, entry)
    if not dry_run:
        with journal.taking_back(entry):
            try:
                replace(changes)
            except BaseException:
                journal.give_up(entry)
                raise
            journal.settle(entry, ())
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
            journal.settle(entry, entry.files)
            done = f"could not be taken back: {error}"
        if done:
            yield f"an edit of {named} was stopped before its end and {done}"


def _recovered(journal: Journal, entry: Entry) -> str:
    """What was done, "" where there was nothing to do."""
    sweep([Path(kept.path) for kept in entry.files])
    now = {kept.path: digest(content(Path(kept.path))) for kept in entry.files}
    if any(now[kept.path] not in (kept.before, kept.after) for kept in entry.files):
        journal.settle(entry, [with_fields(kept, after=now[kept.path]) for kept in entry.files])
        return "is left as it is, since not all is as it was written; redraft undo takes it back"
    changes = _changes(journal, entry)
    replace(changes)
    journal.settle(entry, ())
    return "is taken back" if changes else ""


def _last(journal: Journal, file: Path | None, folder: Path) -> Entry:
    """The entry with those of its files that are meant."""
    meant: Callable[[Kept], bool]
    if file is not None:
        target = str(file.resolve())
        where, meant = str(file), lambda kept: kept.path == target
    else:
        root = folder.resolve()
        where, meant = f"{root} and below", lambda kept: Path(kept.path).is_relative_to(root)
    for entry in journal.entries():
        chosen = tuple(kept for kept in entry.files if meant(kept))
        if chosen:
            return entry if file is None else Entry(entry.name, chosen)
    raise RedraftError(f"nothing to undo: no change of {where} is known")


def _changes(journal: Journal, entry: Entry) -> list[Change]:
    """What brings the files back that are as the change has made them."""
    found = [(kept, content(Path(kept.path))) for kept in entry.files if kept.before != kept.after]
    return [_back(journal, kept, data) for kept, data in found if digest(data) == kept.after]


def _back(journal: Journal, kept: Kept, data: bytes | None) -> Change:
    path = Path(kept.path)
    mode = kept.mode if data is None else path.stat().st_mode & 0o7777
    file = File(path, "", "utf-8", b"", mode, data or b"", is_new=data is None)
    return file, None if kept.before is None else journal.content(kept.before)
