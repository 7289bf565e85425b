"""In: two model folders, lists. Out: the processor's seconds in which each weighs the same lists, one after the other.

    python benchmarks/distill/seconds.py LARGE SMALL LISTS.safetensors --count 8

Each list is weighed by both before the next one; the first one is a warm-up and does not count. A list is what the
model is asked about in doubt; loading the model is not in it.
"""

import json
import sys
import time
from pathlib import Path

import torch
import typer

from redraft.engines.folder import open_folder
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.train.lists import Choices, read_lists
from redraft.train.net import Net
from redraft.train.policy import values_of


@torch.no_grad()
def main(large: Path, small: Path, lists: Path, count: int = 8, longest: int = 600) -> None:
    torch.set_num_threads(1)
    dtype, device = dtype_of(fastest_dtype(device_of(None))), device_of(None)
    nets = [Net(open_folder(folder), dtype).to(device) for folder in (large, small)]
    known = [one for one in read_lists(lists) if one.held and len(one) <= longest][: count + 1]
    taken = [[_seconds(net, one) for net in nets] for one in known][1:]
    sums = [round(sum(each), 2) for each in zip(*taken, strict=True)]
    tokens = sum(map(len, known[1:]))
    print(json.dumps({"lists": len(taken), "tokens": tokens, "large": sums[0], "small": sums[1]}))


def _seconds(net: Net, one: Choices) -> float:
    started = time.process_time()
    values_of(net, one)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(typer.run(main))
