"""In: who writes a model folder. Out: that folder, which appears whole and says what it was made of."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.errors import RedraftError

if TYPE_CHECKING:
    from redraft.models.tensors import Array

RECORD = "merged.json"  # written last: a folder with it is whole
_WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class Merged:
    """A model folder, and what it was made of: hashes of base, adapter and result."""

    path: Path
    record: dict[str, Any]

    def is_intact(self) -> bool:
        """Whether the weights are those that were written."""
        return bool(sha256(self.path / _WEIGHTS) == self.record["sha256"])


def read_record(path: Path) -> Merged | None:
    """What was merged into a folder, if it is whole."""
    try:
        return Merged(path, json.loads((path / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Alone with the folder; and sure that it can be written."""
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.parent / ".lock"):
            for part in path.parent.glob("*.part"):
                shutil.rmtree(part)
            yield
    except OSError as error:
        raise RedraftError(
            f"cannot write the merged model to {path}: {error}; REDRAFT_HOME says where it may lie"
        ) from error


def make_whole(path: Path, write: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    """A folder that appears whole; returns the record of what it was made of."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.mkdir()
        record = write(part)
        (part / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        if path.exists():
            shutil.rmtree(path)
        os.replace(part, path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return record


def with_progress(tensors: Iterable[tuple[str, "Array"]], count: int) -> Iterable[tuple[str, "Array"]]:
    """The tensors, with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(tensors, "preparing the model, once", total=count, console=console, disable=not console.is_terminal)


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read {path}: {error}") from error


def sha256(file: Path) -> str:
    """The hash of a file; raises RedraftError where it cannot be read."""
    try:
        with file.open("rb") as content:
            return file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise RedraftError(f"cannot read {file}: {error.strerror}") from error
