"""In: files that were read, and what they become. Out: the new files, all or none, each of them whole at any time.

A new file is written beside the old one, forced to the disk and renamed over it. Writers in one folder take turns,
and a file that is no longer what was read is left as it is.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from redraft.errors import ChangedError, RedraftError
from redraft.files.read import File, encode

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".redraft"
_REJECTED = ".redraft-new"
_NEW_MODE = 0o666


Change = tuple[File, bytes | None]  # a file as it was read, and its new contents; None where it goes


def write(file: File, text: str) -> None:
    """Replaces a file; raises RedraftError as `replace` does."""
    write_all([(file, text)])


def write_all(changes: Sequence[tuple[File, str]]) -> None:
    """Replaces texts of files; raises RedraftError as `replace` does."""
    replace([(file, encode(file, text)) for file, text in changes])


def replace(changes: Sequence[Change], keep: bool = True) -> None:
    """Replaces, makes and deletes files at once: at any time each file is found old or new, and whole.

    Raises RedraftError, all files being as they were, when one cannot be written, and ChangedError when one is not what
    was read; the new text is put beside that one then, unless `keep` is false.
    """
    twice = [path for path, count in Counter(file.path for file, _ in changes).items() if count > 1]
    if twice:
        raise RedraftError(f"cannot write {twice[0]}: there are two new texts for it")
    with ExitStack() as stack:
        for file, _ in changes:
            stack.enter_context(_folder_of(file))
        for folder in sorted({file.path.parent.resolve() for file, _ in changes}):
            stack.enter_context(locked(folder))
        for file, data in changes:
            _check(file, data, keep)
            _sweep(file.path)
        staged = [(file, stack.enter_context(_staged(file, data))) for file, data in changes if data is not None]
        _replace_all(staged, [file for file, data in changes if data is None])


@contextmanager
def _folder_of(file: File) -> Iterator[None]:
    """The folders that a new file needs; removed again where it does not come."""
    made: list[Path] = []
    if file.is_new:
        try:
            made = [folder for folder in file.path.parents if not folder.exists()]
            file.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RedraftError(f"cannot write {file.path}: {error.strerror}") from error
    try:
        yield
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """No other redraft writes into the folder meanwhile, where the system has such locks."""
    handle = None
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
    try:
        if handle is not None and fcntl is not None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _check(file: File, data: bytes | None, keep: bool) -> None:
    """Raises RedraftError for a file that may not be replaced."""
    try:
        now = None if file.is_new and not file.path.exists() else file.path.read_bytes()
    except OSError as error:
        raise RedraftError(f"cannot write {file.path}: {error.strerror}{_kept(file, data)}") from error
    if now != (None if file.is_new else file.data):
        kept = _kept(file, data) if keep else ""
        raise ChangedError(f"{file.path} has changed since it was read and is left as it is{kept}")
    if now is not None and not os.access(file.path, os.W_OK):
        raise RedraftError(f"cannot write {file.path}: it is read-only")


def _kept(file: File, data: bytes | None) -> str:
    """Where the new text is kept when it cannot take its place."""
    beside = file.path.with_name(file.path.name + _REJECTED)
    if data is None:
        return ""
    try:
        beside.write_bytes(data)
    except OSError:
        return ""
    return f"; the new text is in {beside}"


@contextmanager
def _staged(file: File, data: bytes) -> Iterator[Path]:
    """The new file under another name beside the old one; removed when it was not renamed."""
    place = file.path.with_name(f"{_prefix(file.path)}{token_hex(8)}{_SUFFIX}")  # known before an interrupt can come
    try:
        with open(place, "xb", opener=_private) as temporary:
            temporary.write(data)
            temporary.flush()
            _keep_owner(temporary.fileno(), file)
            os.fsync(temporary.fileno())
        yield place
    except OSError as error:
        raise RedraftError(f"cannot write {file.path}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            place.unlink()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _prefix(path: Path) -> str:
    """Of the names of temporary files for one file, and of no other's."""
    return f".{sha256(path.name.encode(errors='surrogateescape')).hexdigest()[:16]}."


def _sweep(path: Path) -> None:
    """Removes what a writer of this file left that was killed; none is alive while the folder is ours."""
    if fcntl is None:
        return
    with suppress(OSError):
        for entry in os.scandir(path.parent):
            if entry.name.startswith(_prefix(path)) and entry.name.endswith(_SUFFIX):
                os.unlink(entry)


def _keep_owner(handle: int, file: File) -> None:
    mode = file.mode
    if file.is_new and not mode:
        mask = os.umask(0)
        os.umask(mask)
        mode = _NEW_MODE & ~mask
    elif not file.is_new and hasattr(os, "fchown"):
        with suppress(OSError):
            found = file.path.stat()
            os.fchown(handle, found.st_uid, found.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _replace_all(staged: Sequence[tuple[File, Path]], gone: Sequence[File]) -> None:
    """Renames one after the other, then deletes; where one fails, those before it get their old contents back."""
    done: list[File] = []
    try:
        for file, name in staged:
            os.replace(name, file.path)
            done.append(file)
        for file in gone:
            file.path.unlink()
            done.append(file)
    except BaseException as error:
        for file in done:
            _put_back(file)
        if isinstance(error, OSError):
            failed = [*(file for file, _ in staged), *gone][len(done)]
            raise RedraftError(f"cannot write {failed.path}: {error.strerror}") from error
        raise
    for folder in {file.path.parent for file in done}:
        _sync_folder(folder)


def _put_back(file: File) -> None:
    with suppress(OSError):
        if not file.is_new:
            with _staged(file, file.data) as name:
                os.replace(name, file.path)
        else:
            file.path.unlink()


def _sync_folder(folder: Path) -> None:
    """Makes the renaming last through a power cut, where the system can open a folder."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
