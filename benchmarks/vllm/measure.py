"""In: cases, a system and a dtype. Out: a JSON line for each edit or batch: output ids, seconds, processor seconds.

    python benchmarks/vllm/measure.py CASES {plain,ngram,suffix,redraft} {float32,bfloat16} {eight,single,both} OUT [N]

Runs in the environment of `make vllm`, the whole engine in this process: its processor seconds tell systems apart on a
machine that does other work too. N of the 60 shortest files of the cases are taken, evenly, and run eight at once; with
`both` every second of them one at a time, too. The model is the embedded one.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")

from redraft.apply import Redraft
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import find_template
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.folder import open_folder
from redraft.engines.tokens import Tokens, read_tokens
from redraft.engines.vllm import MOST_DRAFTED, PREDICTION
from redraft.engines.vllm.launch import scheduling
from redraft.measure.cases import Case, read_cases
from redraft.models.merged import merged

_CONTEXT, _EDITS = 4096, 60
_SYSTEMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "ngram": {
        "speculative_config": {
            "method": "ngram",
            "num_speculative_tokens": 32,
            "prompt_lookup_max": 5,
            "prompt_lookup_min": 2,
        }
    },
    "suffix": {"speculative_config": {"method": "suffix", "num_speculative_tokens": 24}},
    "redraft": scheduling(MOST_DRAFTED),
}


@dataclass(frozen=True)
class Job:
    """One edit: the ids of its prompt, and those that its output is expected to have."""

    id: str
    prompt: list[int]
    prediction: list[int]


class Caught:
    """Stands where an engine stands, to see the prompt that redraft makes of an edit."""

    template = "apply"
    prompt = Prompt(())

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        self.prompt = prompt
        yield Chunk((), (), (), (), 0, 0, 0, "stop", 0)


def jobs(cases: Sequence[Case], tokens: Tokens) -> Iterator[Job]:
    caught = Caught()
    editor = Redraft.of(caught, find_template("apply"), window=0)
    for case in cases:
        editor.answer(case.request)
        prompt = caught.prompt
        prediction = next(source for source in prompt.sources if source.origin in ("prediction", "original"))
        yield Job(case.id, tokens.open(prompt.parts, prompt.messages), tokens.encode(prediction.parts))


def timed(engine: Any, work: Sequence[Job], predicted: bool) -> dict[str, Any]:
    from vllm import SamplingParams

    params = [
        SamplingParams(
            temperature=0,
            max_tokens=2 * len(job.prediction) + 64,
            detokenize=False,
            extra_args={PREDICTION: job.prediction} if predicted else None,
        )
        for job in work
    ]
    prompts = [{"prompt_token_ids": job.prompt} for job in work]
    start, processor = time.perf_counter(), time.process_time()
    answers = engine.generate(prompts, params, use_tqdm=False)
    return {
        "seconds": time.perf_counter() - start,
        "processor_seconds": time.process_time() - processor,
        "outputs": {job.id: list(answer.outputs[0].token_ids) for job, answer in zip(work, answers, strict=True)},
    }


def main(cases: str, system: str, dtype: str, mode: str, out: str, edits: str = "60") -> None:
    from vllm import LLM

    folder = merged().path
    tokenizer = open_folder(folder).plain_tokenizer
    assert tokenizer is not None
    shortest = sorted(read_cases(Path(cases)), key=lambda case: len(case.expected))[:_EDITS]
    work = list(jobs(shortest[:: _EDITS // int(edits)], read_tokens(tokenizer)))
    engine = LLM(
        str(folder),
        dtype=dtype,
        max_model_len=_CONTEXT,
        max_num_seqs=8,
        enforce_eager=True,
        enable_prefix_caching=False,
        **_SYSTEMS[system],
    )
    timed(engine, work[:2], system == "redraft")  # the first forwards of a process are slower
    together = [("eight", work)] if mode != "single" else []
    alone = [("single", [job]) for job in (work[::2] if mode == "both" else work)] if mode != "eight" else []
    with open(out, "a", encoding="utf-8") as file:
        for way, batch in [*together, *alone]:
            record = {"system": system, "dtype": dtype, "mode": way, "load": os.getloadavg()[0]}
            file.write(json.dumps(record | timed(engine, batch, system == "redraft")) + "\n")
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
