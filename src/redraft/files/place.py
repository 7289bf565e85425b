"""In: a path as an answer has it, and a folder. Out: the file that is meant, which lies in the folder."""

from collections.abc import Iterator
from glob import escape
from pathlib import Path, PurePosixPath

from redraft.errors import RedraftError

SKIPPED = frozenset((".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"))


def find(path: str, root: Path) -> Path:
    """The file below `root` at this path, or the only one there whose path ends so.

    A path where nothing is names a file that is to be made. Raises RedraftError for a path out of `root` or in a folder
    of tools, and when several files may be meant.
    """
    named = PurePosixPath(path.replace("\\", "/"))
    try:
        place = root / named
        ends = [place] if place.exists() else sorted(_ending(named, root))
        if len(ends) > 1:
            shown = ", ".join(str(end.relative_to(root)) for end in ends[:3])
            raise RedraftError(f"the answer may mean several files by {path}: {shown}; write the whole path")
        found = ends[0] if ends else place
        inside = found.resolve().is_relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError) as error:
        raise RedraftError(f"the answer names no file that can be: {path}: {error}") from error
    if not inside or ".." in named.parts:
        raise RedraftError(f"the answer names a file outside of {root}: {path}")
    skipped = SKIPPED.intersection(found.resolve().relative_to(root.resolve()).parts)
    if skipped:
        raise RedraftError(f"the answer names a file in {min(skipped)}, which is left alone: {path}")
    return found


def _ending(path: PurePosixPath, root: Path) -> Iterator[Path]:
    if not path.name or path.is_absolute():
        return
    for found in root.rglob(escape(path.name)):
        inner = found.relative_to(root)
        if inner.parts[-len(path.parts) :] == path.parts and not SKIPPED & set(inner.parts) and found.is_file():
            yield found
