"""In: records of benchmarks/forced.py. Out: a picture of what each engine writes right, by the size of what it writes.

python benchmarks/embedded/by_size.py OUT.png RECORDS.jsonl...
"""

import json
import sys
from collections import defaultdict
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

from redraft.data.figure import save_figure
from redraft.measure.accuracy.share import Share
from redraft.measure.report import drawing

SIZES = (0, 100, 200, 400, 800, 1600)  # tokens
Record = dict[str, Any]


def sized(records: list[Record]) -> list[tuple[str, list[Record]]]:
    found = [
        (f"{low}-{high}", [one for one in records if one["seen"] and low < one["tokens"] <= high])
        for low, high in pairwise(SIZES)
    ]
    return [(name, some) for name, some in found if some]


def bits(records: list[Record]) -> float:
    return sum(one["nats"] for one in records) / log(2) / sum(one["bytes"] for one in records)


def draw(left: Any, right: Any, at: int, name: str, records: list[Record]) -> None:
    sizes = sized(records)
    places = [place + 0.08 * at for place in range(len(sizes))]
    shares = [Share.of(one["whole"] for one in some) for _, some in sizes]
    whole = [share.right / share.count for share in shares]
    low, high = zip(*(share.interval for share in shares), strict=True)
    errors = [[max(0.0, mid - end) for mid, end in zip(whole, low, strict=True)]]
    errors += [[max(0.0, end - mid) for mid, end in zip(whole, high, strict=True)]]
    look = {"color": drawing.COLOURS[at], "marker": drawing.MARKERS[at], "label": name}
    left.errorbar(places, whole, yerr=errors, capsize=2, **look)
    right.plot(places, [bits(some) for _, some in sizes], **look)
    for axes in (left, right):
        axes.set_xticks(range(len(sizes)), [f"{size}\n{len(some)}" for size, some in sizes])


def main(out: str, *paths: str) -> None:
    groups = defaultdict[str, list[Record]](list)
    for path in paths:
        for line in Path(path).read_text().splitlines():
            record = json.loads(line)
            groups[record["engine"]].append(record)
    figure = drawing.new(3.8)
    left, right = figure.subplots(1, 2)
    for at, (name, records) in enumerate(groups.items()):
        draw(left, right, at, name, records)
    left.set(ylabel="wholly right (95% interval)", ylim=(-0.02, 1.02))
    right.set(ylabel="bits per byte of the right file", ylim=(0, None))
    for axes in (left, right):
        drawing.plain(axes)
        axes.set_xlabel("tokens of what the model writes; edits")
    left.legend(frameon=False, fontsize=9)
    save_figure(figure, Path(out), dpi=drawing.DPI)


main(*sys.argv[1:])
