"""In: a path as an answer or an agent has it, and a folder. Out: the file that is meant, which lies in the folder."""

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
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
    if _is_strange(path):
        raise RedraftError(f"the answer names no file that can be: {path!r}")
    named = PurePosixPath(path.replace("\\", "/"))
    if _leads_away(path, named):
        raise RedraftError(f"the answer names a file outside of {root}: {path}")
    try:
        if named.is_absolute():
            named = named.relative_to(root.resolve().as_posix())
        place = root / named
        ends = [place] if place.exists() else sorted(_ending(named, root))
        if len(ends) > 1:
            shown = ", ".join(str(end.relative_to(root)) for end in ends[:3])
            raise RedraftError(f"the answer may mean several files by {path}: {shown}; write the whole path")
        found = ends[0] if ends else place
        check_inside(found.resolve(), root, path)
    except ValueError:
        raise RedraftError(f"the answer names a file outside of {root}: {path}") from None
    except (OSError, RuntimeError) as error:
        raise RedraftError(f"the answer names no file that can be: {path}: {error}") from error
    if skipped := of_tools(found.relative_to(root).parts):
        raise RedraftError(f"the answer names a file in {skipped}, which is left alone: {path}")
    return found


def check_inside(file: Path, root: Path, named: str) -> None:
    """Raises RedraftError for a file, at a path without links, that is not below `root`, or in a folder of tools."""
    top = root.resolve()
    if not file.is_relative_to(top):
        raise RedraftError(f"the answer names a file outside of {root}: {named}")
    if skipped := of_tools(file.relative_to(top).parts):
        raise RedraftError(f"the answer names a file in {skipped}, which is left alone: {named}")


def confined(path: str, root: Path) -> Path:
    """The file at exactly this path, below `root` or absolute, with all links on the way followed.

    Raises RedraftError for any path that is, leads or might lead out of `root`, or into a folder of tools. `root` is a
    folder without links on its own way.
    """
    refused = RedraftError(f"{path!r} is not in the folder that may be edited")
    if _is_strange(path):
        raise RedraftError(f"{path!r} is no path: it is empty, or holds characters that belong in none")
    named = PurePosixPath(path.replace("\\", "/"))
    if _leads_away(path, named):
        raise refused
    try:
        place = root / (named.relative_to(root.as_posix()) if named.is_absolute() else named)
        inner = place.resolve().relative_to(root)
    except (OSError, ValueError, RuntimeError):
        raise refused from None
    if skipped := of_tools((*place.relative_to(root).parts, *inner.parts)):
        raise RedraftError(f"{path!r} is in {skipped}, which is left alone")
    return root / inner


def git_folder(file: Path, root: Path, coming: Iterable[Path] = ()) -> Path | None:
    """The folder on the way from `root` to a file that git would take for its own, whatever it is called.

    Git runs what stands in there. `coming` are files that are to be made; all paths are without links.
    """
    made = {folder for path in coming for folder in (path, *path.parents)}

    def holds(folder: Path, *names: str) -> bool:
        return all(os.path.lexists(folder / name) or folder / name in made for name in names)

    folders = (folder for folder in file.parents if folder.is_relative_to(root))
    return next((each for each in folders if holds(each, "HEAD") and _is_filled(each, holds)), None)


def _is_filled(folder: Path, holds: Callable[..., bool]) -> bool:
    return holds(folder, "objects", "refs") or holds(folder, "commondir")


def of_tools(parts: Iterable[str]) -> str:
    """The first name in a path that some file system takes for that of a folder of tools, "" where there is none."""
    return next((part for part in parts if _plain(part) in SKIPPED or _SHORT.fullmatch(_plain(part))), "")


def _plain(part: str) -> str:
    """A name as file systems compare it: no case, nothing that is not seen, no dots or blanks at its end, no stream."""
    seen = "".join(sign for sign in part if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", seen).casefold().partition(":")[0].rstrip(". ")


def _leads_away(path: str, named: PurePosixPath) -> bool:
    is_home = path.startswith("~") and (len(named.parts) > 1 or path == "~")
    return ".." in named.parts or is_home or bool(_DRIVE.match(path)) or path[:2] in ("//", "\\\\")


def _is_strange(path: str) -> bool:
    is_blank = not all(part.strip() for part in re.split(r"[/\\]+", path.strip("/\\")))
    return is_blank or any(unicodedata.category(sign) in ("Cc", "Cs") or sign in _MISLEADING for sign in path)


def _ending(path: PurePosixPath, root: Path) -> Iterator[Path]:
    """The files below `root` whose paths end so; neither links to folders nor folders of tools are entered."""
    if not path.name or path.is_absolute():
        return
    folders = [root]
    while folders:
        folder = folders.pop()
        with suppress(OSError), os.scandir(folder) as entries:  # one that cannot be read, or lies too deep
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and not of_tools((entry.name,)):
                    folders.append(folder / entry.name)
                elif entry.name == path.name and entry.is_file():
                    inner = (folder / entry.name).relative_to(root)
                    if inner.parts[-len(path.parts) :] == path.parts:
                        yield folder / entry.name
