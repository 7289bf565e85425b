"""Ranking: what is computed in few forwards is the difference that the whole texts have."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import Ranker
from redraft.engines.loss import nats
from redraft.engines.rank import log_probabilities
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from tiny_models import CONTEXT, VOCABULARY, save


@pytest.fixture(scope="module", params=["llama", "gpt2"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> TorchEngine:
    return TorchEngine(str(save(request.param, tmp_path_factory.mktemp(request.param))), "float32", "cpu")


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=5),
    st.lists(st.integers(1, VOCABULARY - 1), max_size=40),
)
def test_it_is_the_log_probability_of_the_whole_texts(
    engine: TorchEngine, middles: list[list[int]], tail: list[int]
) -> None:
    prompt, texts = [7, 8, 9], [[4, 5, *middle, *tail, 0] for middle in middles]
    found = log_probabilities(engine.model, prompt, texts)
    whole = [-nats(engine.model, prompt, text) for text in texts]
    for (a, b), (x, y) in zip(pairwise(found), pairwise(whole), strict=True):
        assert a - b == pytest.approx(x - y, abs=2e-3)


def test_only_a_little_is_read_behind_the_last_difference(engine: TorchEngine) -> None:
    tail = [(3 * n) % 300 for n in range(300)]
    with_tail = log_probabilities(engine.model, [5], [[1, 2, *tail], [1, 3, *tail]])
    cut = log_probabilities(engine.model, [5], [[1, 2, *tail[:64]], [1, 3, *tail[:64]]])
    assert with_tail == pytest.approx(cut, abs=1e-4)


def test_texts_are_ranked_by_what_the_model_would_rather_write(engine: TorchEngine) -> None:
    prompt = Prompt((Part("def f():\n"),))
    written = "".join(chunk.text for chunk in engine.generate(prompt))[:200]
    assert isinstance(engine, Ranker)
    values = engine.rank(prompt, [written, "x" + written, written])
    assert values[0] == values[2] > values[1]
    assert engine.rank(prompt, ["same", "same"]) == [0.0, 0.0]


def test_what_does_not_fit_is_refused(engine: TorchEngine) -> None:
    with pytest.raises(RedraftError, match="too long for the model"):
        engine.rank(Prompt((Part("x = 1\n"),)), ["a" * (2 * CONTEXT), "b"])
