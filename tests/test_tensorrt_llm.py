"""The drafter at TensorRT-LLM's plug point, called as its executor calls it: the output is the target, in fewer steps.

`tests/stand_ins` has the signatures of the classes that it touches; the real library needs a GPU.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.errors import RedraftError

PROMPT = [9, 9, 8]
ids = st.lists(st.integers(1, 6), max_size=60)


@dataclass
class Request:
    """What `LlmRequest` shows a drafter."""

    py_request_id: int
    target: list[int]
    prompt: list[int] = field(default_factory=lambda: list(PROMPT))
    output: list[int] = field(default_factory=list)
    py_draft_tokens: list[int] = field(default_factory=list)
    room: int | None = None

    @property
    def py_orig_prompt_len(self) -> int:
        return len(self.prompt)

    @property
    def py_max_new_tokens(self) -> int:
        return len(self.target) if self.room is None else self.room

    def get_tokens(self, beam: int) -> list[int]:
        assert beam == 0
        return [*self.prompt, *self.output]

    def step(self) -> None:
        """What the executor does with a verified draft."""
        for token in [*self.py_draft_tokens, 0]:
            self.output.append(self.target[len(self.output)])
            if self.is_done or token != self.output[-1]:
                return

    @property
    def is_done(self) -> bool:
        return len(self.output) >= min(len(self.target), self.py_max_new_tokens)


@dataclass
class Scheduled:
    generation_requests: list[Request]


@pytest.fixture(scope="module")
def module() -> Any:
    stand_ins = str(Path(__file__).parent / "stand_ins")
    sys.path.insert(0, stand_ins)
    try:
        from redraft.engines import tensorrt_llm

        yield tensorrt_llm
    finally:
        sys.path.remove(stand_ins)


def run(drafter: Any, requests: Sequence[Request], pads: bool = False) -> int:
    """How many forwards it took to end all of them."""
    for request in requests:
        request.output = request.target[:1]  # the forward over the prompt gives the first token
    steps = 1
    while running := [request for request in requests if not request.is_done]:
        drafter.prepare_draft_tokens(Scheduled(running), None)
        for request in running:
            left = request.py_max_new_tokens - len(request.output)
            assert len(request.py_draft_tokens) <= min(drafter.max_draft_len, left - 1)
        if pads:
            drafter.pad_draft_tokens_for_cuda_graph(Scheduled(running), None)
        for request in running:
            request.step()
        steps += 1
    return steps


def test_a_right_prediction_is_drafted_in_pieces_of_the_longest_draft(module: Any) -> None:
    target = [n % 50 + 10 for n in range(200)]
    drafter = module.EditsDrafter(max_draft_len=24)
    drafter.expect(PROMPT, [("prediction", target)])
    request = Request(1, target)
    assert run(drafter, [request]) == 1 + 8  # 199 tokens, 25 a forward
    assert request.output == target


def test_without_a_prediction_the_prompt_is_repeated(module: Any) -> None:
    text = [n % 97 + 10 for n in range(300)]
    request = Request(1, text[40:240], prompt=text)
    assert run(module.EditsDrafter(max_draft_len=64), [request]) < 10
    assert request.output == request.target


@settings(max_examples=60)
@given(target=ids.filter(bool), sources=st.lists(ids, max_size=3), longest=st.integers(1, 9), pads=st.booleans())
def test_whatever_is_expected_the_output_is_the_target(
    module: Any, target: list[int], sources: list[list[int]], longest: int, pads: bool
) -> None:
    drafter = module.EditsDrafter(max_draft_len=longest)
    drafter.expect(PROMPT, [("prediction", source) for source in sources])
    request = Request(1, target)
    assert run(drafter, [request], pads) <= len(target)
    assert request.output == target


@pytest.mark.parametrize("wrong", ["text", ["a"], [-1], [0.5], [True], [None]])
def test_what_are_no_ids_is_refused(module: Any, wrong: Any) -> None:
    with pytest.raises(RedraftError, match="ids of tokens"):
        module.EditsDrafter(max_draft_len=4).expect(PROMPT, [("prediction", [1]), ("original", wrong)])


def test_requests_of_one_prompt_keep_their_predictions_apart(module: Any) -> None:
    first, second, third = ([n % k + 10 for n in range(90)] for k in (31, 47, 53))
    drafter = module.EditsDrafter(max_draft_len=32)
    drafter.expect(PROMPT, [("prediction", first)])
    drafter.expect(PROMPT, [("prediction", second)])
    requests = [Request(1, first), Request(2, second), Request(3, third, prompt=[1, *third])]
    assert run(drafter, requests) == 1 + 3
    assert [request.output for request in requests] == [first, second, third]


def test_max_tokens_bounds_a_draft(module: Any) -> None:
    target = list(range(10, 60))
    drafter = module.EditsDrafter(max_draft_len=32)
    drafter.expect(PROMPT, [("prediction", target)])
    request = Request(1, target, room=7)
    run(drafter, [request])
    assert request.output == target[:7]


def test_what_never_comes_and_what_has_ended_is_forgotten(module: Any) -> None:
    drafter = module.EditsDrafter(max_draft_len=4)
    for number in range(3000):
        drafter.expect([number], [("prediction", [1, 2, 3])])
        run(drafter, [Request(number, [5, 6, 7], prompt=[7, 7])])
    assert len(drafter._expected) == len(drafter._drafters) == 1024
