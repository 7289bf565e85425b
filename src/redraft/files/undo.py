"""In: the journal, and a file or a folder. Out: the last change there taken back, or the reason why it cannot be."""

from collections.abc import Callable
from pathlib import Path

from redraft.errors import RedraftError, RefusedError
from redraft.files.journal import Entry, Journal, Kept, digest
from redraft.files.read import File, content
from redraft.files.write import Change, replace


def undo(journal: Journal, file: Path | None, folder: Path, dry_run: bool = False) -> list[Path]:
    """Takes back the last change of a file, or the last change, of all its files, that touched the folder.

    Returns the files that changed; none where an undo that was stopped had brought them back already. Raises
    RefusedError, and changes nothing, where a file is no longer what was written, and RedraftError where nothing is
    known.
    """
    entry, chosen = _last(journal, file, folder)
    changes: list[Change] = []
    for kept in chosen:
        path = Path(kept.path)
        data = content(path)
        if digest(data) == kept.after:
            changes.append(_back(journal, kept, path, data))
        elif digest(data) != kept.before:
            raise RefusedError(f"{path} has changed since redraft wrote it; nothing was undone")
    if not dry_run:
        replace(changes)
        journal.replace(entry, [kept for kept in entry.files if kept not in chosen])
    return [change[0].path for change in changes]


def _last(journal: Journal, file: Path | None, folder: Path) -> tuple[Entry, list[Kept]]:
    meant: Callable[[Kept], bool]
    if file is not None:
        target = str(file.resolve())
        where, meant = str(file), lambda kept: kept.path == target
    else:
        root = folder.resolve()
        where, meant = f"{root} and below", lambda kept: Path(kept.path).is_relative_to(root)
    for entry in journal.entries():
        chosen = [kept for kept in entry.files if meant(kept)]
        if chosen:
            return entry, chosen if file is not None else list(entry.files)
    raise RedraftError(f"nothing to undo: no change of {where} is known")


def _back(journal: Journal, kept: Kept, path: Path, data: bytes | None) -> Change:
    mode = kept.mode if data is None else path.stat().st_mode & 0o7777
    file = File(path, "", "utf-8", b"", mode, data or b"", is_new=data is None)
    return file, None if kept.before is None else journal.content(kept.before)
