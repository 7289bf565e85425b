"""In: edits. Out: a Parquet file with one edit a row, and back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from redraft.data.rows import read_rows, write_rows


@dataclass(frozen=True)
class Edit:
    """One file of one commit, before and after, and where it came from; `license` is "" when it was not recognised."""

    repository: str
    commit: str
    path: str
    before_blob: str
    after_blob: str
    before: str
    after: str
    language: str
    license: str


def write_edits(path: Path, edits: Iterable[Edit]) -> int:
    """Write all edits, if any, and return how many; raises RedraftError where the file cannot be written."""
    return write_rows(path, Edit, edits)


def read_edits(path: Path) -> Iterator[Edit]:
    """The edits of a Parquet file, in order; raises RedraftError when it is none, or has no row, column or value."""
    return read_rows(path, Edit, "edits")
