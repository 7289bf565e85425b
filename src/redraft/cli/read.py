"""In: where a text comes from: a path, or - for standard input. Out: the text, decoded as files are."""

import sys
from pathlib import Path

from redraft.edit import files


def read_input(encoding: str | None = None) -> files.File:
    """Standard input as a file."""
    return files.decode(sys.stdin.buffer.read(), Path("standard input"), encoding=encoding)


def read_update(where: str) -> str:
    return read_input().text if where == "-" else files.read(Path(where)).text
