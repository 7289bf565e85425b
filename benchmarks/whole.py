"""In: cases, and a model. Out: whole files written with drafts, beside the limit and token by token, a record a line.

    python benchmarks/whole.py CASES.jsonl FOLDER OUT.jsonl --count 100

Token by token a file takes minutes, so it is reckoned: what is read of the prompt, and for each token of the output the
mean of some single steps at its middle, where the context is as long as it is on average. The limit is one pass over
prompt and output in blocks. `--check` runs the first cases in full as well. Cases that OUT holds are not run again.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import typer
from rich.progress import track

from redraft.engines import Sampling
from redraft.engines.torch import TorchEngine
from redraft.measure.cases import read_cases
from redraft.measure.speed.bench import Bench, Measured
from redraft.measure.speed.environment import describe
from redraft.measure.speed.limit import feed

_BLOCK, _SINGLE = 512, 32


def main(cases: Path, folder: Path, out: Path, count: int = 100, check: int = 0) -> None:
    engine = TorchEngine(str(folder), "bfloat16")
    bench = Bench(engine, describe(f"hf:{folder.name}", engine, "benchmarks/whole.py", window=0), vanilla=False)
    known = {json.loads(line)["id"] for line in out.read_text().splitlines()} if out.exists() else set[str]()
    waiting = [case for case in read_cases(cases)[:count] if case.id not in known]
    for number, case in enumerate(track(waiting)):
        measured = bench.measure(case, vanilla_first=False)
        if measured.record.status != "error" and len(measured.answer.ids) > _SINGLE:
            found = asdict(measured.record) | _beside(engine, measured) | _in_full(engine, measured, number < check)
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
    print(json.dumps(_summary([json.loads(line) for line in out.read_text().splitlines()])))


def _beside(engine: TorchEngine, measured: Measured) -> dict[str, Any]:
    answer, record = measured.answer, measured.record
    prompt, verifier = engine.open(answer.prompt)
    ids, middle = [*prompt, *answer.ids[:-1]], len(prompt) + len(answer.ids) // 2
    parts = ids[: len(prompt)], ids[len(prompt) : middle], ids[middle : middle + _SINGLE], ids[middle + _SINGLE :]
    sizes = _BLOCK, _BLOCK, 1, _BLOCK
    read, before, single, rest = (feed(verifier, part, size)[0] for part, size in zip(parts, sizes, strict=True))
    _, ahead, alone, behind = map(len, parts)
    limit = read + (before + rest) / (ahead + behind) * len(answer.ids)
    plain = read + single / alone * len(answer.ids)
    return {
        "limit_seconds": limit,
        "limit_ratio": record.seconds / limit,
        "vanilla_seconds": plain,
        "speed_up": plain / record.seconds,
        "limit_speed_up": plain / limit,
        "speed_up_without_prompt": (plain - read) / (record.seconds - read),
    }


def _in_full(engine: TorchEngine, measured: Measured, is_asked: bool) -> dict[str, Any]:
    if not is_asked:
        return {}
    most = Sampling(max_tokens=len(measured.answer.ids), speculate=False)
    started = time.perf_counter()
    ids = [id_ for chunk in engine.generate(measured.answer.prompt, most) for id_ in chunk.ids]
    return {"full_seconds": time.perf_counter() - started, "equal_to_vanilla": ids == list(measured.answer.ids)}


def _summary(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    names = "limit_ratio", "speed_up", "limit_speed_up", "speed_up_without_prompt", "seconds", "forwards"
    found = {name: sorted(record[name] for record in records) for name in names}
    spread = {name: [values[0], median(values), values[9 * len(values) // 10]] for name, values in found.items()}
    return {"cases": len(records), "least, median, p90": spread}


if __name__ == "__main__":
    typer.run(main)
