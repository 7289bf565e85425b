"""In: lists of texts to choose among, and a tokenizer. Out: one file of ids, and its lists."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from redraft.data.list_samples import ListSample
from redraft.engines.stretches import stretches
from redraft.engines.tokens import Tokens
from redraft.errors import RedraftError
from redraft.train.packed import is_held


@dataclass(frozen=True)
class Choices:
    """`trunk`: the ids of a prompt and of what all texts begin with; `branches`: how each goes on from there."""

    id: str
    style: str
    held: bool
    trunk: Sequence[int]
    branches: Sequence[Sequence[int]]
    rewards: Sequence[float]

    def __len__(self) -> int:
        return len(self.trunk) + sum(map(len, self.branches))


def write_lists(samples: Iterable[ListSample], tokens: Tokens, longest: int, out: Path) -> dict[str, int]:
    """Writes what fits into so many ids; returns how many there are of training, held out, and too long."""
    pieces: list[Sequence[int]] = []
    about: list[dict[str, Any]] = []
    counts = {"training": 0, "held": 0, "too_long": 0}
    for sample in samples:
        outputs = [tuple(tokens.encode(output)) for output in sample.outputs]
        size, rest = stretches(outputs)
        own = [[*tokens.open(sample.prompt, ()), *outputs[0][:size]], *(rest[output] for output in outputs)]
        if sum(map(len, own)) > longest:
            counts["too_long"] += 1
            continue
        held = is_held(sample.repository)
        counts["held" if held else "training"] += 1
        pieces += own
        about.append({"id": sample.id, "style": sample.style, "held": held, "rewards": sample.rewards})
    arrays = {"ids": [id_ for piece in pieces for id_ in piece], "ends": list(accumulate(map(len, pieces)))}
    packed = {name: numpy.array(values, numpy.int32) for name, values in arrays.items()}
    save_file(packed, out, metadata={"lists": json.dumps(about)})
    return counts | {"ids": len(arrays["ids"])}


def read_lists(file: Path) -> list[Choices]:
    """Raises RedraftError for a file that is none."""
    try:
        with safe_open(file, "numpy") as packed:
            about = json.loads(packed.metadata()["lists"])
            ids, ends = (packed.get_tensor(name).tolist() for name in ("ids", "ends"))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise RedraftError(f"cannot read {file}: {error}") from error
    pieces = (ids[begin:end] for begin, end in pairwise([0, *ends]))
    found = list[Choices]()
    for one in about:
        trunk, *branches = (next(pieces) for _ in range(1 + len(one["rewards"])))
        found.append(Choices(one["id"], one["style"], one["held"], trunk, branches, one["rewards"]))
    return found
