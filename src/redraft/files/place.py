"""In: a path as an answer or an agent has it, and a folder. Out: the file that is meant, which lies in the folder."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path, PurePosixPath

from redraft.errors import RedraftError

SKIPPED = frozenset((".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"))
_SHORT = re.compile(r"git~\d+")  # what Windows calls .git where names have eight letters
_DRIVE = re.compile(r"[A-Za-z]:")
_MISLEADING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # they turn the order of what is read


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
    if skipped := of_tools(found.resolve().relative_to(root.resolve()).parts):
        raise RedraftError(f"the answer names a file in {skipped}, which is left alone: {path}")
    return found


def confined(path: str, root: Path) -> Path:
    """The file at exactly this path, below `root` or absolute, with all links on the way followed.

    Raises RedraftError for any path that is, leads or might lead out of `root`, or into a folder of tools. `root` is a
    folder without links on its own way.
    """
    refused = RedraftError(f"{path!r} is not in the folder that may be edited")
    if _is_strange(path):
        raise RedraftError(f"{path!r} is no path: it is empty, or holds characters that belong in none")
    named = PurePosixPath(path.replace("\\", "/"))
    if ".." in named.parts or named.parts[:1] == ("~",) or _DRIVE.match(path) or path[:2] in ("//", "\\\\"):
        raise refused
    try:
        place = root / (named.relative_to(root.as_posix()) if named.is_absolute() else named)
        inner = place.resolve().relative_to(root)
    except (OSError, ValueError, RuntimeError):
        raise refused from None
    if skipped := of_tools((*place.relative_to(root).parts, *inner.parts)):
        raise RedraftError(f"{path!r} is in {skipped}, which is left alone")
    return root / inner


def of_tools(parts: Iterable[str]) -> str:
    """The first name in a path that some file system takes for that of a folder of tools, "" where there is none."""
    return next((part for part in parts if _plain(part) in SKIPPED or _SHORT.fullmatch(_plain(part))), "")


def _plain(part: str) -> str:
    """A name as file systems compare it: no case, nothing that is not seen, no dots or blanks at its end, no stream."""
    seen = "".join(sign for sign in part if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", seen).casefold().partition(":")[0].rstrip(". ")


def _is_strange(path: str) -> bool:
    return not path.strip() or any(unicodedata.category(sign) in ("Cc", "Cs") or sign in _MISLEADING for sign in path)


def _ending(path: PurePosixPath, root: Path) -> Iterator[Path]:
    if not path.name or path.is_absolute():
        return
    for found in root.rglob(escape(path.name)):
        inner = found.relative_to(root)
        if inner.parts[-len(path.parts) :] == path.parts and not of_tools(inner.parts) and found.is_file():
            yield found
