"""In: changes of files, before they are made. Out: a journal of them, from which old contents can be brought back.

A folder holds an entry for each change, a JSON file, and the old contents by their SHA-256. Each file appears in it
at once, so that the journal can be read whenever a writer is killed. The oldest entries go when it grows too large.
"""

import json
import os
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from redraft.errors import RedraftError
from redraft.files.state import state_folder
from redraft.files.write import Change, locked

LIMIT = 64_000_000  # bytes of old contents, compressed; the newest entry is kept whatever its size


@dataclass(frozen=True)
class Kept:
    """One file of a change: the hashes of its contents before and after, None where there is no file.

    `undone` is when it was taken back, in nanoseconds, 0 where it was not: then what was written is kept, too.
    """

    path: str
    before: str | None
    after: str | None
    mode: int
    undone: int = 0

    @property
    def contents(self) -> set[str]:
        """The contents that are needed to take it back, or to make it again."""
        needed = (self.before, self.after) if self.undone else (self.before,)
        return {name for name in needed if name}


@dataclass(frozen=True)
class Entry:
    """One change of one or more files; names sort by time."""

    name: str
    files: tuple[Kept, ...]


class Journal:
    """Raises RedraftError where its folder cannot be read or written."""

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.folder = folder or state_folder() / "journal"
        self._entries, self._objects = self.folder / "entries", self.folder / "objects"
        self._limit = limit

    def add(self, changes: Sequence[Change]) -> Entry:
        """Keeps what the files hold before they change."""
        with self._alone():
            files = tuple(
                Kept(str(file.path), None if file.is_new else self._store(file.data), digest(data), file.mode)
                for file, data in changes
            )
            entry = Entry(f"{max(time.time_ns(), self._newest() + 1):020}", files)
            self._write(entry)
            self._prune(entry)
        return entry

    def replace(self, entry: Entry, files: Iterable[Kept]) -> None:
        """Writes an entry with other files; one without any goes."""
        kept = Entry(entry.name, tuple(files))
        with self._alone():
            if kept.files:
                self._write(kept)
            else:
                (self._entries / f"{entry.name}.json").unlink(missing_ok=True)

    def keep(self, contents: Iterable[bytes]) -> None:
        """Stores what files hold that are about to be taken back."""
        with self._alone():
            for data in contents:
                self._store(data)

    def entries(self) -> Iterator[Entry]:
        """The newest first; raises RedraftError for one that cannot be read."""
        with self._said():
            paths = sorted(self._entries.glob("*.json"), reverse=True)
        for path in paths:
            with self._said():
                entry = _entry(path)
            yield entry

    def content(self, name: str) -> bytes:
        """The contents with that hash."""
        with self._said():
            path = self._objects / name
            if not path.exists():
                raise RedraftError("what was written there is no longer kept")
            data = zlib.decompress(path.read_bytes())
        if digest(data) != name:
            raise RedraftError(f"the journal is damaged: {self._objects / name} is not what was kept")
        return data

    def _store(self, data: bytes) -> str:
        name = sha256(data).hexdigest()
        if not (self._objects / name).exists():
            _place(self._objects / name, zlib.compress(data))
        return name

    def _write(self, entry: Entry) -> None:
        text = json.dumps({"files": [asdict(file) for file in entry.files]})
        _place(self._entries / f"{entry.name}.json", text.encode())

    def _newest(self) -> int:
        names = [path.stem for path in self._entries.glob("*.json") if path.stem.isdecimal()]
        return max(map(int, names), default=0)

    def _prune(self, newest: Entry) -> None:
        """Takes the oldest entries away until the rest fits, then contents that no entry names."""
        sizes = {path.name: path.stat().st_size for path in self._objects.iterdir()}
        named: set[str] = set()
        for path in sorted(self._entries.glob("*.json"), reverse=True):
            with suppress(RedraftError, ValueError):
                needed = named.union(*(file.contents for file in _entry(path).files))
                if path.stem == newest.name or sum(sizes.get(name, 0) for name in needed) <= self._limit:
                    named = needed
                    continue
            path.unlink()
        for path in (*(self._objects / name for name in sizes.keys() - named), *self._entries.glob("*.new")):
            path.unlink()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._said():
            for folder in (self._entries, self._objects):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self.folder):
                yield

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RedraftError(f"cannot use the journal in {self.folder}: {error.strerror}") from error
        except (ValueError, zlib.error) as error:
            raise RedraftError(f"the journal in {self.folder} is damaged: {error}") from error


def digest(data: bytes | None) -> str | None:
    """The hash by which contents are known, None for no file."""
    return None if data is None else sha256(data).hexdigest()


def _entry(path: Path) -> Entry:
    """Raises ValueError for what is no entry."""
    try:
        return Entry(path.stem, tuple(Kept(**file) for file in json.loads(path.read_bytes())["files"]))
    except (TypeError, KeyError) as error:
        raise ValueError(f"{path.name} is no entry") from error


def _place(path: Path, data: bytes) -> None:
    """Writes a file that appears at once."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(path)
