"""In: header and rows. Out: a table, and its Markdown, out of which no cell breaks."""

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """`note` says how to read it; `picture` names the one that shows the same; the first `names` cells name the row."""

    title: str
    note: str
    picture: str | None
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1


def markdown(found: Iterable[Table]) -> str:
    return "\n".join(line for table in found for line in _markdown(table))


def _markdown(table: Table) -> Iterator[str]:
    yield from (f"## {table.title}", "", table.note, "", *grid(table.header, table.rows, table.names), "")


def grid(header: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> Iterator[str]:
    """The lines of a table in Markdown; what follows the names is aligned to the right."""
    yield _line(header)
    yield "|---" * names + "|---:" * (len(header) - names) + "|"
    yield from map(_line, rows)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(cell: str) -> str:
    """On one line, without HTML, and ending no cell."""
    return html.escape(" ".join(cell.split()), quote=False).replace("|", "\\|")
