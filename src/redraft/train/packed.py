"""In: samples of regions and a tokenizer. Out: one file of ids, and its sequences."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from redraft.data.region_samples import RegionSample
from redraft.engines.tokens import Tokens
from redraft.errors import RedraftError

HELD = 5  # one repository of so many is held out


@dataclass(frozen=True)
class Sequenced:
    """`ids` of a prompt, `start` of them, and of what is to be written; `size` is the latter's bytes."""

    id: str
    style: str
    held: bool
    ids: Sequence[int]
    start: int
    size: int

    def __len__(self) -> int:
        return len(self.ids)


def is_held(repository: str) -> bool:
    """Whether a repository is one of the fifth that validates."""
    return int(sha256(repository.lower().encode()).hexdigest(), 16) % HELD == 0


def write_packed(samples: Iterable[RegionSample], tokens: Tokens, longest: int, out: Path) -> dict[str, int]:
    """Writes what fits into so many ids; returns how many there are of training, held out, and too long."""
    ids: list[int] = []
    ends: list[int] = []
    starts: list[int] = []
    about: list[dict[str, Any]] = []
    counts = {"training": 0, "held": 0, "too_long": 0}
    for sample in samples:
        prompt, output = tokens.open(sample.prompt, ()), tokens.encode(sample.output)
        if len(prompt) + len(output) > longest:
            counts["too_long"] += 1
            continue
        held = is_held(sample.repository)
        counts["held" if held else "training"] += 1
        ids += [*prompt, *output]
        ends.append(len(ids))
        starts.append(len(prompt))
        about.append({"id": sample.id, "style": sample.style, "held": held, "size": sample.bytes})
    arrays = {"ids": ids, "ends": ends, "starts": starts}
    packed = {name: numpy.array(values, numpy.int32) for name, values in arrays.items()}
    save_file(packed, out, metadata={"about": json.dumps(about)})
    return counts | {"ids": len(ids)}


def read_packed(file: Path) -> list[Sequenced]:
    """Raises RedraftError for a file that is none."""
    try:
        with safe_open(file, "numpy") as packed:
            about = json.loads(packed.metadata()["about"])
            ids, ends, starts = (packed.get_tensor(name).tolist() for name in ("ids", "ends", "starts"))
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise RedraftError(f"cannot read {file}: {error}") from error
    return [
        Sequenced(one["id"], one["style"], one["held"], ids[begin:end], start, one["size"])
        for one, begin, end, start in zip(about, [0, *ends], ends, starts, strict=False)
    ]
