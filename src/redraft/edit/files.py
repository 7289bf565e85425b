"""In: a path. Out: the file's text, and what is needed to write a new one in its encoding, line endings and mode."""

import codecs
import os
import re
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RedraftError

_COOKIE = re.compile(rb"^[ \t\f]*(?:#|//|--|;|%|/\*|<!--|\").*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True)
class File:
    """A text file behind any links; where `newline` is "\\r\\n", `text` has "\\n" for it throughout."""

    path: Path
    text: str
    encoding: str
    bom: bytes
    newline: str
    mode: int


def read(path: Path) -> File:
    """Reads and decodes a file; raises RedraftError for what is no file, cannot be read, is binary or not decodable."""
    target, mode = _regular(path)
    try:
        data = target.read_bytes()
    except OSError as error:
        raise RedraftError(f"cannot read {path}: {error.strerror}") from error
    return decode(data, target, mode)


def decode(data: bytes, path: Path, mode: int = 0) -> File:
    """The file that these bytes are; raises RedraftError, which names `path`, for what is binary or not decodable."""
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    body = data.removeprefix(bom)
    if b"\0" in body:
        raise RedraftError(f"{path} is a binary file: a zero byte at offset {len(bom) + body.index(0)}")
    encoding = "utf-8" if bom else _declared(body)
    text = _decoded(body, encoding, path)
    newline = "\r\n" if text.count("\r\n") == text.count("\n") == text.count("\r") > 0 else "\n"
    return File(path, text.replace(newline, "\n"), encoding, bom, newline, mode)


def write(file: File, text: str) -> None:
    """Replaces the file's contents at once: whoever reads or kills at any time finds the old or the new text, whole."""
    data = encode(file, text)
    if not os.access(file.path, os.W_OK):
        raise RedraftError(f"cannot write {file.path}: it is read-only")
    try:
        _replace(file.path, data, file.mode)
    except OSError as error:
        raise RedraftError(f"cannot write {file.path}: {error.strerror}") from error


def _regular(path: Path) -> tuple[Path, int]:
    """The file behind a path, links followed, and its permissions."""
    try:
        target = path.resolve(strict=True)
        mode = target.stat().st_mode
    except FileNotFoundError:
        raise RedraftError(f"there is no file {path}") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise RedraftError(f"cannot read {path}: {error}") from error
    if stat.S_ISDIR(mode):
        raise RedraftError(f"{path} is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise RedraftError(f"{path} is not a regular file")
    return target, stat.S_IMODE(mode)


def _declared(data: bytes) -> str:
    """The encoding that a coding cookie in the first two lines names, else UTF-8."""
    for line in data.split(b"\n", 2)[:2]:
        if cookie := _COOKIE.match(line):
            name = cookie[1].decode("ascii")
            with suppress(LookupError):
                return codecs.lookup(name).name
    return "utf-8"


def _decoded(data: bytes, encoding: str, path: Path) -> str:
    try:
        text = data.decode(encoding)
        faithful = text.encode(encoding) == data
    except UnicodeDecodeError as error:
        byte = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise RedraftError(f"{path} is not {encoding} text: {byte}") from error
    except (LookupError, UnicodeError) as error:
        raise RedraftError(f"{path} is not {encoding} text: {error}") from error
    if not faithful:
        raise RedraftError(f"{path} is {encoding} text that would not come back byte for byte")
    return text


def encode(file: File, text: str) -> bytes:
    """The bytes of a new version of the file."""
    if file.newline != "\n":
        text = text.replace(file.newline, "\n").replace("\n", file.newline)
    try:
        return file.bom + text.encode(file.encoding)
    except UnicodeEncodeError as error:
        raise RedraftError(f"{file.path} is {file.encoding}, which has no {text[error.start]!r}") from error


def _replace(path: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", suffix=".redraft", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(data)
            temporary.flush()
            os.fchmod(temporary.fileno(), mode)
            os.fsync(temporary.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Makes the renaming last through a power cut, where the system can open a folder."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
