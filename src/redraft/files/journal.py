"""In: changes of files, before they are made. Out: a journal of them, from which old contents can be brought back.

`entries` holds a JSON file for each change that was made, `objects` the old contents by their SHA-256, and `pending` an
entry for each change that is being made or taken back. Its writer holds a lock on that, so that whoever comes next sees
which changes were stopped. Each file appears at once. The oldest entries go when the journal grows too large. `number`
holds the highest number that a change was given.
"""

import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from redraft.errors import RedraftError
from redraft.files.folder import opened
from redraft.files.locks import HAS_LOCKS, try_lock
from redraft.files.state import state_folder
from redraft.files.write import Change

LIMIT = 64_000_000  # bytes of old contents, compressed; the newest entry is kept whatever its size


@dataclass(frozen=True)
class Kept:
    """One file of a change: the hashes of its contents before and after, None where there is no file.

    `undone` is when it was taken back, in nanoseconds, 0 where it was not: then what was written is kept, too. `made`
    is how many folders above it the change made.
    """

    path: str
    before: str | None
    after: str | None
    mode: int
    undone: int = 0
    made: int = 0

    @property
    def contents(self) -> set[str]:
        """The contents that are needed to take it back, or to make it again."""
        needed = (self.before, self.after) if self.undone else (self.before,)
        return {name for name in needed if name}


@dataclass(frozen=True)
class Entry:
    """One change of one or more files; names sort by time, and a number is given once."""

    name: str
    files: tuple[Kept, ...]
    number: int = 0  # of an entry that a version without numbers wrote, until it is given one


class _Stored(msgspec.Struct):
    files: tuple[Kept, ...]
    number: int = 0


class Journal:
    """Raises RedraftError where its folder cannot be read or written."""

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.folder = folder or state_folder() / "journal"
        self._entries, self._objects, self._pending = (self.folder / name for name in ("entries", "objects", "pending"))
        self._highest = self.folder / "number"
        self._limit = limit

    @contextmanager
    def changing(self, changes: Sequence[Change]) -> Iterator[Entry]:
        """Keeps what the files hold before they change; within, the entry is pending until it is settled."""
        with self._alone():
            files = tuple(
                Kept(
                    str(file.path),
                    None if file.is_new else self._store(file.data),
                    digest(data),
                    file.mode,
                    made=missing(file.path.parent),
                )
                for file, data in changes
            )
            name = f"{max(time.time_ns(), self._newest() + 1):020}"
            # All entries are read only where no number is noted, as by a version without numbers.
            entry = Entry(name, files, (self._given() or self._numbered()) + 1)
            _place(self._highest, str(entry.number).encode())
            handle = self._begun(entry)
            self._prune()
        with _closing(handle):
            yield entry

    @contextmanager
    def turning(self, entry: Entry, contents: Sequence[bytes] = ()) -> Iterator[None]:
        """Within, files of an entry that was settled are pending: they are taken back or made again.

        A file whose `undone` is set counts as taken back where that is stopped. `contents` is what the files hold.
        """
        with self._alone():
            if (self._pending / _file(entry)).exists():
                raise RedraftError("another redraft is at the same change")
            for data in contents:
                self._store(data)
            handle = self._begun(entry)
        with _closing(handle):
            yield

    def settle(self, entry: Entry, files: Sequence[Kept]) -> None:
        """The pending entry is dealt with: `files` of it are kept, the others are as if they had never changed."""
        with self._alone():
            stored = self._read(self._entries / _file(entry))
            pending = {file.path for file in entry.files}
            number = max(entry.number, stored.number if stored else 0)
            left = [file for file in (stored.files if stored else ()) if file.path not in pending]
            if left or files:
                _place(self._entries / _file(entry), msgspec.json.encode(_Stored((*left, *files), number)))
            else:
                (self._entries / _file(entry)).unlink(missing_ok=True)
            (self._pending / _file(entry)).unlink(missing_ok=True)

    def give_up(self, entry: Entry) -> None:
        """The pending entry is no longer pending; nothing has changed."""
        with self._alone():
            (self._pending / _file(entry)).unlink(missing_ok=True)

    def stopped(self) -> Iterator[Entry]:
        """The changes that nobody makes or takes back any longer: whoever did was killed. Ours while they are looked
        at; settle them. Where a system has no locks nobody knows."""
        for path in self._paths(self._pending) if HAS_LOCKS else ():
            with self._alone():
                entry, handle = self._read(path), _owned(path)
                if entry is None and handle is not None:
                    path.unlink()
            with _closing(handle):
                if entry is not None and handle is not None:
                    yield entry

    def entries(self) -> Iterator[Entry]:
        """Of changes that were made, the newest first; what is damaged is left out."""
        for path in self._paths(self._entries)[::-1]:
            if (entry := self._read(path)) is not None:
                yield entry

    def number(self) -> None:
        """Gives a number to each entry that a version without numbers wrote."""
        if any(not entry.number for entry in self.entries()):
            with self._alone():
                self._numbered()

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

    def _begun(self, entry: Entry) -> int | None:
        """The entry is pending from now on; the handle by which it is ours."""
        path = self._pending / _file(entry)
        _place(path, msgspec.json.encode(_Stored(entry.files, entry.number)))
        return _owned(path)

    def _numbered(self) -> int:
        """The highest number that was ever given, once each entry has one, the oldest the lowest."""
        entries = [*self.entries()][::-1]
        highest = max([self._given(), *(entry.number for entry in entries)])
        for entry in entries:
            if not entry.number:
                highest += 1
                _place(self._entries / _file(entry), msgspec.json.encode(_Stored(entry.files, highest)))
        _place(self._highest, str(highest).encode())
        return highest

    def _given(self) -> int:
        """The highest number as it is noted; 0 where it is not, or damaged."""
        try:
            return int(self._highest.read_bytes())
        except (FileNotFoundError, ValueError):
            return 0

    def _store(self, data: bytes) -> str:
        name = sha256(data).hexdigest()
        if not (self._objects / name).exists():
            _place(self._objects / name, zlib.compress(data))
        return name

    def _paths(self, folder: Path) -> list[Path]:
        with self._said():
            return sorted(folder.glob("*.json"))

    def _read(self, path: Path) -> Entry | None:
        """None for an entry that is not there, or damaged."""
        with self._said():
            try:
                stored = msgspec.json.decode(path.read_bytes(), type=_Stored)
                return Entry(path.stem, stored.files, stored.number)
            except (FileNotFoundError, msgspec.DecodeError, RecursionError):
                return None

    def _newest(self) -> int:
        paths = (*self._paths(self._entries), *self._paths(self._pending))
        return max((int(path.stem) for path in paths if path.stem.isdecimal()), default=0)

    def _prune(self) -> None:
        """Takes the oldest entries away until the rest fits, then contents that no entry names."""
        sizes = {path.name: path.stat().st_size for path in self._objects.iterdir()}
        named = {name for path in self._paths(self._pending) for name in _contents(self._read(path))}
        for path in self._paths(self._entries)[::-1]:
            needed = named | _contents(entry := self._read(path))
            if entry is not None and sum(sizes.get(name, 0) for name in needed) <= self._limit:
                named = needed
            else:
                path.unlink()
        torn = (found for folder in (self._entries, self._pending) for found in folder.glob(".*.new"))
        for path in (*(self._objects / name for name in sizes.keys() - named), *torn):
            path.unlink()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._said():
            for folder in (self._entries, self._objects, self._pending):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with opened(self.folder.resolve()) as journal, journal.locked():
                yield

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RedraftError(f"cannot use the journal in {self.folder}: {error.strerror}") from error
        except zlib.error as error:
            raise RedraftError(f"the journal in {self.folder} is damaged: {error}") from error


def digest(data: bytes | None) -> str | None:
    """The hash by which contents are known, None for no file."""
    return None if data is None else sha256(data).hexdigest()


def missing(folder: Path) -> int:
    """How many folders on the way to this one, itself included, are not there."""
    return next((count for count, each in enumerate((folder, *folder.parents)) if each.exists()), 0)


def _file(entry: Entry) -> str:
    return f"{entry.name}.json"


def _contents(entry: Entry | None) -> set[str]:
    return set[str]().union(*(file.contents for file in entry.files)) if entry else set()


def _owned(path: Path) -> int | None:
    """A handle with a lock on a file, None where somebody else has one."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    if try_lock(handle):
        return handle
    os.close(handle)
    return None


@contextmanager
def _closing(handle: int | None) -> Iterator[None]:
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _place(path: Path, data: bytes) -> None:
    """Writes a file that appears at once."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(path)
