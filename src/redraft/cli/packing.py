"""In: samples, or edits that make some. Out: a packed file of them, and a line for each kind that was met."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeVar

from redraft.cli.lines import counts
from redraft.data.list_samples import ListSample, Settled
from redraft.data.region_samples import Answered, Outside, RegionSample, region_sample

if TYPE_CHECKING:
    from redraft.engines.tokens import Tokens

_KINDS = {RegionSample: "inside", ListSample: "listed", Settled: "settled", Outside: "outside of its regions"}

T = TypeVar("T", bound=RegionSample | ListSample | Settled | Outside)


def write_regions(
    answered: Iterable[tuple[str, Answered]], tokens: "Tokens", longest: int, out: Path, seed: int, met: Counter[str]
) -> int:
    """Packs the samples of edits and of what each is held out by, and says what was met."""
    from redraft.train.packed import write_packed

    found = [counted(region_sample(name, each), met) for name, each in answered]
    samples = [sample for sample in found if isinstance(sample, RegionSample)]
    Random(seed).shuffle(samples)
    return said(met, write_packed(samples, tokens, longest, out), out)


def counted(sample: T, met: Counter[str]) -> T:
    met[f"{sample.style}, {_KINDS[type(sample)]}"] += 1
    return sample


def said(met: Counter[str], written: dict[str, int], out: Path) -> int:
    for style, count in sorted(met.items()):
        print(f"{style}: {count:,}", file=sys.stderr)
    print(f"{counts(Counter(written))} in {out}", file=sys.stderr)
    return 0
