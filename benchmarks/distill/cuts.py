"""In: a model folder, packed samples. Out: what each layer changes, and what cuts lose on held out samples.

    python benchmarks/distill/cuts.py FOLDER PACKED.safetensors --keep 12 --count 4

A layer's influence is one minus the cosine of the states before and after it (ShortGPT, Men et al. 2024); the block
that goes is that with the least angle between the states around it (Gromov et al. 2024). A line of JSON a cut; nothing
is trained.
"""

import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
import typer
from torch import Tensor, nn
from torch.nn import functional

from redraft.engines.folder import open_folder
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.train.net import Net
from redraft.train.packed import Sequenced, read_packed
from redraft.train.regions import losses_of


@torch.no_grad()
def main(folder: Path, packed: Path, keep: int = 12, count: int = 4, longest: int = 500) -> None:
    net = Net(open_folder(folder), dtype_of(fastest_dtype(device_of(None)))).to(device_of(None))
    held = [one for one in read_packed(packed) if one.held and len(one) <= longest]
    states = [_states(net, one) for one in _spread(held, count)]
    whole, blocks = range(len(net.blocks)), list(net.blocks)
    influences = [1 - _alike(states, layer, layer + 1) for layer in whole]
    print(json.dumps({"influence": [round(each, 3) for each in influences]}), flush=True)
    for name, layers in {"whole": list(whole), **dict(_cuts(states, influences, keep))}.items():
        net.blocks = nn.ModuleList(blocks[layer] for layer in layers)
        print(json.dumps({"cut": name, "layers": layers, **_lost(net, _spread(held, count))}), flush=True)


def _spread(held: Sequence[Sequenced], count: int) -> list[Sequenced]:
    return list(held[:: max(1, len(held) // count)][:count])


def _states(net: Net, one: Sequenced) -> list[Tensor]:
    """The state before the first layer and after each."""
    found: list[Tensor] = []
    hooks = [block.register_forward_pre_hook(lambda _, given: found.append(given[0])) for block in net.blocks]
    hooks.append(net.blocks[-1].register_forward_hook(lambda _, __, made: found.append(made)))
    losses_of(net, [one])
    for hook in hooks:
        hook.remove()
    return found


def _alike(states: Sequence[Sequence[Tensor]], before: int, after: int) -> float:
    pairs = [functional.cosine_similarity(one[before].float(), one[after].float(), -1) for one in states]
    return float(torch.cat(pairs).mean())


def _cuts(
    states: Sequence[Sequence[Tensor]], influences: Sequence[float], keep: int
) -> Iterator[tuple[str, list[int]]]:
    layers = len(influences)
    yield "evenly", [round(step * (layers - 1) / (keep - 1)) for step in range(keep)]
    yield "by influence", sorted(sorted(range(layers), key=lambda layer: -influences[layer])[:keep])
    gone = layers - keep
    begin = max(range(layers - gone), key=lambda begin: _alike(states, begin, begin + gone))  # the last layer stays
    yield "one block", [layer for layer in range(layers) if not begin <= layer < begin + gone]


def _lost(net: Net, held: Sequence[Sequenced]) -> dict[str, float]:
    nats, hits, tokens, size = 0.0, 0, 0, 0
    for one in held:
        losses, right = losses_of(net, [one])
        nats, hits, tokens, size = (
            nats + float(losses.sum()),
            hits + int(right.sum()),
            tokens + len(right),
            size + one.size,
        )
    return {
        "tokens": tokens,
        "tokens_right": round(hits / tokens, 4),
        "bits_per_byte": round(nats / math.log(2) / size, 3),
    }


if __name__ == "__main__":
    sys.exit(typer.run(main))
