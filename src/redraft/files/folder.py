"""In: a folder. Out: the same, opened once, with its files by name: whoever exchanges it for a link leads nowhere.

The way to it is opened a folder at a time, and no link on it is followed. Where a system cannot work relative to an
open folder (Windows), its path is used.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from redraft.errors import RedraftError
from redraft.files.locks import lock, unlock

_RELATIVE = os.open in os.supports_dir_fd
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _PLAIN
_WAY = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _PLAIN  # enough to go on from there
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _PLAIN  # a pipe would wait for its writer
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN
_PRIVATE = 0o600


@dataclass(frozen=True)
class Folder:
    """An open folder; its methods raise OSError, and follow no link."""

    path: Path
    handle: int | None

    def read(self, name: str) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file, and what is known of it."""
        with self.opened(name) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            return file.read(), found

    def opened(self, name: str) -> BinaryIO:
        return open(self._place(name), "rb", opener=lambda place, _: os.open(place, _READ, dir_fd=self.handle))

    def stat(self, name: str) -> os.stat_result | None:
        """None where there is no file."""
        try:
            return os.stat(self._place(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def is_same(self, name: str, other: str) -> bool:
        """Whether two names are those of one file."""
        one, two = self.stat(name), self.stat(other)
        return one is not None and two is not None and os.path.samestat(one, two)

    def is_writable(self, name: str) -> bool:
        return os.access(self._place(name), os.W_OK, dir_fd=self.handle)

    def make(self, name: str, data: bytes, finish: Callable[[int], None]) -> None:
        """A new file on the disk, private until `finish` has had its handle."""
        with open(self._place(name), "wb", opener=self._make) as file:
            file.write(data)
            file.flush()
            finish(file.fileno())
            os.fsync(file.fileno())

    def rename(self, name: str, to: str) -> None:
        """Replaces what is there."""
        os.replace(self._place(name), self._place(to), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def link(self, name: str, to: str) -> None:
        """Another name for the same file; raises FileExistsError where there is a file of that name."""
        place, target = self._place(name), self._place(to)
        os.link(place, target, src_dir_fd=self.handle, dst_dir_fd=self.handle, follow_symlinks=False)

    def remove(self, name: str) -> None:
        os.unlink(self._place(name), dir_fd=self.handle)

    def remove_folder(self, name: str) -> None:
        """Raises OSError where anything is in it."""
        os.rmdir(self._place(name), dir_fd=self.handle)

    def names(self) -> list[str]:
        return os.listdir(self.path if self.handle is None else self.handle)

    def sync(self) -> None:
        """Makes renaming last through a power cut, where the system can do that."""
        if self.handle is not None:
            with suppress(OSError):
                os.fsync(self.handle)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """No other redraft writes into the folder meanwhile, where the system has such locks."""
        if self.handle is None:
            yield
            return
        lock(self.handle)
        try:
            yield
        finally:
            unlock(self.handle)

    def _make(self, place: str, flags: int) -> int:
        return os.open(place, _MAKE, _PRIVATE, dir_fd=self.handle)

    def _place(self, name: str) -> str | Path:
        return self.path / name if self.handle is None else name


@contextmanager
def opened(path: Path, makes: bool = False) -> Iterator[Folder]:
    """The folder at a path that holds no link; raises OSError where it cannot be opened.

    With `makes` it is made where it is missing, and removed again where it is empty at the end.
    """
    with ExitStack() as stack:
        if _RELATIVE:
            handle = _descended(path, makes, stack)
            stack.callback(os.close, handle)
            yield Folder(path, handle)
            return
        for folder in reversed([folder for folder in (path, *path.parents) if makes and not folder.exists()]):
            folder.mkdir(exist_ok=True)
            stack.callback(_removed, folder)
        yield Folder(path, None)


def _descended(path: Path, makes: bool, stack: ExitStack) -> int:
    """The handle of the last folder of a way; what is made on it is removed when the stack is left."""
    handle = os.open(path.anchor, _WAY if len(path.parts) > 1 else _FOLDER)
    for left, name in zip(range(len(path.parts) - 2, -1, -1), path.parts[1:], strict=True):
        try:
            below = _below(name, handle, is_last=not left)
        except FileNotFoundError:
            if not makes:
                raise
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=handle)
                above = os.dup(handle)
                stack.callback(os.close, above)
                stack.callback(_removed, name, above)
            below = _below(name, handle, is_last=not left)
        finally:
            os.close(handle)
        handle = below
    return handle


def _below(name: str, handle: int, is_last: bool) -> int:
    """A folder in an open one; the last one such that it can be listed, where that is allowed."""
    try:
        return os.open(name, _FOLDER if is_last else _WAY, dir_fd=handle)
    except PermissionError:
        return os.open(name, _WAY, dir_fd=handle)


def _removed(name: str | Path, handle: int | None = None) -> None:
    """A folder goes where nothing came into it."""
    with suppress(OSError):
        os.rmdir(name, dir_fd=handle)


def content(path: Path) -> bytes | None:
    """The bytes of a file at a path that holds no link, None where there is none; raises RedraftError for others."""
    try:
        with opened(path.parent) as folder:
            return folder.read(path.name)[0]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RedraftError(f"cannot read {path}: {reason(error)}") from error


def reason(error: OSError) -> str:
    """What the system says, in one line; a link where a folder or a file was is called that."""
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "a link stands there or on its way, or no folder"
    return error.strerror or str(error)
