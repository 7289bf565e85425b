"""In: cases and a dtype. Out: a JSON line for each round: seconds of every system, digests of outputs, differences.

    python benchmarks/vllm/measure.py CASES {float32,bfloat16} OUT [EDITS [MOST_TOKENS [SYSTEM ...]]]

Runs in the environment of `make vllm` (`suffix` needs arctic-inference there). Each system is a whole engine in a
process of its own, and all do the same round one after the other, the order turning: eight edits at once, or one. So
processor seconds of a round can be compared on a machine that does other work too. The edits are the shortest files of
the cases, the model is the embedded one. A run that was stopped goes on where it was. Systems that are named run alone:
`summary.py` puts the records of several runs together; differences are looked at where plain vLLM is one of them.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")

from redraft.engines.folder import open_folder
from redraft.engines.tokens import Tokens, read_tokens
from redraft.engines.vllm import MOST_DRAFTED, PREDICTION
from redraft.engines.vllm.launch import scheduling
from redraft.measure.asked import Asked
from redraft.measure.cases import Case, read_cases
from redraft.models.sized import merged_of

_CONTEXT, _TOGETHER = 4096, 8
_MIDDLE = 4
_BLOCKS = 72  # of 128 tokens: room for eight of the shortest files
SYSTEMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "ngram": {
        "speculative_config": {
            "method": "ngram",
            "num_speculative_tokens": 32,
            "prompt_lookup_max": 5,
            "prompt_lookup_min": 2,
        }
    },
    "suffix": {"speculative_config": {"method": "suffix"}},
    "redraft": scheduling(MOST_DRAFTED),
}
Outputs = dict[str, list[int]]


@dataclass(frozen=True)
class Job:
    """One edit: the ids of its prompt, and those that its output is expected to have."""

    id: str
    prompt: list[int]
    prediction: list[int]


def jobs(cases: Sequence[Case], tokens: Tokens) -> Iterator[Job]:
    asked = Asked("apply", window=0)
    for case in cases:
        prompt = asked.prompt(case.request)
        prediction = next(source for source in prompt.sources if source.origin in ("prediction", "original"))
        yield Job(case.id, tokens.open(prompt.parts, prompt.messages), tokens.encode(prediction.parts))


class System:
    """A vLLM engine in a process of its own, which works only while it is asked."""

    def __init__(self, name: str, folder: str, dtype: str, most: int) -> None:
        self._here, there = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_work, args=(there, name, folder, dtype, most), daemon=True)
        process.start()

    def time(self, work: Sequence[Job]) -> dict[str, Any]:
        """Steps, seconds, processor seconds, and the outputs by the ids of the edits."""
        self._here.send(("time", work))
        return self._here.recv()

    def gap(self, ids: Sequence[int]) -> float:
        """How much likelier the likeliest token after `ids` is than the second, in nats."""
        self._here.send(("gap", ids))
        return self._here.recv()


def engine_of(name: str, folder: str, dtype: str) -> Any:
    from vllm import LLM

    return LLM(
        folder,
        dtype=dtype,
        max_model_len=_CONTEXT,
        max_num_seqs=_TOGETHER,
        num_gpu_blocks_override=_BLOCKS,
        enforce_eager=True,
        enable_prefix_caching=False,
        disable_log_stats=True,
        **SYSTEMS[name],
    )


def _work(asked: Connection, name: str, folder: str, dtype: str, most: int) -> None:
    engine = engine_of(name, folder, dtype)
    with suppress(EOFError):
        while True:
            question, given = asked.recv()
            asked.send(timed(engine, given, most, name == "redraft") if question == "time" else _gap(engine, given))


def timed(engine: Any, work: Sequence[Job], most: int, predicted: bool) -> dict[str, Any]:
    from vllm import SamplingParams

    params = [
        SamplingParams(
            temperature=0,
            max_tokens=min(most, 2 * len(job.prediction) + 64),
            detokenize=False,
            extra_args={PREDICTION: job.prediction} if predicted else None,
        )
        for job in work
    ]
    prompts = [{"prompt_token_ids": job.prompt} for job in work]
    step, steps = engine.llm_engine.step, []
    engine.llm_engine.step = lambda: steps.append(1) or step()
    start, processor = time.perf_counter(), time.process_time()
    answers = engine.generate(prompts, params, use_tqdm=False)
    engine.llm_engine.step = step
    return {
        "steps": len(steps),
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - processor,
        "outputs": {job.id: list(answer.outputs[0].token_ids) for job, answer in zip(work, answers, strict=True)},
    }


def _gap(engine: Any, ids: Sequence[int]) -> float:
    from vllm import SamplingParams

    params = SamplingParams(temperature=0, max_tokens=1, logprobs=2, detokenize=False)
    answer = engine.generate([{"prompt_token_ids": list(ids)}], params, use_tqdm=False)[0]
    best, second, *_ = sorted((token.logprob for token in answer.outputs[0].logprobs[0].values()), reverse=True)
    return float(best - second)


def differences(work: Sequence[Job], plain: System, right: Outputs, system: str, found: Outputs) -> Iterator[Any]:
    """Where an output leaves plain decoding's, and how near a tie plain decoding is there."""
    for job in work:
        ours, theirs = found[job.id], right[job.id]
        if ours != theirs:
            both = zip(ours, theirs, strict=False)
            at = next((place for place, (one, other) in enumerate(both) if one != other), min(len(ours), len(theirs)))
            yield {"system": system, "edit": job.id, "at": at, "gap": plain.gap([*job.prompt, *theirs[:at]])}


def measured(systems: dict[str, System], names: Sequence[str], work: Sequence[Job]) -> dict[str, Any]:
    found = {name: systems[name].time(work) for name in names}
    outputs = {name: result.pop("outputs") for name, result in found.items()}
    others = [name for name in names if name != "plain" and "plain" in names]
    return {
        "load": os.getloadavg()[0],
        "prompt_tokens": sum(len(job.prompt) for job in work),
        "times": found,
        "outputs": {name: {id_: [len(ids), _digest(ids)] for id_, ids in out.items()} for name, out in outputs.items()},
        "differences": [
            difference
            for name in others
            for difference in differences(work, systems["plain"], outputs["plain"], name, outputs[name])
        ],
    }


def _digest(ids: Sequence[int]) -> str:
    return sha256(json.dumps(list(ids)).encode()).hexdigest()[:12]


def shortest(cases: str, edits: int, folder: Path) -> list[Job]:
    tokenizer = open_folder(folder).plain_tokenizer
    assert tokenizer is not None
    known = sorted(read_cases(Path(cases)), key=lambda case: len(case.expected))
    return list(jobs(known[:edits], read_tokens(tokenizer)))


def main(cases: str, dtype: str, out: str, edits: str = "60", most: str = "400", *names: str) -> None:
    folder = merged_of().path
    work = shortest(cases, int(edits), folder)
    # Each eight of them has short and long files.
    eights = [work[start :: -(-len(work) // _TOGETHER)] for start in range(-(-len(work) // _TOGETHER))]
    rounds = _rounds(eights)
    systems = {name: System(name, str(folder), dtype, int(most)) for name in names or SYSTEMS}
    for system in systems.values():
        system.time(work[:2])  # the first forwards of a process are slower
    done = _done(Path(out))
    for turn, (mode, part) in enumerate(rounds):
        ids = [job.id for job in part]
        if (dtype, mode, ids) in done:
            continue
        order = list(systems)
        order = order[turn % len(order) :] + order[: turn % len(order)]
        record = {"dtype": dtype, "mode": mode, "edits": ids, "most_tokens": int(most)}
        with open(out, "a", encoding="utf-8") as file:
            file.write(json.dumps(record | measured(systems, order, part)) + "\n")


def _rounds(eights: Sequence[Sequence[Job]]) -> list[tuple[str, list[Job]]]:
    """Each eight of edits together, with one of a middle length alone; at the end all others alone."""
    first = [
        (mode, part)
        for eight in eights
        for mode, part in [("eight", list(eight)), *(("single", [job]) for job in eight[_MIDDLE : _MIDDLE + 1])]
    ]
    return first + [("single", [job]) for eight in eights for at, job in enumerate(eight) if at != _MIDDLE]


def _done(out: Path) -> list[Any]:
    if not out.exists():
        return []
    records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return [(record["dtype"], record["mode"], record["edits"]) for record in records]


if __name__ == "__main__":
    main(*sys.argv[1:])
