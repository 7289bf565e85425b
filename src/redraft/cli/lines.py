"""In: records as they come. Out: JSON lines in a file or on standard output, each at once; a bar on a terminal."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from redraft.cli import streams
from redraft.errors import RedraftError


def write_lines(
    target: Path | None, records: Iterable[Mapping[str, Any]], what: str, total: int, append: bool = False
) -> None:
    """`target` is None for standard output. Raises RedraftError where the file cannot be written."""
    console = Console(stderr=True)
    shown = track(records, what, total=total, console=console, disable=not console.is_terminal)
    if target is None:
        for record in shown:
            streams.write(json.dumps(record) + "\n")
        return
    try:
        with target.open("a" if append else "w", encoding="utf-8") as out:
            for record in shown:
                out.write(json.dumps(record) + "\n")
                out.flush()
    except OSError as error:
        raise RedraftError(f"cannot write {target}: {error.strerror}") from error
