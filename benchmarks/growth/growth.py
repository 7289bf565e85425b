"""In: kinds of edits, at sizes that double. Out: a table of seconds, growth for each doubling and memory; JSON last.

python benchmarks/growth/growth.py [--short] [--first SIGNS] [--most SIGNS] [--time SECONDS] [--kinds WORDS]
A kind ends at the size at which an edit takes longer than --time, or is refused because its time is up.
"""

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

from kinds import Kind, kinds

from redraft.apply import Redraft

_FIRST, _SHORT, _MOST = 4_000, 32_000, 1_000_000
_ALONE = 5.0  # times of its limit that an edit runs before it is ended from outside


class Run(NamedTuple):
    signs: int
    seconds: float  # of the processor
    status: str
    megabytes: float  # at most, since the process began


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--short", action="store_true", help="up to 32,000 signs")
    options.add_argument("--first", type=int, default=_FIRST, help="the smallest size")
    options.add_argument("--most", type=int, default=_MOST)
    options.add_argument("--time", type=float, default=5.0)
    options.add_argument("--kinds", default="")
    asked = options.parse_args()
    most = min(asked.most, _SHORT) if asked.short else asked.most
    Redraft().apply("a = 1\n", "a = 2\n", path="a.py")
    print(f"{'kind':38} {'signs':>9} {'seconds':>8} {'growth':>7} {'MB':>6}  status")
    found = {}
    for kind in kinds():
        if asked.kinds in kind.name:
            runs = measured(kind, (asked.first, most), asked.time)
            found[kind.name] = [run._asdict() for run in runs]
            print(told(kind.name, runs), flush=True)
    print(json.dumps({"command": " ".join(sys.argv), "kinds": found}))


def told(name: str, runs: list[Run]) -> str:
    last, before = runs[-1], runs[-2] if len(runs) > 1 else None
    growth = f"{last.seconds / max(before.seconds, 0.001):.1f}" if before else "-"
    return f"{name:38} {last.signs:9,} {last.seconds:8.2f} {growth:>7} {last.megabytes:6.0f}  {last.status}"


def measured(kind: Kind, sizes: tuple[int, int], limit: float) -> list[Run]:
    """Runs in a process of its own, which is ended where an edit does not end."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_send, args=(kind, sizes, limit, theirs))
    process.start()
    theirs.close()
    runs = [*_received(ours, limit)]
    process.kill()
    process.join()
    return runs


def _received(ours: Connection, limit: float) -> Iterator[Run]:
    try:
        while ours.poll(_ALONE * limit):
            yield Run(*ours.recv())
    except EOFError:
        return
    yield Run(0, _ALONE * limit, "ended from outside", 0.0)


def _send(kind: Kind, sizes: tuple[int, int], limit: float, theirs: Connection) -> None:
    editor, (signs, most) = Redraft(seconds=limit), sizes
    while signs <= most:
        request = kind.of(signs)
        started = time.process_time()
        result = editor.apply(request.original, request.update, path=request.path)
        seconds = time.process_time() - started
        size = len(request.original) + len(request.update)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        theirs.send((size, seconds, result.status, peak))
        if seconds > limit or result.status == "error":
            return
        signs *= 2


if __name__ == "__main__":
    main()
