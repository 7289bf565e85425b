"""In: a server on several processes, and one on one. Out: the same ids, with predictions and without."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("vllm", reason="needs vLLM: make vllm")

from fetched import needs_small
from redraft.models.sized import merged_of
from vllm_server import PROMPT, WRITTEN, Server, serving

pytestmark = pytest.mark.vllm

PROMPTS = [PROMPT[start:] + PROMPT[:start] for start in range(0, 40, 7)]
FEW = 16  # tokens of a model that two processes share two cores for


def _ids(server: Server, prompt: str, tokens: int, prediction: list[int] | None = None) -> list[int]:
    more = {} if prediction is None else {"speculation": prediction}
    return list(server.write(prompt, tokens, return_token_ids=True, **more).choices[0].token_ids)


def _expected(one: Server, prompts: Sequence[str], tokens: int) -> dict[str, list[int]]:
    return {prompt: _ids(one, prompt, tokens) for prompt in prompts}


def _check(several: Server, expected: dict[str, list[int]], tokens: int) -> None:
    """All prompts at once: without predictions, with right ones, and with ones that are wrong in the middle."""
    wrong = {prompt: [*ids[: tokens // 2], 7, *ids[tokens // 2 + 1 :]] for prompt, ids in expected.items()}
    with ThreadPoolExecutor(8) as pool:
        for predictions in ({}, expected, wrong):
            found = pool.map(
                lambda prompt, known=predictions: _ids(several, prompt, tokens, known.get(prompt)), expected
            )
            assert dict(zip(expected, found, strict=True)) == expected


@pytest.mark.parametrize("way", ["tensor", "data"])
def test_two_processes_write_what_one_writes(server: Server, llama: Path, tmp_path: Path, way: str) -> None:
    with serving(llama, tmp_path, f"--{way}-parallel-size", "2") as two:
        _check(two, _expected(server, PROMPTS, WRITTEN), WRITTEN)
        if way == "data":
            assert len([count for count in two.gauges("request_success_total").values() if count]) == 2


@needs_small
def test_two_processes_write_what_the_embedded_model_writes_on_one(tmp_path: Path) -> None:
    folder = merged_of().path
    with serving(folder, tmp_path) as one:
        expected = _expected(one, PROMPTS[:2], FEW)
    with serving(folder, tmp_path, "--tensor-parallel-size", "2") as two:
        _check(two, expected, FEW)
