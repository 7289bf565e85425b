"""In: a file as it is, and the journal. Out: whether an answer made it so, which then does nothing more.

An answer that only takes lines away cannot tell by itself whether it was applied; the file's last change can.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.files.folder import content
from redraft.files.journal import Journal, Kept, digest
from redraft.result import Result

_BEFORE = "this answer was applied before"


def last_of(path: Path) -> Kept | None:
    """The last change of a file that was not taken back, if the file is still as it left it."""
    if not path.is_absolute():  # a text that came over HTTP
        return None
    try:
        entries = Journal().entries()
        found = (kept for entry in entries for kept in entry.files if kept.path == str(path) and not kept.undone)
        kept = next(found, None)
        return kept if kept is not None and digest(content(path)) == kept.after else None
    except RedraftError:
        return None


def applied_before(file: files.File, apply: Callable[[str], Result]) -> Result | None:
    """No change where the answer makes the file that is there of the one that was there before its last change."""
    kept = last_of(file.path)
    if kept is None or kept.before is None or kept.after is None:
        return None
    try:
        before = files.decode(Journal().content(kept.before), file.path, file.mode, file.encoding)
    except RedraftError:
        return None
    result = apply(before.text)
    if result.status != "applied" or result.output != file.text:
        return None
    return replace(result, status="no_change", message=_BEFORE, vanished=(), added=0, removed=0)


def gone_before(place: Path, target: Path | None) -> Result | None:
    """No change where the last change took the file away, and put it to `target` if there is one."""
    kept = last_of(place)
    if kept is None or kept.after is not None or (target is not None and last_of(target) is None):
        return None
    return Result("no_change", "", 1.0, "merge", _BEFORE)
