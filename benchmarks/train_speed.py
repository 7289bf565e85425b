"""In: edits and a Llama folder. Out: tokens a second of both trainers, on the same edits in the same process.

    python benchmarks/train_speed.py EDITS.parquet FOLDER OUT

A first step of each warms up and is not counted; the two take turns, each twice.
"""

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import torch

from redraft.data.edits import read_edits
from redraft.data.samples import RuleWriter
from redraft.edit.prompts.template import find_template
from redraft.engines.folder import open_folder
from redraft.engines.torch import open_tokens
from redraft.train.course import Course, Training
from redraft.train.lean import Net
from redraft.train.material import Maker

LONGEST, COUNT, BATCH = 1900, 8, 2


def lean(folder: Path, edits: Path, compiled: bool) -> dict[str, Any]:
    known = list(read_edits(edits))[:COUNT]
    samples = [sample for edit in known for sample in RuleWriter().samples(edit)]
    maker = Maker(open_tokens(str(folder), open_folder(folder)), find_template("apply"), LONGEST, whole=1.0)
    made = [found for sample in samples if (found := maker.of_sample(sample, Random(0)))]
    training = Training(Net(open_folder(folder), torch.bfloat16), Course(steps=4, rate=1e-5, batch=BATCH), compiled)
    run = training.run(lambda rng: rng.choice(made), None)
    first = next(run)
    warm = training.seconds
    started, before = time.perf_counter(), training.tokens
    list(run)
    rate = (training.tokens - before) / (time.perf_counter() - started)
    start = round(warm - first["tokens"] / rate, 1)  # what the first step took longer than one like it
    return {"compiled": compiled, "tokens_per_second": round(rate), "seconds_to_start": start}


def tuned(folder: Path, edits: Path, out: Path) -> float:
    from redraft.train.tune import Tuner, Tuning

    known = list(read_edits(edits))[:COUNT]
    tuner = Tuner(known, str(folder), out, Tuning(32, 1e-5, 1, LONGEST, BATCH, 0), "bfloat16")
    times: list[float] = []
    steps = tuner.run(999, lambda record, steps: times.append(time.perf_counter()))
    tokens = sum(len(answer) for answer in tuner.answers) / steps
    return tokens * (len(times) - 1) / (times[-1] - times[0])


def main(edits: str, folder: str, out: str) -> None:
    for turn in range(2):
        found = round(tuned(Path(folder), Path(edits), Path(out) / str(turn)))
        print(json.dumps({"trainer": "tune", "tokens_per_second": found}), flush=True)
        for compiled in (False, True):
            print(json.dumps({"trainer": "lean"} | lean(Path(folder), Path(edits), compiled)), flush=True)


main(*sys.argv[1:])
