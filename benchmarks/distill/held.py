"""In: a model folder, an adapter or none, packed samples, lists. Out: what it makes of each held out one, a line each.

    python benchmarks/distill/held.py FOLDER PACKED.safetensors OUT.jsonl --adapter FOLDER --lists LISTS.safetensors

Given what comes before: the tokens that come out first, the nats of the text and its bytes; of a list what the
likeliest text is. Started again it goes on; the last line of standard output sums up.
"""

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
import typer

from redraft.engines.folder import open_folder, read_json
from redraft.engines.torch import device_of, dtype_of, fastest_dtype
from redraft.models.adapter import CONFIG
from redraft.train.adapted import adapt, begin_from
from redraft.train.lists import Choices, read_lists
from redraft.train.net import Net
from redraft.train.packed import Sequenced, read_packed
from redraft.train.policy import outcome, values_of
from redraft.train.regions import losses_of


@torch.no_grad()
def main(
    folder: Path,
    packed: Path,
    out: Path,
    adapter: Path | None = None,
    lists: Path | None = None,
    count: int = 32,
    longest: int = 600,
    threads: int = 1,
) -> None:
    torch.set_num_threads(threads)
    net = Net(open_folder(folder), dtype_of(fastest_dtype(device_of(None))))
    if adapter:
        adapt(net, read_json(adapter / CONFIG)["r"])
        begin_from(net, adapter)
    net.to(device_of(None))
    known = {_key(json.loads(line)) for line in out.read_text().splitlines()} if out.exists() else set()
    with out.open("a") as file:
        for one in _held(packed, lists, count, longest):
            if (one.id, isinstance(one, Choices)) not in known:
                file.write(json.dumps({"id": one.id, "style": one.style} | _made(net, one)) + "\n")
                file.flush()
    print(json.dumps(_summary([json.loads(line) for line in out.read_text().splitlines()])))


def _key(record: dict[str, Any]) -> tuple[str, bool]:
    """A sample and a list of one answer have the same name."""
    return record["id"], "likeliest" in record


def _held(packed: Path, lists: Path | None, count: int, longest: int) -> Iterator[Sequenced | Choices]:
    """The first ones that a run validates with come first, and as many lists."""
    yield from [one for one in read_packed(packed) if one.held and len(one) <= longest][:count]
    if lists:
        yield from [one for one in read_lists(lists) if one.held and len(one) <= longest][:count]


def _made(net: Net, one: Sequenced | Choices) -> dict[str, Any]:
    if isinstance(one, Choices):
        return {"likeliest": outcome(values_of(net, one), torch.tensor(one.rewards, device=net.norm.device))}
    losses, right = losses_of(net, [one])
    nats = round(float(losses.sum()), 4)
    return {"tokens": len(right), "right": int(right.sum()), "nats": nats, "bytes": one.size}


def _summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    written = [each for each in records if "nats" in each]
    said = Counter(each["likeliest"] for each in records if "likeliest" in each)
    tokens, right, nats, size = (sum(each[name] for each in written) for name in ("tokens", "right", "nats", "bytes"))
    return {
        "samples": len(written),
        "wholly_right": sum(each["right"] == each["tokens"] for each in written),
        "tokens_right": round(right / max(1, tokens), 5),
        "bits_per_byte": round(nats / math.log(2) / max(1, size), 5),
    } | {f"lists_{name}": number for name, number in said.items()}


if __name__ == "__main__":
    sys.exit(typer.run(main))
