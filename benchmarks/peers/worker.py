"""In: jobs as JSON lines on standard input. Out: what a peer generated for each, and its seconds, on standard output.

    PYTHON benchmarks/peers/PEER.py MODEL THREADS WAY,WAY,...

Every peer is such a script, run by the Python of its own environment. The first line says its versions and its ways. A
job is `{"way", "ids", "end", "most"}`: prompt ids in, greedy ids out, through the end id. Needs the standard library.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

# Prompt ids, the id that ends the output, the most ids to write.
Generate = Callable[[Sequence[int], int, int], Sequence[int]]
# A model's path, the number of threads, and a way: what generates so.
Load = Callable[[str, int, str], Generate]


def serve(load: Load, packages: Sequence[str]) -> None:
    model, threads, ways = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(",")
    # Libraries print where the answers go.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    generates = {way: load(model, threads, way) for way in ways}
    _say(answers, {"versions": {name: version(name) for name in packages}, "ways": ways})
    for line in sys.stdin:
        job = json.loads(line)
        started, worked = time.perf_counter(), time.process_time()
        try:
            ids = list(generates[job["way"]](job["ids"], job["end"], job["most"]))
            _say(answers, {**_took(started, worked), "ids": ids})
        except Exception as error:  # one job's fault is a record, and the next one is run
            _say(answers, {"error": f"{type(error).__name__}: {error}"})


def _took(started: float, worked: float) -> dict[str, float]:
    return {"seconds": time.perf_counter() - started, "processor_seconds": time.process_time() - worked}


def _say(answers, row) -> None:  # type: ignore[no-untyped-def]
    answers.write(json.dumps(row) + "\n")
    answers.flush()
