"""In: a path. Out: the file's text, and what is needed to write a new version in its encoding and mode."""

import codecs
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RedraftError
from redraft.files.folder import opened, reason

# UTF-32 first: its mark begins with that of UTF-16.
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_USUAL = "utf-8"
_COOKIE = re.compile(rb"^[ \t\f]*(?:#|//|--|;|%|/\*|<!--|\").*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True)
class File:
    """A text file behind any links, and its bytes when it was read; `is_new` for one that is to be made."""

    path: Path
    text: str
    encoding: str
    bom: bytes
    mode: int
    data: bytes
    is_new: bool = False


def read(path: Path, encoding: str | None = None) -> File:
    """Reads and decodes a file.

    Raises RedraftError for what is no file, cannot be read, is binary or is no text in its encoding: the one that is
    given, or a byte-order mark or coding cookie declares, or UTF-8.
    """
    try:
        target = path.resolve(strict=True)
        with opened(target.parent) as folder:
            data, found = folder.read(target.name)
    except FileNotFoundError:
        raise RedraftError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise RedraftError(f"{path} is a folder, not a file") from None
    except OSError as error:
        raise RedraftError(f"cannot read {path}: {reason(error)}") from error
    except (RuntimeError, ValueError) as error:
        raise RedraftError(f"cannot read {path}: {error}") from error
    return decode(data, target, stat.S_IMODE(found.st_mode), encoding)


def new(path: Path, encoding: str | None = None) -> File:
    """A file that is to be made."""
    return File(path.resolve(), "", _known(encoding) if encoding else _USUAL, b"", 0, b"", is_new=True)


def decode(data: bytes, path: Path, mode: int = 0, encoding: str | None = None) -> File:
    """The file that these bytes are; raises RedraftError, which names `path`, as `read` does."""
    bom, marked = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", None))
    body = data.removeprefix(bom)
    chosen = _known(encoding) if encoding else marked or _declared(body) or _USUAL
    if encoding and marked and _known(encoding) not in (marked, marked.removesuffix("-le").removesuffix("-be")):
        raise RedraftError(f"{path} has the byte-order mark of {marked}, not of {encoding}")
    if b"\0" in body and not (marked or chosen).startswith(("utf-16", "utf-32")):
        raise RedraftError(f"{path} is a binary file: a zero byte at offset {len(bom) + body.index(0)}")
    return File(path, _decoded(body, marked or chosen, path), marked or chosen, bom, mode, data)


def encode(file: File, text: str) -> bytes:
    """The bytes of a new version of the file, in the encoding that its coding cookie declares where that is another.

    Raises RedraftError for a text that the encoding cannot hold.
    """
    encoding = _encoding(file, text)
    try:
        return file.bom + text.encode(encoding)
    except UnicodeEncodeError as error:
        raise RedraftError(f"{file.path} is {encoding}, which has no {text[error.start]!r}") from error
    except LookupError as error:
        raise RedraftError(f"{file.path} declares {encoding}, which is no encoding of text") from error


def _encoding(file: File, text: str) -> str:
    old, new = (_declared("\n".join(each.split("\n", 2)[:2]).encode()) for each in (file.text, text))
    if file.bom or old == new:
        return file.encoding
    return new or (_USUAL if file.encoding == old else file.encoding)


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
        return codecs.lookup(encoding).name
    except LookupError:
        raise RedraftError(f"there is no encoding {encoding!r}") from None


def _declared(data: bytes) -> str:
    """The encoding that a coding cookie in the first two lines names, "" where none does."""
    for line in data.split(b"\n", 2)[:2]:
        if cookie := _COOKIE.match(line):
            name = cookie[1].decode("ascii")
            with suppress(LookupError):
                return codecs.lookup(name).name
    return ""


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
