"""In: what comes one after the other. Out: JSON lines in a file or on standard output; a bar on a terminal."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn, track

from redraft.cli import streams
from redraft.errors import RedraftError

Item = TypeVar("Item")


def write_lines(
    target: Path | None, records: Iterable[Mapping[str, Any]], what: str, total: int, append: bool = False
) -> None:
    """`target` is None for standard output. Raises RedraftError where the file cannot be written."""
    rows = shown(records, what, total)
    if target is None:
        for record in rows:
            streams.write(json.dumps(record) + "\n")
        return
    try:
        with target.open("a" if append else "w", encoding="utf-8") as out:
            for record in rows:
                out.write(json.dumps(record) + "\n")
                out.flush()
    except OSError as error:
        raise RedraftError(f"cannot write {target}: {error.strerror}") from error


def shown(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    """The items, with a progress bar on a terminal."""
    console = Console(stderr=True)
    return track(items, what, total=total, console=console, disable=not console.is_terminal)


def bar() -> Progress:
    """Steps done and time left, on a terminal only."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=console, disable=not console.is_terminal)


def check_folder(out: Path) -> None:
    """Raises RedraftError where a file cannot be written: before the work, not after it."""
    if out.is_dir() or not out.parent.is_dir():
        raise RedraftError(f"cannot write {out}: {'it is a folder' if out.is_dir() else f'no folder {out.parent}'}")


def counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(found.items(), key=lambda c: -c[1])) or "none"
