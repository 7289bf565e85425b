"""In: a server on several processes, and one on one. Out: the same ids, with predictions and without."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("vllm", reason="needs vLLM: make vllm")

from vllm_server import PROMPT, WRITTEN, Server, serving

pytestmark = pytest.mark.vllm

PROMPTS = [PROMPT[start:] + PROMPT[:start] for start in range(0, 40, 7)]


def _ids(server: Server, prompt: str, prediction: list[int] | None = None) -> list[int]:
    more = {} if prediction is None else {"speculation": prediction}
    return list(server.write(prompt, return_token_ids=True, **more).choices[0].token_ids)


def _expected(one: Server) -> dict[str, list[int]]:
    return {prompt: _ids(one, prompt) for prompt in PROMPTS}


def _check(several: Server, expected: dict[str, list[int]]) -> None:
    """All prompts at once: without predictions, with right ones, and with ones that are wrong in the middle."""
    wrong = {prompt: [*ids[: WRITTEN // 2], 7, *ids[WRITTEN // 2 + 1 :]] for prompt, ids in expected.items()}
    with ThreadPoolExecutor(8) as pool:
        for predictions in ({}, expected, wrong):
            found = pool.map(lambda prompt, known=predictions: _ids(several, prompt, known.get(prompt)), PROMPTS)
            assert dict(zip(PROMPTS, found, strict=True)) == expected


@pytest.mark.parametrize("way", ["tensor", "data"])
def test_two_processes_write_what_one_writes(server: Server, llama: Path, tmp_path: Path, way: str) -> None:
    with serving(llama, tmp_path, f"--{way}-parallel-size", "2") as two:
        _check(two, _expected(server))
        if way == "data":
            assert len([count for count in two.gauges("request_success_total").values() if count]) == 2
