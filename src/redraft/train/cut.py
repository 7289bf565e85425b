"""In: a model folder, the numbers of some of its layers. Out: a folder with these layers alone."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from redraft.engines.folder import Folder, read_json
from redraft.errors import RedraftError
from redraft.models.tensors import Array, bfloat16, float32, read_tensors, write_tensors
from redraft.train.run_folder import writing

LAYERS_KEY = "redraft_layers"  # where the configuration of a cut says which layers of the whole it has
_LAYER = re.compile(r"model\.layers\.(\d+)\.")
_ALONG = (".json", ".jinja", ".txt", ".model")


def layers_of(said: str, count: int) -> list[int]:
    """The layers that are meant by "12", so many evenly spaced from the first to the last, or by "0-7,20,23".

    Raises RedraftError for what is neither, or names layers that are not there.
    """
    if said.isdecimal() and 2 <= int(said) <= count:
        return [round(step * (count - 1) / (int(said) - 1)) for step in range(int(said))]
    spans = [re.fullmatch(r"(\d+)(?:-(\d+))?", span) for span in said.split(",")]
    if said.isdecimal() or not all(spans):
        raise RedraftError(f"{said!r} is no model folder, no number of 2 to {count} layers, and no list such as 0-7,20")
    found = {layer for span in spans if span for layer in range(int(span[1]), int(span[2] or span[1]) + 1)}
    if not found or max(found) >= count:
        raise RedraftError(f"the layers are 0 to {count - 1}, not {said}")
    return sorted(found)


def write_cut(folder: Folder, layers: Sequence[int], out: Path) -> None:
    """Writes configuration, tokenizer and weights in bfloat16; a cut of the same layers that is there stays.

    Raises RedraftError where another one is there, and where nothing can be written.
    """
    if out.exists():
        if read_json(out / "config.json").get(LAYERS_KEY) != list(layers):
            raise RedraftError(f"{out} is a cut to other layers: choose another folder")
        return
    part = out.with_name(f"{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    with writing(part):
        for file in folder.path.iterdir():
            if file.suffix in _ALONG and not file.name.endswith(".index.json"):
                shutil.copyfile(file, part / file.name)
        write_tensors(part / "model.safetensors", dict(_kept(folder, layers)))
        config = folder.config | {"num_hidden_layers": len(layers), LAYERS_KEY: list(layers), "torch_dtype": "bfloat16"}
        if config.get("layer_types"):
            config["layer_types"] = [config["layer_types"][layer] for layer in layers]
        (part / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        os.replace(part, out)


def _kept(folder: Folder, layers: Sequence[int]) -> Iterator[tuple[str, Array]]:
    numbers = {layer: number for number, layer in enumerate(layers)}
    for file in folder.tensors():
        for name, weight in read_tensors(file).items():
            found = _LAYER.match(name)
            if found and int(found[1]) not in numbers:
                continue
            if found:
                name = f"model.layers.{numbers[int(found[1])]}.{name[found.end() :]}"
            yield name, bfloat16(float32(weight))
