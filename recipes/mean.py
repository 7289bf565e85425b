"""In: two adapters of one base and rank, of one row of trainings, and a share. Out: their mean.

    python recipes/mean.py FIRST SECOND OUT [--share 0.5]

An adapter that learns to choose forgets how to write; halfway between the two it does both. The share is the second
one's. After Wortsman et al., Model soups (2022).
"""

import shutil
from pathlib import Path
from typing import Annotated

import torch
import typer
from safetensors.torch import load_file, save_file

_WEIGHTS, _CONFIG = "adapter_model.safetensors", "adapter_config.json"


def main(first: Path, second: Path, out: Path, share: Annotated[float, typer.Option(min=0, max=1)] = 0.5) -> None:
    one, other = (load_file(folder / _WEIGHTS) for folder in (first, second))
    if {name: value.shape for name, value in one.items()} != {name: value.shape for name, value in other.items()}:
        raise typer.BadParameter(f"{first} and {second} are not of one base and rank")
    out.mkdir(parents=True, exist_ok=True)
    means = {name: torch.lerp(one[name].float(), other[name].float(), share).to(one[name].dtype) for name in one}
    save_file(means, out / _WEIGHTS, metadata={"format": "pt"})
    shutil.copyfile(second / _CONFIG, out / _CONFIG)


if __name__ == "__main__":
    typer.run(main)
