"""In: a set's name, or a file of cases. Out: seconds from start to result, and peak memory, of one edit of a file.

    python benchmarks/start_time.py SET|CASES.jsonl LINES TIMES [OPTION...]

The case is the one whose file is nearest to so many lines. Each time is a process of its own, from `redraft apply` with
the options to its end, after one that is not counted: the merged model is made, and files lie in memory.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from redraft.data.sizes import line_count
from redraft.measure.cases import read_cases
from redraft.measure.sets.named import read_set


def main(name: str, lines: str, times: str, *options: str) -> None:
    cases = read_cases(Path(name)) if name.endswith(".jsonl") else read_set(name).cases
    case = min(cases, key=lambda case: (abs(line_count(case.request.original) - int(lines)), case.id))
    with tempfile.TemporaryDirectory() as folder:
        file, update = Path(folder, Path(case.request.path).name), Path(folder, "answer.md")
        file.write_text(case.request.original)
        update.write_text(case.request.update)
        command = [sys.executable, "-m", "redraft", "apply", str(file), "-u", str(update), "--diff", *options]
        first, *found = [timed(command) for _ in range(int(times) + 1)]
    record = {"id": case.id, "lines": line_count(case.request.original), "options": list(options), "code": first[2]}
    seconds = round(median(one[0] for one in found), 2)
    peak = round(max(one[1] for one in found))
    print(json.dumps(record | {"seconds": seconds, "peak_mib": peak, "times": len(found)}))


def timed(command: list[str]) -> tuple[float, float, int]:
    """Seconds, mebibytes at the peak, and the exit code."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    return time.perf_counter() - started, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


main(*sys.argv[1:])
