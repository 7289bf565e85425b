"""In: frozen dataclasses whose fields are all text. Out: a Parquet file with one of them a row, and back."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from redraft.errors import RedraftError

ROWS_A_GROUP = 2000

Row = TypeVar("Row")


def write_rows(path: Path, kind: type[Row], rows: Iterable[Row]) -> int:
    """Write all rows and return how many there were; none leave no file, a half-written one never has the final name.

    Raises RedraftError where the file cannot be written.
    """
    pa, pq = _pyarrow()
    schema = _schema(pa, kind)
    part = path.with_name(path.name + ".part")
    count, remaining = 0, iter(rows)
    try:
        with pq.ParquetWriter(part, schema, compression="zstd") as writer:
            while group := list(islice(remaining, ROWS_A_GROUP)):
                writer.write_table(pa.Table.from_pylist([asdict(row) for row in group], schema=schema))  # type: ignore[call-overload]
                count += len(group)
        if count:
            part.replace(path)
        else:
            part.unlink()
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error}") from error
    return count


def read_rows(path: Path, kind: type[Row], what: str) -> Iterator[Row]:
    """The rows of a Parquet file of `what`, in order; other columns are left out.

    Raises RedraftError when it is no Parquet file, has no row, lacks a column or a value.
    """
    pa, pq = _pyarrow()
    schema = _schema(pa, kind)
    try:
        with pq.ParquetFile(path) as file:
            missing = [name for name in schema.names if name not in file.schema_arrow.names]
            if missing:
                raise RedraftError(f"{path} has no column {', '.join(missing)}")
            if not file.metadata.num_rows:
                raise RedraftError(f"{path} holds no {what}")
            for batch in file.iter_batches(batch_size=ROWS_A_GROUP, columns=schema.names):
                rows = pa.Table.from_batches([batch]).select(schema.names).cast(schema)
                yield from (kind(**row) for row in rows.to_pylist())
    except (pa.ArrowException, ValueError, OSError) as error:
        raise RedraftError(f"{path} is not a readable Parquet file of {what}: {error}") from error


def _schema(pa: Any, kind: type[Any]) -> Any:
    return pa.schema([pa.field(column.name, pa.string(), nullable=False) for column in fields(kind)])


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise RedraftError("reading and writing Parquet needs pyarrow: pip install 'redraft[data]'") from error
    return pyarrow, pyarrow.parquet
