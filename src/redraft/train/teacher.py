"""In: a model folder, samples. Out: the model's likeliest ids after each that is to be written, kept in a folder."""

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from redraft.engines.folder import read_json
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.errors import RedraftError
from redraft.train.net import Net
from redraft.train.packed import Sequenced
from redraft.train.regions import asked
from redraft.train.run import SETTINGS, plain_folder
from redraft.train.run_folder import check_same, writing

_TOGETHER = 16  # samples in a file: at most so many are asked again after a stop

Shown = Callable[[Sequence[Sequenced]], Iterable[Sequenced]]


@dataclass(frozen=True)
class Known:
    """For each id that a sample is to write a row: the likeliest ids, the first one first, and their log-probabilities
    among all that the tokenizer knows, in float16."""

    ids: Tensor
    logs: Tensor


def ask(
    model: Path, packed: Path, samples: Iterable[Sequenced], top: int, kept: Path, shown: Shown = list
) -> dict[str, Known]:
    """What the teacher knows of each sample, by its id; each is asked once, however often this is called.

    Raises RedraftError for a model of another family, and where the folder holds what another model knows, or of
    other samples.
    """
    wanted = {one.id: one for one in samples}
    folder = plain_folder(model)
    settings = {"teacher": [_digest(file) for file in folder.tensors()], "packed": _digest(packed), "top": top}
    with writing(kept):
        if (kept / SETTINGS).exists():
            check_same(kept, read_json(kept / SETTINGS), settings)
        (kept / SETTINGS).write_text(json.dumps(settings) + "\n")
        found = _read(kept)
        missing = [one for id_, one in wanted.items() if id_ not in found]
        if missing:
            net = Net(folder, dtype_of(fastest_dtype(device_of(None)))).to(device_of(None))
            size = 1 + max(_vocabulary(model).values())  # a head may be larger, and a student's of another size
            found |= _asked(lambda one: _known(net, one, size, top), missing, kept, shown)
    return {id_: found[id_] for id_ in wanted}


def check_vocabulary(teacher: Path, student: Path) -> None:
    """Raises RedraftError unless the same ids are the same tokens for both."""
    if _vocabulary(teacher) != _vocabulary(student):
        raise RedraftError(f"{teacher} and {student} have different vocabularies: one cannot teach the other")


def _vocabulary(model: Path) -> dict[str, int]:
    file = model / "tokenizer.json"
    if not file.is_file():
        raise RedraftError(f"{model} has no tokenizer.json")
    found: dict[str, int] = Tokenizer.from_file(str(file)).get_vocab()
    return found


def _asked(
    know: Callable[[Sequenced], Known], samples: Sequence[Sequenced], kept: Path, shown: Shown
) -> dict[str, Known]:
    found, new = dict[str, Known](), dict[str, Known]()
    for number, one in enumerate(shown(samples), 1):
        new[one.id] = know(one)
        if len(new) == _TOGETHER or number == len(samples):
            _write(new, kept)
            found, new = found | new, {}
    return found


@torch.no_grad()
def _known(net: Net, one: Sequenced, size: int, top: int) -> Known:
    """Of the first so many ids."""
    states, _ = asked(net, [one])
    found = [torch.log_softmax(logits[:, :size], -1).topk(min(top, size)) for logits in net.logits(states)]
    logs, ids = (torch.cat(parts) for parts in zip(*found, strict=True))
    return Known(ids.int().cpu(), logs.half().cpu())


def _write(new: dict[str, Known], kept: Path) -> None:
    """One file more, whole or not at all."""
    file = kept / f"{len(list(kept.glob('*.safetensors'))):05}.safetensors"
    tensors = {f"ids {id_}": known.ids for id_, known in new.items()}
    tensors |= {f"logs {id_}": known.logs for id_, known in new.items()}
    save_file(tensors, file.with_suffix(".part"))
    os.replace(file.with_suffix(".part"), file)


def _read(kept: Path) -> dict[str, Known]:
    found: dict[str, Known] = {}
    for file in kept.glob("*.safetensors"):
        try:
            tensors = load_file(file)
        except SafetensorError as error:
            raise RedraftError(f"cannot read {file}: {error}") from error
        names = [name.removeprefix("ids ") for name in tensors if name.startswith("ids ")]
        found |= {name: Known(tensors[f"ids {name}"], tensors[f"logs {name}"]) for name in names}
    return found


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as content:
            return file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise RedraftError(f"cannot read {file}: {error.strerror}") from error
