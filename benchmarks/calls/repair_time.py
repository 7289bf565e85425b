"""In: clones of the repositories of `calls-dev`. Out: milliseconds that a failing call takes in a running process.

    python benchmarks/calls/repair_time.py CLONES [COUNT]

Each call is repaired once, in the order of the set, after a first one that is not counted: what is found out about a
file is kept, so a second time would be no measure. Beside it, in the same run, Gemini CLI's matcher and the one of
`difflib` on the same calls. Time of the processor, which others on the machine do not disturb, and by the clock. The
last line is a JSON object.
"""

import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from matchers import MATCHERS, Matching

from redraft.edit.request import Request
from redraft.measure.accuracy.systems import Editor, Repairing
from redraft.measure.sets import calls
from redraft.measure.sets.named import find_manifest
from redraft.measure.speed.environment import describe

SET = find_manifest("calls-dev")
OTHERS = ("gemini", "difflib")


def timed(editor: Editor, request: Request) -> tuple[float, float, bool]:
    """Milliseconds of the processor and by the clock, and whether something is written."""
    wall, processor = time.perf_counter(), time.process_time()
    result = editor.answer(request)
    spent = time.process_time() - processor, time.perf_counter() - wall
    return spent[0] * 1000, spent[1] * 1000, result.output is not None


def summed(found: Sequence[tuple[float, float, bool]]) -> dict[str, float]:
    processor, wall = ([each[at] for each in found] for at in (0, 1))
    ninth = statistics.quantiles(processor, n=10)[-1]
    return {
        "n": len(found),
        "median": round(statistics.median(processor), 2),
        "nine of ten below": round(ninth, 2),
        "most": round(max(processor), 1),
        "median by the clock": round(statistics.median(wall), 2),
    }


def main(clones: str, count: str = "360") -> None:
    tasks = [*calls.make(calls.read_calls(SET), Path(clones))][: int(count)]
    requests = [Request(task.original, task.update, path=task.path) for task in tasks]
    editors: dict[str, Editor] = {"repair": Repairing()} | {name: Matching(MATCHERS[name]) for name in OTHERS}
    for editor in editors.values():
        editor.answer(requests[0])
    found = {name: [timed(editor, request) for request in requests[1:]] for name, editor in editors.items()}
    rows = {
        "repair": found["repair"],
        "repair, what is written": [each for each in found["repair"] if each[2]],
        "repair, what is refused": [each for each in found["repair"] if not each[2]],
        **{name: found[name] for name in OTHERS},
    }
    summary = {name: summed(each) for name, each in rows.items() if len(each) > 1}
    first = summary["repair"]["median"]
    print(f"| milliseconds of the processor | {' | '.join(summary['repair'])} | median, repair = 1 |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, values in summary.items():
        print(f"| {name} | {' | '.join(map(str, values.values()))} | {values['median'] / first:.2f} |")
    print(json.dumps({"processor": describe("repair", None, "").hardware, "summary": summary}))


if __name__ == "__main__":
    main(*sys.argv[1:])
