"""In: the base and the adapter. Out: folders with both merged or the base alone, made once, under REDRAFT_HOME."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redraft.errors import RedraftError
from redraft.home import home
from redraft.models.pretrained import HUB_NAME, Base, find_base, sha256

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER = Path(__file__).parent / "apply-135m"
RECORD = "merged.json"  # written last: a folder with it is whole
TEMPLATE = {"redraft_template": "apply"}
_WEIGHTS = "model.safetensors"


@dataclass(frozen=True)
class Merged:
    """A model folder, and what it was made of: hashes of base, adapter and result."""

    path: Path
    record: dict[str, Any]

    def is_intact(self) -> bool:
        """Whether the weights are those that were written."""
        return bool(sha256(self.path / _WEIGHTS) == self.record["sha256"])


def merged_path(adapter: Path = ADAPTER) -> Path:
    """Where the merged model lies once it is made: a place of its own for each adapter."""
    return home() / "models" / f"{adapter.name}-{sha256(adapter / 'adapter_model.safetensors')[:12]}"


def known(adapter: Path = ADAPTER) -> Merged | None:
    """The merged model, if it was made."""
    return read_record(merged_path(adapter))


def read_record(path: Path) -> Merged | None:
    """What was merged into a folder, if it is whole."""
    try:
        return Merged(path, json.loads((path / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def merged(adapter: Path = ADAPTER) -> Merged:
    """The merged model, made now if it was not before, by one process at a time.

    Raises RedraftError where there is no base, it does not fit the adapter, or the folder cannot be written.
    """
    if made := known(adapter):
        return made
    base, path = find_base(), merged_path(adapter)
    with alone_with(path):
        made = known(adapter)
        return made or Merged(path, make_whole(path, lambda part: _write(base, adapter, part)))


def instruct() -> Path:
    """The base alone with its chat template, a folder made when it is asked for first.

    It follows instructions, as the merged model does not. Raises RedraftError as `merged` does.
    """
    path = home() / "models" / HUB_NAME.rpartition("/")[2].lower()
    if not (path / RECORD).exists():
        base = find_base()
        with alone_with(path):
            if not (path / RECORD).exists():
                make_whole(path, lambda part: _write_instruct(base, part))
    return path


@contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Alone with the folder; whatever library notices that it cannot be written."""
    from filelock import FileLock
    from safetensors import SafetensorError

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.parent / ".lock"):
            for part in path.parent.glob("*.part"):
                shutil.rmtree(part)
            yield
    except (OSError, SafetensorError) as error:
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


def write_base(out: Path) -> None:
    """The base alone, as a folder to train from; raises RedraftError where there is none, or it cannot be written."""
    base = find_base()
    base.sha256()
    with alone_with(out):
        out.mkdir()
        _write_rest(base, out)
        _save(dict(with_progress(*_tensors(base))), out)


def _write_instruct(base: Base, out: Path) -> dict[str, Any]:
    base_hash = base.sha256()
    _save(dict(with_progress(*_tensors(base))), out)
    _write_rest(base, out, is_chat=True)
    return {"base": HUB_NAME, "from": base.kind, "base_sha256": base_hash, "sha256": sha256(out / _WEIGHTS)}


def _save(tensors: "dict[str, Tensor]", out: Path) -> None:
    from safetensors.torch import save_file

    save_file(tensors, out / _WEIGHTS, metadata={"format": "pt"})


def _write(base: Base, adapter: Path, out: Path) -> dict[str, Any]:
    from redraft.models.adapter import CONFIG, WEIGHTS, read_adapter

    base_hash = base.sha256()
    added = read_adapter(adapter, read_json(adapter / CONFIG))
    tensors = {name: added.adapt(name, weight) for name, weight in with_progress(*_tensors(base))}
    if missing := sorted(added.factors.keys() - tensors.keys()):
        raise RedraftError(f"{adapter} does not fit its base: there is no {missing[0]}")
    _save(tensors, out)
    _write_rest(base, out)
    return {
        "base": HUB_NAME,
        "from": base.kind,
        "base_sha256": base_hash,
        "adapter_sha256": sha256(adapter / WEIGHTS),
        "sha256": sha256(out / _WEIGHTS),
    }


def _tensors(base: Base) -> tuple[Iterable[tuple[str, "Tensor"]], int]:
    """The base's weights in bfloat16 by their names, and how many there are."""
    import torch
    from safetensors.torch import load_file

    from redraft.models.gguf import GgufModel

    if base.weights.suffix == ".gguf":
        model = GgufModel(base.weights)
        return model.tensors(), model.count
    loaded = load_file(base.weights)
    return ((name, weight.to(torch.bfloat16)) for name, weight in loaded.items()), len(loaded)


def with_progress(tensors: Iterable[tuple[str, "Tensor"]], count: int) -> Iterable[tuple[str, "Tensor"]]:
    """The tensors, with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(tensors, "preparing the model, once", total=count, console=console, disable=not console.is_terminal)


def _write_rest(base: Base, out: Path, is_chat: bool = False) -> None:
    """Configuration and tokenizer; without the chat template for what was, or will be, trained with another."""
    import transformers
    from transformers.utils import logging

    logging.disable_progress_bar()
    folder, more = base.weights.parent, {"gguf_file": base.weights.name} if base.weights.suffix == ".gguf" else {}
    try:
        config = transformers.AutoConfig.from_pretrained(folder, **more)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **more)
    except (ValueError, KeyError) as error:
        raise RedraftError(f"cannot read the configuration of {base.weights}: {error}") from error
    config.dtype = "bfloat16"
    config.update({} if is_chat else TEMPLATE)
    config.save_pretrained(out)
    transformers.GenerationConfig.from_model_config(config).save_pretrained(out)
    tokenizer.chat_template = tokenizer.chat_template if is_chat else None
    tokenizer.save_pretrained(out)


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read {path}: {error}") from error
