"""In: cases and a GGUF file. Out: a JSON line for each edit: llama.cpp plain, with prompt lookup, and with redraft.

    python benchmarks/llamacpp.py CASES FILE.gguf OUT.jsonl [N]

N of the 30 shortest files of the cases are taken, evenly. The prompt is read once, then an output is written the three
ways, in an order that changes, on one thread: the time to read the prompt counts for each way. Processor seconds tell
them apart on a machine that does other work too. Prompt lookup is that of llama-cpp-python (n-grams of 2, drafts of 10)
in redraft's loop: its own computes logits for the prompt. The last line of standard output sums up.
"""

import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

from redraft.draft import Drafter, Origin
from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Fastest, Fixed, Policy
from redraft.draft.loop import speculate
from redraft.edit.prompts.prompt import Prompt
from redraft.engines.choice import Likeliest
from redraft.engines.llamacpp import COST, LlamaCppEngine
from redraft.engines.llamacpp_model import CHUNK, LlamaCppSession
from redraft.engines.verifier import ModelVerifier
from redraft.measure.asked import Asked
from redraft.measure.cases import Case, read_cases

_SHORTEST, _SPARE = 30, 128
Row = dict[str, Any]


class Lookup:
    """llama-cpp-python's prompt lookup as a drafter."""

    def __init__(self, prompt: Sequence[int]) -> None:
        self._prompt = list(prompt)
        self._look = LlamaPromptLookupDecoding(max_ngram_size=2, num_pred_tokens=10)
        self._drafted = 0

    def draft(self, output: Sequence[int], limit: int) -> list[int]:
        ids = [int(token) for token in self._look(numpy.array([*self._prompt, *output], numpy.intc))][:limit]
        self._drafted = len(ids)
        return ids

    def origins(self) -> Sequence[Origin]:
        return ["output"] * self._drafted


@dataclass(frozen=True)
class Read:
    """A prompt that the model has read but for its last id, and what that took; sources as ids."""

    session: LlamaCppSession
    ids: list[int]
    sources: list[tuple[Origin, list[int]]]
    most: int
    seconds: float
    processor: float


def read(engine: LlamaCppEngine, prompt: Prompt) -> Read:
    started, busy = time.perf_counter(), time.process_time()
    ids = engine.tokens.open(prompt.parts, prompt.messages)
    sources = [(source.origin, engine.tokens.encode(source.parts)) for source in prompt.sources]
    most = max(len(each) for _, each in sources) + _SPARE
    session = engine.model.session()
    for start in range(0, len(ids) - 1, CHUNK):
        session.forward(ids[:-1][start : start + CHUNK], 1)
    return Read(session, ids, sources, most, time.perf_counter() - started, time.process_time() - busy)


def run(engine: LlamaCppEngine, known: Read, way: str) -> Row:
    started, busy = time.perf_counter(), time.process_time()
    drafter: Drafter = Lookup(known.ids) if way == "lookup" else EditDrafter(known.sources)
    policy: Policy = {"plain": VANILLA, "lookup": Fixed(10), "redraft": Fastest(COST)}[way]
    verifier = ModelVerifier(known.session, Likeliest(), len(known.ids), len(known.ids) - 1)
    forwards = list(speculate(verifier, known.ids, drafter, policy, engine.model.end_ids, known.most))
    took = {"seconds": time.perf_counter() - started, "processor": time.process_time() - busy}
    known.session.crop(verifier.fed - len(known.ids) + 1)
    return {
        "ids": [token for each in forwards for token in each.ids],
        "margins": [margin for each in forwards for margin in each.margins],
        "forwards": len(forwards),
        "seconds": took["seconds"] + known.seconds,
        "processor": took["processor"] + known.processor,
        "written": took["processor"],
    }


def compared(engine: LlamaCppEngine, case: Case, prompt: Prompt, turn: int) -> Row:
    ways = ["plain", "lookup", "redraft"]
    known = read(engine, prompt)
    rows = {way: run(engine, known, way) for way in ways[turn % 3 :] + ways[: turn % 3]}
    plain = rows["plain"]
    record: Row = {"id": case.id, "tokens": len(plain["ids"]), "prompt_tokens": len(known.ids)}
    for way, row in rows.items():
        pairs = enumerate(zip(row["ids"], plain["ids"], strict=False))
        at = next((n for n, (a, b) in pairs if a != b), None)
        margin = None if at is None else plain["margins"][at]
        record[way] = {name: row[name] for name in ("forwards", "seconds", "processor", "written")}
        record[way] |= {"equal": row["ids"] == plain["ids"], "differs_at": at, "margin": margin}
    return record


def summary(records: Sequence[Row]) -> Row:
    def ratio(way: str, name: str) -> float:
        return round(statistics.median(each["plain"][name] / each[way][name] for each in records), 2)

    return {
        "n": len(records),
        "tokens_median": statistics.median(each["tokens"] for each in records),
        **{f"{way}_equal": sum(each[way]["equal"] for each in records) for way in ("lookup", "redraft")},
        **{
            f"{way}_{name}": ratio(way, name)
            for way in ("lookup", "redraft")
            for name in ("processor", "written", "forwards")
        },
        "redraft_forwards_median": statistics.median(each["redraft"]["forwards"] for each in records),
    }


def main(cases: Path, model: Path, out: Path, count: int) -> None:
    engine = LlamaCppEngine(str(model), threads=1)
    asked = Asked(engine.template, window=0)
    shortest = sorted(read_cases(cases), key=lambda case: len(case.request.original))[:_SHORTEST]
    records = []
    with out.open("w", encoding="utf-8") as lines:
        for turn, case in enumerate(shortest[:: max(1, len(shortest) // count)][:count]):
            records.append(compared(engine, case, asked.prompt(case.request), turn))
            lines.write(json.dumps(records[-1]) + "\n")
            lines.flush()
    print(json.dumps(summary(records)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), int(sys.argv[4]) if len(sys.argv) > 4 else 30)
