"""In: cases and a model, on a machine with TensorRT-LLM. Out: how many outputs are equal with drafts, and how fast.

    TLLM_WORKER_USE_SINGLE_PROCESS=1 python benchmarks/tensorrt_llm.py CASES MODEL [N]

MODEL is a Hugging Face folder, such as `redraft model base` writes. Each case runs plain and with drafts, in two
engines one after the other; the last line is one JSON object. This has not been run: it needs an NVIDIA GPU.
"""

import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tensorrt_llm import LLM, SamplingParams
from tensorrt_llm.llmapi import KvCacheConfig, UserProvidedDecodingConfig

from redraft.engines.folder import open_folder, template_of
from redraft.engines.tensorrt_llm import EditsDrafter, Sources
from redraft.engines.torch import open_tokens
from redraft.measure.asked import Asked
from redraft.measure.cases import Case, read_cases

_DRAFT, _MOST = 64, 2048
Job = tuple[list[int], Sources]


def jobs(cases: Sequence[Case], model: Path) -> Iterator[Job]:
    folder = open_folder(model)
    tokens = open_tokens(str(model), folder)
    asked = Asked(template_of(str(model), tokens.has_chat, folder), window=0)
    for case in cases:
        prompt = asked.prompt(case.request)
        sources = [(source.origin, tokens.encode(source.parts)) for source in prompt.sources]
        yield tokens.open(prompt.parts, prompt.messages), sources


def run(model: Path, work: Sequence[Job], drafter: EditsDrafter | None) -> list[tuple[list[int], float]]:
    """The ids of each output, and its seconds."""
    config: dict[str, Any] = {"kv_cache_config": KvCacheConfig(enable_block_reuse=False)}
    if drafter is not None:
        config["speculative_config"] = UserProvidedDecodingConfig(max_draft_len=_DRAFT, drafter=drafter)
    llm = LLM(model=str(model), max_batch_size=1, disable_overlap_scheduler=True, **config)
    done = []
    for prompt, sources in work:
        if drafter is not None:
            drafter.expect(prompt, sources)
        started = time.perf_counter()
        (answer,) = llm.generate([prompt], SamplingParams(max_tokens=_MOST, top_k=1))
        done.append((list(answer.outputs[0].token_ids), time.perf_counter() - started))
    llm.shutdown()
    return done


def main(cases: Path, model: Path, count: int) -> None:
    work = list(jobs(read_cases(cases)[:count], model))
    plain, drafted = run(model, work, None), run(model, work, EditsDrafter(_DRAFT))
    pairs = list(zip(plain, drafted, strict=True))
    ratios = [a[1] / b[1] for a, b in pairs]
    equal = sum(a[0] == b[0] for a, b in pairs)
    print(json.dumps({"n": len(pairs), "equal": equal, "speed_up_median": round(statistics.median(ratios), 2)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 30)
