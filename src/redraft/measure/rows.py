"""In: a file of JSON lines and what each is to be. Out: the rows as that, or an error that names the line."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_origin

from redraft.edit import jsonl
from redraft.errors import RedraftError

Row = TypeVar("Row")


def read_rows(source: Path, make: Callable[..., Row], what: str, unread: list[str] | None = None) -> list[Row]:
    """Each line as `make` of its fields; raises RedraftError for a line that is no `what`.

    With `unread` such a line is left out, and named there.
    """
    found = []
    for number, line in jsonl.read_lines(source):
        try:
            found.append(make(**jsonl.parse(line)))
        except (RedraftError, TypeError, KeyError) as error:
            failure = f"{source}:{number}: not {what}: {error}"
            if unread is None:
                raise RedraftError(failure) from error
            unread.append(failure)
    return found


def read_manifest_rows(source: Path, kind: type[Row], what: str) -> list[Row]:
    """Rows with exactly the fields of a dataclass, each of its type; raises RedraftError for others and for none."""
    types: dict[str, Any] = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]

    def checked(**row: Any) -> Row:
        if row.keys() != types.keys():
            raise RedraftError(f"its keys have to be exactly {', '.join(types)}")
        wrong = next((name for name, of in types.items() if not isinstance(row[name], _class(of))), None)
        if wrong is not None:
            raise RedraftError(f"bad value of {wrong}")
        return kind(**row)

    found = read_rows(source, checked, what)
    if not found:
        raise RedraftError(f"{source} holds no cases")
    return found


def _class(of: Any) -> Any:
    """What `isinstance` takes: a type without those of its members."""
    return of if isinstance(of, UnionType) else get_origin(of) or of
