"""In: a small random Llama in vLLM, and predictions right, wrong and hostile. Out: the same outputs as without.

The blocks of the cache are few and the steps short: prompts are read in chunks, requests are preempted. With
`TRITON_INTERPRET=1` and `interpreter` on the path it is vLLM's second model runner, without the first.
"""

import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("vllm", reason="needs vLLM: make vllm")

from redraft.engines.vllm import PREDICTION
from redraft.engines.vllm.launch import scheduling

pytestmark = pytest.mark.vllm

CONTEXT, STEP, BLOCKS, VOCABULARY = 512, 96, 45, 512
WRITTEN = 60


@dataclass
class Run:
    """What became of requests: their ids and texts, how many steps it took, and how often one was preempted."""

    ids: dict[str, list[int]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    steps: int = 0
    preempted: int = 0


class Engine:
    """vLLM's engine, stepped by hand in this process, so that its scheduler can be looked at."""

    def __init__(self, folder: Path) -> None:
        from vllm import LLM

        self._llm = LLM(
            str(folder),
            dtype="float32",
            max_model_len=CONTEXT,
            max_num_seqs=8,
            max_num_batched_tokens=STEP,
            enforce_eager=True,
            num_gpu_blocks_override=BLOCKS,
            block_size=32,
            **scheduling(),
        )
        self._engine = self._llm.llm_engine
        self.is_second_runner = self._engine.vllm_config.use_v2_model_runner
        self.scheduler = self._engine.engine_core.engine_core.scheduler
        self._count = 0

    def run(
        self,
        prompts: Mapping[str, list[int]],
        predictions: Mapping[str, Any] | None = None,
        aborted: Mapping[str, int] | None = None,
        **params: Any,
    ) -> Run:
        """All prompts at once; `aborted` says after how many steps a request is given up."""
        from vllm import SamplingParams

        self._count += 1
        predictions, run = predictions or {}, Run()
        for name, prompt in prompts.items():
            extra = {PREDICTION: predictions[name]} if name in predictions else None
            sampling = SamplingParams(
                **{"temperature": 0, "max_tokens": WRITTEN, "ignore_eos": True, **params}, extra_args=extra
            )
            self._engine.add_request(f"{self._count}/{name}", {"prompt_token_ids": prompt}, sampling)
        while self._engine.has_unfinished_requests():
            gone = [f"{self._count}/{name}" for name, step in (aborted or {}).items() if step == run.steps]
            if gone:
                self._engine.abort_request(gone)
            run.preempted += sum(request.num_preemptions for request in self.scheduler.requests.values())
            for answer in self._engine.step():
                name = answer.request_id.partition("/")[2]
                run.ids[name] = list(answer.outputs[0].token_ids)
                run.texts[name] = answer.outputs[0].text
            run.steps += 1
        return run


@pytest.fixture(scope="module")
def engine(llama: Path) -> Iterator[Engine]:
    return Engine(llama)


def _prompts(count: int, seed: int, length: int = 150) -> dict[str, list[int]]:
    """Prompts that begin alike."""
    chance = random.Random(seed)
    begin = [chance.randrange(4, VOCABULARY) for _ in range(40)]
    return {f"{n}": begin + [chance.randrange(4, VOCABULARY) for _ in range(length - 40)] for n in range(count)}


def _hostile(ids: list[int], prompt: list[int], seed: int) -> Any:
    """A prediction of one of several kinds, most of them wrong."""
    chance = random.Random(seed)
    changed = [chance.randrange(VOCABULARY) if chance.random() < 0.1 else id_ for id_ in ids]
    start = chance.randrange(len(ids))
    kinds = (
        ids,
        changed,
        ids[:start] + ids[start + 9 :],
        ids[:start] + [7] * 9 + ids[start:],
        prompt,
        [0] * 50,
        [chance.randrange(VOCABULARY) for _ in range(3000)],
        ids * 20,
        [VOCABULARY, -1],
        "text",
        [],
    )
    return kinds[seed % len(kinds)]


def test_the_model_runner_is_the_one_that_is_meant(engine: Engine) -> None:
    assert engine.is_second_runner == (os.environ.get("TRITON_INTERPRET") == "1")


def test_a_right_prediction_takes_few_steps(engine: Engine) -> None:
    prompts = _prompts(1, seed=1, length=50)
    plain = engine.run(prompts)
    drafted = engine.run(prompts, plain.ids)
    assert drafted.ids == plain.ids
    assert plain.steps == WRITTEN
    # The prompt, all but one of the rest in a step of at most STEP tokens.
    assert drafted.steps <= 3


@pytest.mark.parametrize("seed", range(4))
def test_no_prediction_changes_an_output(engine: Engine, seed: int) -> None:
    prompts = _prompts(11, seed)
    plain = engine.run(prompts)
    predictions = {name: _hostile(plain.ids[name], prompts[name], seed + int(name)) for name in prompts}
    del predictions["3"]
    drafted = engine.run(prompts, predictions)
    assert drafted.ids == plain.ids
    assert drafted.steps < plain.steps


def test_preempted_requests_are_drafted_right(engine: Engine) -> None:
    prompts = _prompts(8, seed=9, length=200)
    plain = engine.run(prompts, max_tokens=250)
    # Wrong at every eighth id, so that all are under way for long.
    wrong = {name: [7 if n % 8 == 0 else id_ for n, id_ in enumerate(ids)] for name, ids in plain.ids.items()}
    drafted = engine.run(prompts, wrong, max_tokens=250)
    assert drafted.ids == plain.ids
    assert plain.preempted > 0
    assert drafted.preempted > 0
    assert drafted.steps < plain.steps


def test_nothing_is_drafted_past_the_context(engine: Engine) -> None:
    prompts = _prompts(3, seed=2, length=CONTEXT - 70)
    plain = engine.run(prompts, max_tokens=200)
    drafted = engine.run(prompts, {name: ids * 3 for name, ids in plain.ids.items()}, max_tokens=200)
    assert drafted.ids == plain.ids
    assert {len(ids) for ids in plain.ids.values()} == {70}


@pytest.mark.parametrize("tokens", [1, 2, 3, 59])
def test_a_limit_is_kept(engine: Engine, tokens: int) -> None:
    prompts = _prompts(2, seed=3, length=50)
    plain = engine.run(prompts)
    drafted = engine.run(prompts, plain.ids, max_tokens=tokens)
    assert drafted.ids == {name: ids[:tokens] for name, ids in plain.ids.items()}


def test_a_stop_string_and_an_end_token_end_a_draft(engine: Engine) -> None:
    prompts = _prompts(4, seed=4, length=50)
    plain = engine.run(prompts)
    stop = plain.texts["0"][20:23]
    for params in ({"stop": [stop]}, {"stop_token_ids": [plain.ids["1"][17]]}):
        expected = engine.run(prompts, **params)
        drafted = engine.run(prompts, plain.ids, **params)
        assert drafted.texts == expected.texts
        assert drafted.texts != plain.texts


def test_log_probabilities_stay(engine: Engine) -> None:
    prompts = _prompts(2, seed=5, length=50)
    plain = engine.run(prompts, logprobs=2)
    assert engine.run(prompts, plain.ids, logprobs=2).ids == plain.ids


def test_a_grammar_cuts_drafts(engine: Engine) -> None:
    from vllm.sampling_params import StructuredOutputsParams

    prompts = _prompts(3, seed=6, length=50)
    params = {"structured_outputs": StructuredOutputsParams(regex="[a-c]{5}x[a-f]*"), "max_tokens": 30}
    plain = engine.run(prompts, ignore_eos=False, **params)
    wrong = {name: [*ids[:4], 9, *ids[4:]] for name, ids in plain.ids.items()}
    assert engine.run(prompts, wrong, ignore_eos=False, **params).ids == plain.ids


def test_nothing_remains_of_requests_that_ended_or_were_given_up(engine: Engine) -> None:
    prompts = _prompts(24, seed=7, length=100)
    plain = engine.run(prompts)
    chance = random.Random(7)
    aborted = {name: chance.randrange(12) for name in prompts if chance.random() < 0.5}
    predictions = {name: _hostile(plain.ids[name], prompts[name], int(name)) for name in prompts}
    run = engine.run(prompts, predictions, aborted)
    assert all(run.ids[name] == plain.ids[name] for name in prompts if name not in aborted)
    assert not engine.scheduler.requests
    assert len(engine.scheduler._drafts) == 0
    assert engine.scheduler.get_kv_cache_usage() == 0
    assert engine.run(prompts).ids == plain.ids
