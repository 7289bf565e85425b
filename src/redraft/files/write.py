"""In: files that were read, and what they become. Out: the new files, all or none, each of them whole at any time.

A new file is written beside the old one, forced to the disk and renamed over it, all of it in folders that were opened
once. Writers in one folder take turns, and a file that is no longer what was read is left as it is: it is looked at
right before it is replaced, and kept under another name until all are in place, then looked at once more.
"""

import errno
import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from redraft.errors import ChangedError, RedraftError
from redraft.files import attributes
from redraft.files.folder import Folder, opened, reason
from redraft.files.locks import HAS_LOCKS
from redraft.files.read import File, encode

_SUFFIX = ".redraft"
_REJECTED = ".redraft-new"
_STARTED = int(time.time())
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL)

Change = tuple[File, bytes | None]  # a file as it was read, and its new contents; None where it goes


def write(file: File, text: str) -> None:
    """Replaces a file; raises RedraftError as `replace` does."""
    write_all([(file, text)])


def write_all(changes: Sequence[tuple[File, str]]) -> None:
    """Replaces texts of files; raises RedraftError as `replace` does."""
    replace([(file, encode(file, text)) for file, text in changes])


def replace(changes: Sequence[Change], keep: bool = True) -> None:
    """Replaces, makes and deletes files at once: at any time each file is found old or new, and whole.

    Raises RedraftError, all files being as they were, when one cannot be written or has other names, and ChangedError
    when one is not what was read; the new text is put beside that one then, unless `keep` is false.
    """
    with ExitStack() as stack:
        steps = _steps(changes, keep, stack)
        stack.callback(_clean, steps)
        with _taken_back(steps):
            for work in (_Step.check, _Step.stage, _Step.take, _Step.look):
                for step in steps:
                    with step.said():
                        work(step)
        for folder in {step.folder for step in steps}:
            folder.sync()


def _steps(changes: Sequence[Change], keep: bool, stack: ExitStack) -> list["_Step"]:
    """The changes with their folders, opened and ours alone."""
    folders: dict[Path, Folder] = {}
    for parent in sorted({file.path.parent for file, _ in changes}):
        file = next(file for file, _ in changes if file.path.parent == parent)
        try:
            folders[parent] = stack.enter_context(opened(parent, makes=file.is_new))
        except OSError as error:
            raise RedraftError(f"cannot write {file.path}: {reason(error)}") from error
        stack.enter_context(folders[parent].locked())
    steps = [_Step(file, data, folders[file.path.parent], keep) for file, data in changes]
    for folder in folders.values():
        _sweep(folder, [step.name for step in steps if step.folder is folder])
    _check_different(steps)
    return steps


def _check_different(steps: Sequence["_Step"]) -> None:
    """Raises RedraftError for a file that is there twice, also where a disk takes two names for one."""
    seen = set[object]()
    for step in steps:
        found = step.folder.stat(step.name)
        for mark in {step.file.path, (found.st_dev, found.st_ino) if found else step.file.path}:
            if mark in seen:
                raise RedraftError(f"cannot write {step.file.path}: there are two new texts for it")
            seen.add(mark)


@dataclass(eq=False)
class _Step:
    """One file on its way. Beside it lie the new one and the old one, under names that are known beforehand, since an
    interrupt may come at any time."""

    file: File
    data: bytes | None
    folder: Folder
    keeps: bool
    new: str = field(init=False)
    old: str = field(init=False)
    inode: int | None = None  # of the new file

    def __post_init__(self) -> None:
        self.new, self.old = (f"{_prefix(self.name)}{token_hex(8)}{_SUFFIX}" for _ in range(2))

    @property
    def name(self) -> str:
        return self.file.path.name

    def check(self) -> None:
        """Raises RedraftError for a file that may not be replaced."""
        if self.file.is_new:
            if self.folder.stat(self.name) is not None:
                raise self._changed()
            return
        self._compare(self.name)
        if not self.folder.is_writable(self.name):
            raise RedraftError(f"cannot write {self.file.path}: it is read-only")
        found = self.folder.stat(self.name)
        if found is not None and found.st_nlink > 1:
            raise RedraftError(
                f"cannot write {self.file.path}: it has {found.st_nlink} names (hard links), and only this one would "
                "get the new text"
            )

    def stage(self) -> None:
        """The new file, finished, under its other name."""
        if self.data is not None:
            self.folder.make(self.new, self.data, self._finish)
            found = self.folder.stat(self.new)
            self.inode = found and found.st_ino

    def take(self) -> None:
        """The new file takes its place, if there still is what was read."""
        if self.file.is_new:
            self._take_free_name()
        elif self.data is None:
            self.folder.rename(self.name, self.old)
            self._compare(self.old)
        else:
            is_linked = self._keep_old()
            self._compare(self.old if is_linked else self.name)
            if is_linked and not self.folder.is_same(self.name, self.old):
                raise self._changed()
            self.folder.rename(self.new, self.name)

    def look(self) -> None:
        """Once more, when all are in place: somebody may have had the old file open."""
        if not self.file.is_new:
            self._compare(self.old)

    def put_back(self) -> None:
        """The old file is there again, unless somebody else has written since."""
        with suppress(OSError):
            found = self.folder.stat(self.name)
            is_ours = found is not None and found.st_ino == self.inode
            if self.file.is_new:
                if is_ours:
                    self.folder.remove(self.name)
            elif is_ours or (self.data is None and found is None):
                self.folder.rename(self.old, self.name)

    @contextmanager
    def said(self) -> Iterator[None]:
        """What the system says about the file as a RedraftError."""
        try:
            yield
        except FileNotFoundError as error:
            raise RedraftError(f"cannot write {self.file.path}: {reason(error)}{self._rejected()}") from error
        except OSError as error:
            raise RedraftError(f"cannot write {self.file.path}: {reason(error)}") from error

    def _compare(self, name: str) -> None:
        if self.folder.read(name)[0] != self.file.data:
            raise self._changed()

    def _keep_old(self) -> bool:
        """The old file under its other name; whether it is the very same, and no copy."""
        try:
            self.folder.link(self.name, self.old)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self.folder.make(self.old, self.file.data, self._finish)
            return False
        return True

    def _take_free_name(self) -> None:
        try:
            self.folder.link(self.new, self.name)
        except FileExistsError:
            raise self._changed() from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self.check()
            self.folder.rename(self.new, self.name)

    def _finish(self, handle: int) -> None:
        if self.file.is_new:
            attributes.set_mode(handle, self.file.mode or None)
            return
        with self.folder.opened(self.name) as old:
            attributes.keep(handle, old.fileno(), str(self.file.path))

    def _changed(self) -> ChangedError:
        kept = self._rejected() if self.keeps else ""
        return ChangedError(f"{self.file.path} has changed since it was read and is left as it is{kept}")

    def _rejected(self) -> str:
        """Where the new text is kept when it cannot take its place."""
        if self.data is None:
            return ""
        name = f"{self.name}.{os.getpid()}-{_STARTED}{_REJECTED}"
        try:
            _clean_rejected(self.folder, self.name)
            self.folder.make(name, self.data, lambda handle: attributes.set_mode(handle, self.file.mode or None))
        except OSError:
            return ""
        return f"; the new text is in {self.file.path.with_name(name)}"


@contextmanager
def _taken_back(steps: Sequence[_Step]) -> Iterator[None]:
    """Where it does not come to an end, all files are again what they were."""
    try:
        yield
    except BaseException:
        for step in reversed(steps):
            step.put_back()
        raise


def _clean(steps: Sequence[_Step]) -> None:
    for step in steps:
        for name in (step.new, step.old):
            with suppress(OSError):
                step.folder.remove(name)


def _prefix(name: str) -> str:
    """Of the names of temporary files for one file, and of no other's."""
    return f".{sha256(name.encode(errors='surrogateescape')).hexdigest()[:16]}."


def _sweep(folder: Folder, names: Sequence[str]) -> None:
    """Removes what writers of these files left that were killed; none is alive while the folder is ours."""
    if not HAS_LOCKS:
        return
    prefixes = tuple(map(_prefix, names))
    with suppress(OSError):
        for found in folder.names():
            if found.startswith(prefixes) and found.endswith(_SUFFIX):
                folder.remove(found)


def sweep(paths: Sequence[Path]) -> None:
    """Removes what a writer of these files left beside them that was killed."""
    for parent in {path.parent for path in paths}:
        with suppress(OSError), opened(parent) as folder, folder.locked():
            _sweep(folder, [path.name for path in paths if path.parent == parent])


def _clean_rejected(folder: Folder, name: str) -> None:
    """Removes texts that earlier runs kept beside this file; those of one that still runs stay."""
    form = re.compile(re.escape(name) + r"\.(\d+)-\d+" + re.escape(_REJECTED))
    for found in folder.names():
        if (writer := form.fullmatch(found)) and not _is_alive(int(writer[1])):
            folder.remove(found)


def _is_alive(process: int) -> bool:
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
