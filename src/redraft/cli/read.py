"""In: where a text comes from: a path, - for standard input, the clipboard. Out: the text, decoded as files are."""

import stat
import sys
from os import fstat
from pathlib import Path

from redraft.errors import RedraftError
from redraft.files import read as files


def read_input(encoding: str | None = None) -> files.File:
    """Standard input as a file."""
    try:
        data = sys.stdin.buffer.read()
    except OSError as error:
        raise RedraftError(f"cannot read standard input: {error.strerror}") from error
    return files.decode(data, Path("standard input"), encoding=encoding)


def read_update(where: str) -> str:
    return read_input().text if where == "-" else files.read(Path(where)).text


def is_piped() -> bool:
    """Whether somebody gives something on standard input: a pipe or a file, not a terminal and not nothing."""
    try:
        mode = fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def clipboard() -> str:
    """The text on the clipboard, "" where it holds none."""
    import pyperclip

    try:
        return str(pyperclip.paste())
    except pyperclip.PyperclipException as error:
        raise RedraftError("cannot read the clipboard; on Linux install wl-clipboard, xclip or xsel") from error


def read_clipboard() -> str:
    text = clipboard()
    if not text.strip():
        raise RedraftError("the clipboard holds no text")
    return text
