"""In: files in a git repository. Out: which of them git ignores, and a commit of just these files."""

import hashlib
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from redraft.errors import RedraftError, RefusedError


def ignored(paths: Iterable[Path], folder: Path) -> list[Path]:
    """The files that git ignores; none where there is no repository or no git."""
    found = list(paths)
    asked = "".join(f"{path}\0" for path in found)
    try:
        done = _git(folder, "check-ignore", "-z", "--stdin", given=asked)
    except FileNotFoundError:
        return []
    named = set(done.stdout.split("\0"))
    return [path for path in found if str(path) in named]


def committed(files: Sequence[tuple[Path, bytes]]) -> str:
    """The short hash of the commit that made one of the files, as it is in git, what is given; "" where none did."""
    for path, data in files:
        folder = next(each for each in path.parents if each.exists())
        with suppress(OSError):
            held = _git(folder, "rev-parse", "--verify", "-q", f"HEAD:./{path.relative_to(folder).as_posix()}")
            if held.returncode == 0 and held.stdout.strip() == _blob(data, len(held.stdout.strip())):
                return _git(folder, "log", "-1", "--format=%h", "--", str(path)).stdout.strip()
    return ""


def _blob(data: bytes, length: int) -> str:
    """The name that git gives to contents, in a repository whose hashes have so many digits."""
    made = hashlib.sha256 if length > 40 else hashlib.sha1
    return made(b"blob %d\0" % len(data) + data).hexdigest()


class Commit:
    """A commit of some files that is still to be made.

    Raises RedraftError without git or a repository, and RefusedError where something is staged, or where one of the
    files holds changes that are not committed: they would be committed along.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = [str(path) for path in paths]
        self._folder = next(folder for folder in paths[0].parents if folder.exists())
        try:
            top = _git(self._folder, "rev-parse", "--show-toplevel")
        except FileNotFoundError:
            raise RedraftError("--commit needs git") from None
        if top.returncode:
            raise RedraftError(f"--commit needs a git repository, and {self._folder} is in none")
        if staged := _names(self._folder, "diff", "--cached", "--name-only", "-z"):
            raise RefusedError(f"nothing written: {staged[0]} is staged and would be committed along; commit it first")
        for path in paths:
            if path.exists() and _names(self._folder, "status", "--porcelain", "-z", "--ignored", "--", str(path)):
                raise RefusedError(f"nothing written: {path} has changes that are not committed; commit them first")

    def make(self, message: str) -> str:
        """Returns the commit's short hash; raises RedraftError with what git says, the files staying as written."""
        added = _git(self._folder, "add", "--all", "--", *self._paths)
        done = added if added.returncode else _git(self._folder, "commit", "-q", "-m", message, "--", *self._paths)
        if done.returncode:
            _git(self._folder, "reset", "-q", "--", *self._paths)
            said = next((line for line in (done.stderr + done.stdout).splitlines() if line.strip()), "git failed")
            raise RedraftError(f"written, but not committed: {said}")
        return _git(self._folder, "rev-parse", "--short", "HEAD").stdout.strip()


def _names(folder: Path, *arguments: str) -> list[str]:
    return [name for name in _git(folder, *arguments).stdout.split("\0") if name]


def _git(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    literal = [] if arguments[0] == "check-ignore" else ["--literal-pathspecs"]  # which takes no patterns anyway
    command = ["git", "-C", str(folder), *literal, *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, errors="surrogateescape")
