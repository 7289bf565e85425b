"""In: the folder of a run and its settings. Out: whether it can be written, and is not the folder of another run."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

from redraft.errors import RedraftError

# How torch says in a RuntimeError, and tokenizers in a plain Exception, that a disk is full.
_FULL = ("PytorchStreamWriter", "inline_container", "iostream error", "os error")


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Makes the folder; raises RedraftError when it cannot be written, whichever library notices."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except RedraftError:
        raise
    except Exception as error:
        if not isinstance(error, OSError | SafetensorError) and not any(said in str(error) for said in _FULL):
            raise
        raise RedraftError(f"cannot write to {folder}: {error}") from error


def check_same(folder: Path, known: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Raises RedraftError that names the settings which are not those known of the folder's run."""
    if other := [name for name, value in settings.items() if known.get(name) != value]:
        raise RedraftError(f"{folder} holds a run of another configuration ({', '.join(other)}): choose another folder")
