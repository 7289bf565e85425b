"""In: records of `measure.py`, of one run or of several. Out: a table in Markdown, a row for each system and mode.

    python benchmarks/vllm/summary.py RECORDS.jsonl [MORE.jsonl ...]

Ratios are of processor seconds in the rounds that both systems did: of the sums, and in brackets the median of the
rounds. "equal" counts the outputs that are plain vLLM's, token for token. Under the table: what a step and a token,
read or written, cost by least squares over all rounds (tokens that were drafted and rejected are not counted); and
each difference with how much likelier (nats) the token that plain vLLM wrote was to it than the second.
"""

import json
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

_SYSTEMS = ("plain", "ngram", "suffix", "redraft")
_HEAD = "| dtype | mode | system | edits | equal | steps | processor seconds | plain takes | redraft is faster by |"
Rounds = dict[tuple[str, ...], dict[str, Any]]


def read(paths: Sequence[Path]) -> tuple[Rounds, list[dict[str, Any]]]:
    """Rounds by dtype, mode and edits, the systems of all runs together; and all differences."""
    rounds: Rounds = {}
    differences = []
    for line in (line for path in paths for line in path.read_text("utf-8").splitlines()):
        record = json.loads(line)
        known = rounds.setdefault((record["dtype"], record["mode"], *record["edits"]), {"times": {}, "outputs": {}})
        known["prompt_tokens"] = record["prompt_tokens"]
        known["times"] |= record["times"]
        known["outputs"] |= record["outputs"]
        differences += [{"dtype": record["dtype"], "mode": record["mode"], **each} for each in record["differences"]]
    return rounds, differences


def ratio(rounds: Sequence[dict[str, Any]], over: str, under: str) -> str:
    """How many times the seconds of one system are those of the other, where both did the same."""
    pairs = [
        (each["times"][over]["processor_seconds"], each["times"][under]["processor_seconds"])
        for each in rounds
        if over in each["times"] and under in each["times"]
    ]
    if over == under or not pairs:
        return ""
    median = statistics.median(one / other for one, other in pairs)
    return f"{sum(one for one, _ in pairs) / sum(other for _, other in pairs):.2f} ({median:.2f})"


def row(dtype: str, mode: str, system: str, rounds: Sequence[dict[str, Any]]) -> str:
    done = [each for each in rounds if system in each["times"]]
    pairs = [
        (each["outputs"]["plain"][edit], found)
        for each in done
        if "plain" in each["outputs"]
        for edit, found in each["outputs"][system].items()
    ]
    equal = "" if system == "plain" else f"{sum(one == other for one, other in pairs)} of {len(pairs)}"
    edits = sum(len(each["outputs"][system]) for each in done)
    steps, seconds = (sum(each["times"][system][name] for each in done) for name in ("steps", "processor_seconds"))
    ratios = f"{ratio(done, 'plain', system)} | {ratio(done, system, 'redraft')}"
    return f"| {dtype} | {mode} | {system} | {edits} | {equal} | {steps} | {seconds:.1f} | {ratios} |"


def costs(rounds: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Milliseconds of the processor for a step, and for a token."""
    rows, seconds = [], []
    for each in rounds:
        for system, took in each["times"].items():
            written = sum(count for count, _ in each["outputs"][system].values())
            rows.append((took["steps"], each["prompt_tokens"] + written))
            seconds.append(took["processor_seconds"])
    step, token = numpy.linalg.lstsq(numpy.array(rows), numpy.array(seconds), rcond=None)[0]
    return 1000 * float(step), 1000 * float(token)


def main(paths: Sequence[Path]) -> None:
    rounds, differences = read(paths)
    print(_HEAD, "|---|---|---|" + "---:|" * 6, sep="\n")
    for dtype, mode in sorted({key[:2] for key in rounds}):
        these = [each for key, each in rounds.items() if key[:2] == (dtype, mode)]
        for system in _SYSTEMS:
            if any(system in each["times"] for each in these):
                print(row(dtype, mode, system, these))
    for dtype, mode in sorted({key[:2] for key in rounds}):
        step, token = costs([each for key, each in rounds.items() if key[:2] == (dtype, mode)])
        print(f"\n{dtype}, {mode}: {step:.1f} ms a step, {token:.2f} ms a token")
    for each in differences:
        place = f"{each['dtype']}, {each['mode']}: {each['system']} differs in {each['edit']} at {each['at']}"
        print(f"\n{place}, {each['gap']:.4f} nats")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
