"""In: cases and engines. Out: how an engine writes the expected file when it is fed that file, token by token.

    python benchmarks/forced.py SET|CASES.jsonl COUNT SEED RECORDS.jsonl ENGINE[@LINES]...

Greedy decoding writes a file wholly right if and only if every one of these tokens comes out first, so that this counts
what `--readers model` gets right, at the price of one forward. The model is shown what it would be shown: the
lines around the edit, where a case is lost in which the deterministic reader does not see what changes.
`base@4` shows so many lines around the edit to a model that would be shown the whole file: the same texts for both.
`near` are the tokens within 4 before and 8 after a change.
"""

import json
import sys
from collections import defaultdict
from dataclasses import replace
from math import log
from pathlib import Path
from typing import Any

import torch

from redraft.data.sizes import bucket
from redraft.edit.merge.read import read
from redraft.edit.prompts.template import find_template
from redraft.engines.spec import load_engine
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import sampled
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.named import read_set
from redraft.rewrite import Rewriter
from redraft.train.material import near_changed


def measure(engine: TorchEngine, case: Case, margin: int | None) -> dict[str, Any]:
    """Raises RedraftError for a case that is too long for the model."""
    plain = [text.replace("\r\n", "\n") for text in (case.request.original, case.expected)]
    request = replace(case.request, original=plain[0])
    rewriter = Rewriter(engine, find_template(engine.template), margin=margin)
    candidates = read(plain[0], request.update, request.path, request.instruction).candidates
    shown = rewriter.shown(request, candidates[0].text if candidates else None)
    cut = shown.cut(plain[1])
    if cut is None:
        return {"seen": False, "whole": False}
    prompt = rewriter.template.prompt(replace(request, original=shown.text), cut)
    ids = engine.tokens.open(prompt.parts, prompt.messages)
    output, before = (engine.tokens.encode(source.parts) for source in prompt.sources[:2])
    if engine.model.context and len(ids) + len(output) > engine.model.context:
        raise RedraftError("too long")
    hits, nats = forced(engine, ids, output)
    near = near_changed(before, output)
    beside = [hit for hit, is_near in zip(hits, near, strict=True) if is_near]
    found = {"tokens": len(hits), "right": sum(hits), "near": len(beside), "near_right": sum(beside)}
    return {"seen": True, "whole": all(hits), **found, "nats": nats, "bytes": len(cut.encode())}


@torch.inference_mode()
def forced(engine: TorchEngine, prompt: list[int], output: list[int]) -> tuple[list[bool], float]:
    session, hits, nats = engine.model.session(), list[bool](), 0.0
    *first, last = prompt
    for start in range(0, len(first), 1024):
        session.forward(first[start : start + 1024], 1)
    fed = [last, *output[:-1]]
    for start in range(0, len(fed), 512):
        wanted = torch.tensor(output[start : start + 512])
        logits = session.forward(fed[start : start + 512], len(wanted)).float()
        hits += (logits.argmax(-1) == wanted).tolist()
        nats += float(torch.nn.functional.cross_entropy(logits, wanted, reduction="sum"))
    return hits, nats


def table(records: list[dict[str, Any]]) -> None:
    groups = defaultdict[tuple[str, str], list[dict[str, Any]]](list)
    for record in records:
        groups[record["engine"], record["bucket"]].append(record)
        groups[record["engine"], "all"].append(record)
    print("| engine | lines | cases | tokens right | near changes | wholly right | bits per byte |")
    print("|---|---|---|---|---|---|---|")
    for (engine, size), found in groups.items():
        total = {name: sum(one.get(name, 0) for one in found) for name in ("tokens", "right", "near", "near_right")}
        bits = sum(one.get("nats", 0) for one in found) / log(2) / max(1, sum(one.get("bytes", 0) for one in found))
        shares = [total["right"] / max(1, total["tokens"]), total["near_right"] / max(1, total["near"])]
        whole = f"{sum(one['whole'] for one in found)} ({sum(one['whole'] for one in found) / len(found):.0%})"
        print(f"| {engine} | {size} | {len(found)} | {shares[0]:.2%} | {shares[1]:.2%} | {whole} | {bits:.4f} |")


def main(name: str, count: str, seed: str, out: str, *specs: str) -> None:
    cases = read_cases(Path(name)) if name.endswith(".jsonl") else read_set(name).cases
    records = list[dict[str, Any]]()
    for spec in specs:
        name, _, lines = spec.partition("@")
        engine, margin = load_engine(name), int(lines) if lines else None
        assert isinstance(engine, TorchEngine)
        for case in sampled(cases, int(count), int(seed)):
            about = {"id": case.id, "engine": spec, "bucket": bucket(case.request.original), "style": case.style}
            try:
                records.append(about | measure(engine, case, margin))
            except RedraftError as error:
                print(case.id, error, file=sys.stderr)
                continue
            Path(out).write_text("".join(json.dumps(record) + "\n" for record in records))
    table(records)


main(*sys.argv[1:])
