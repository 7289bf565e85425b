"""In: edits. Out: a Parquet file with one edit a row, and back."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

from redraft.errors import RedraftError

ROWS_A_GROUP = 2000


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
    """Write all edits and return how many there were; a half-written file never carries the final name.

    Raises RedraftError where the file cannot be written.
    """
    pa, pq = _pyarrow()
    schema = _schema(pa)
    part = path.with_name(path.name + ".part")
    count, remaining = 0, iter(edits)
    try:
        with pq.ParquetWriter(part, schema, compression="zstd") as writer:
            while group := list(islice(remaining, ROWS_A_GROUP)):
                writer.write_table(pa.Table.from_pylist([asdict(edit) for edit in group], schema=schema))
                count += len(group)
        part.replace(path)
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error}") from error
    return count


def read_edits(path: Path) -> Iterator[Edit]:
    """The edits of a Parquet file, in order; raises RedraftError when it is not one, lacks a column or a value."""
    pa, pq = _pyarrow()
    schema = _schema(pa)
    try:
        with pq.ParquetFile(path) as file:
            missing = [name for name in schema.names if name not in file.schema_arrow.names]
            if missing:
                raise RedraftError(f"{path} has no column {', '.join(missing)}")
            for batch in file.iter_batches(batch_size=ROWS_A_GROUP, columns=schema.names):
                rows = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
                yield from (Edit(**row) for row in rows.to_pylist())
    except (pa.ArrowException, ValueError, OSError) as error:
        raise RedraftError(f"{path} is not a readable Parquet file of edits: {error}") from error


def _schema(pa: Any) -> Any:
    return pa.schema([pa.field(column.name, pa.string(), nullable=False) for column in fields(Edit)])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise RedraftError("reading and writing Parquet needs pyarrow: pip install 'redraft[data]'") from error
    return pyarrow, pyarrow.parquet
