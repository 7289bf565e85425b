"""In: jobs of `worker`; MODEL is a folder that optimum-cli exported. Out: what OpenVINO GenAI writes, greedily.

    optimum-cli export openvino --model FOLDER --task text-generation-with-past --weight-format fp16 MODEL

A way is `plain` or `lookup-N-K`: its prompt lookup, drafts of N tokens where up to K tokens repeat.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from worker import Generate, serve


def load(model: str, threads: int, way: str) -> Generate:
    is_lookup = way != "plain"
    more: dict[str, object] = {"prompt_lookup": True} if is_lookup else {}
    # OpenVINO 2026.4 ends with a division by zero where it is told to take one thread, or may use one processor only.
    more |= {"INFERENCE_NUM_THREADS": threads} if threads > 1 else {}
    with _every_processor():
        import numpy
        import openvino
        import openvino_genai

        pipeline = openvino_genai.LLMPipeline(model, "CPU", **more)

    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        config = openvino_genai.GenerationConfig()
        config.max_new_tokens, config.do_sample, config.eos_token_id = most, False, end
        config.stop_token_ids = {end}
        config.apply_chat_template = False
        if is_lookup:
            _, tokens, longest = way.split("-")
            config.num_assistant_tokens, config.max_ngram_size = int(tokens), int(longest)
        batch = openvino.Tensor(numpy.array([ids], numpy.int64))
        mask = openvino.Tensor(numpy.ones((1, len(ids)), numpy.int64))
        found = pipeline.generate(openvino_genai.TokenizedInputs(batch, mask), config)
        return [int(token) for token in found.tokens[0]]

    return generate


@contextmanager
def _every_processor() -> Iterator[None]:
    """For loading; what runs afterwards is held to the processors of this process again."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    yield
    for thread in os.listdir("/proc/self/task"):
        os.sched_setaffinity(int(thread), allowed)


if __name__ == "__main__":
    serve(load, ("openvino-genai", "openvino"))
