"""In: a folder of local git clones. Out: their names, the file changes of their history, and the contents of blobs.

Clones lie in the folder as `owner+name/repo`, `owner/name` or `name`; each is bare or has a work tree.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path
from typing import IO

from redraft.errors import RedraftError

COMMIT = "commit "


@dataclass(frozen=True)
class Clone:
    """A repository by name ("owner/name", or "name" where the owner is not known) and its git directory."""

    name: str
    git_dir: Path


@dataclass(frozen=True)
class Change:
    """One file that one commit modified."""

    commit: str
    path: str
    before_blob: str
    after_blob: str


def find_clones(folder: Path) -> list[Clone]:
    """All clones of a folder, by name; raises RedraftError when the folder is none or holds none, or without git."""
    if shutil.which("git") is None:
        raise RedraftError("git is not installed: clones are read with it")
    if not folder.is_dir():
        raise RedraftError(f"{folder} is not a folder")
    found = [Clone(name, git_dir) for name, path in _places(folder) if (git_dir := _git_dir(path))]
    if not found:
        raise RedraftError(f"{folder} holds no git clones (owner+name/repo, owner/name or name)")
    return sorted(found, key=lambda clone: clone.name)


def other_folders(folder: Path) -> list[Path]:
    """What lies where clones do and is none."""
    return sorted(path for _, path in _places(folder) if not _git_dir(path))


def other_names(clone: Clone) -> Iterator[str]:
    """What else may say a clone's owner and name: the folders that it lies in, the addresses of its remotes."""
    for path in (clone.git_dir.absolute(), clone.git_dir.resolve()):
        yield _owner_and_name(str(path))
    with _git(clone, "config", "--get-regexp", r"^remote\..*\.url$") as git:
        assert git.stdout
        for line in git.stdout:
            yield _owner_and_name(line.decode("utf-8", "replace").rstrip("\n").partition(" ")[2])


def changes(clone: Clone, max_files: int) -> Iterator[Change]:
    """Modified files, newest first, of the non-merge commits that touch at most `max_files` files.

    Raises RedraftError when the clone has no commit or lacks a part of its history.
    """
    command = ["log", "--no-merges", "--no-renames", "--raw", "--no-abbrev", f"--format={COMMIT}%H", "HEAD"]
    with _git(clone, "-c", "core.quotePath=false", *command) as git:
        assert git.stdout
        commit, raw = "", list[str]()
        for line in git.stdout:
            text = line.decode("utf-8", "replace").rstrip("\n")
            if text.startswith(COMMIT):
                yield from _modified(commit, raw, max_files)
                commit, raw = text.removeprefix(COMMIT), []
            elif text.startswith(":"):
                raw.append(text)
        yield from _modified(commit, raw, max_files)
        message = _said(git)
        if git.wait():
            raise RedraftError(f"the history of {clone.name} cannot be read in {clone.git_dir}: {message}")


class Blobs:
    """Contents of objects, read through one git process; `missing` counts the names that the clone lacks."""

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._requests, self._replies = requests, replies
        self.missing = 0

    def read(self, name: str) -> bytes | None:
        """The object called `name` (a hash, or "HEAD:path"), None when it is not there or no file."""
        self._requests.write(name.encode() + b"\n")
        self._requests.flush()
        reply = self._replies.readline()
        if not reply:
            raise BrokenPipeError("git has ended")
        header = reply.split()
        if len(header) != 3 or not header[2].isdigit():
            self.missing += 1
            return None
        content = self._replies.read(int(header[2]))
        self._replies.read(1)
        return content if header[1] == b"blob" else None


@contextmanager
def open_blobs(clone: Clone) -> Iterator[Blobs]:
    """Raises RedraftError, with git's reason, where it cannot read the clone."""
    said = ""
    try:
        with _git(clone, "cat-file", "--batch") as git:
            assert git.stdin
            assert git.stdout
            try:
                yield Blobs(git.stdin, git.stdout)
            except BrokenPipeError:
                said = _said(git)
                raise
    except BrokenPipeError as error:
        raise RedraftError(f"the files of {clone.name} cannot be read in {clone.git_dir}: {said}") from error


def fetch_blobs(url: str, clone: Clone, hashes: Sequence[str]) -> str:
    """Bring files of a repository into a clone, made if need be, without its history; "" or why some did not come.

    Raises RedraftError where the clone cannot be made.
    """
    if not (clone.git_dir / "HEAD").is_file():
        clone.git_dir.mkdir(parents=True, exist_ok=True)
        if failure := _run(clone, "init", "--quiet", "--bare", str(clone.git_dir)):
            raise RedraftError(f"{clone.git_dir} cannot be made: {failure}")
    failure = _fetch(url, clone, hashes)
    if "not our ref" in failure and len(hashes) > 1:  # one that is gone spoils the fetch of all
        failures = [_fetch(url, clone, [name]) for name in hashes]
        failure = next(filter(None, failures), "")
    return failure


def _fetch(url: str, clone: Clone, hashes: Sequence[str]) -> str:
    patience = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60", "-c", "fetch.negotiationAlgorithm=noop")
    quiet = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
    return _run(clone, *patience, "fetch", *quiet, "--stdin", url, given="\n".join(hashes) + "\n")


def _run(clone: Clone, *arguments: str, given: str = "") -> str:
    """ "" or what git complained of."""
    with _git(clone, *arguments) as git:
        _, said = git.communicate(given.encode())
    return (" ".join(said.decode("utf-8", "replace").split()) or "git failed") if git.returncode else ""


def blob_hash(content: bytes, like: str) -> str:
    """The hash that git gives a file's content, of the kind that `like` is: SHA-1 or SHA-256."""
    return (sha1 if len(like) == 40 else sha256)(b"blob %d\0" % len(content) + content).hexdigest()


def _places(folder: Path) -> Iterator[tuple[str, Path]]:
    """The names and folders of what lies where clones do."""
    for entry in folder.iterdir():
        # Of a folder that is a clone itself the name is not known, nor whether it is reserved for tests.
        if entry.name == ".git" or not entry.is_dir():
            continue
        if _git_dir(entry):
            yield _name(entry).replace("+", "/"), entry
        elif "+" in entry.name:
            yield _name(entry).replace("+", "/"), entry / "repo"
        else:
            yield from ((f"{entry.name}/{_name(child)}", child) for child in entry.iterdir() if child.is_dir())


def _owner_and_name(place: str) -> str:
    """The end of a URL or a path, which is `owner/name` where it says both."""
    parts = [part for part in re.split(r"[/:\\]", place) if part not in ("", ".", ".git")]
    if len(parts) > 1 and parts[-1] == "repo" and "+" in parts[-2]:
        parts.pop()
    return "/".join("/".join(parts).replace("+", "/").split("/")[-2:]).removesuffix(".git")


def _name(entry: Path) -> str:
    """The repository's name, without what git puts behind that of a bare clone."""
    return entry.name.removesuffix(".git")


def _git_dir(path: Path) -> Path | None:
    for candidate in (path / ".git", path):
        if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir():
            return candidate
    return None


@contextmanager
def _git(clone: Clone, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    # A partial clone must not fetch what it lacks: mining touches no network.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", f"--git-dir={clone.git_dir}", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as git:
        try:
            yield git
        finally:
            git.kill()


def _said(git: subprocess.Popen[bytes]) -> str:
    """What git complained of until it ended, as one line."""
    assert git.stderr
    return " ".join(git.stderr.read().decode("utf-8", "replace").split())


def _modified(commit: str, raw: list[str], max_files: int) -> Iterator[Change]:
    if len(raw) > max_files:
        return
    for line in raw:
        fields, _, path = line.partition("\t")
        old_mode, new_mode, before, after, status = fields[1:].split(" ")
        if status == "M" and old_mode[:3] == new_mode[:3] == "100" and before != after and not path.startswith('"'):
            yield Change(commit, path, before, after)
