"""The forward pass in C++, where this machine can make and run it: torch's logits, and lossless to the last bit."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.engines import Sampling
from redraft.engines.choice import Likeliest
from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import Folder, open_folder
from redraft.engines.tiles.library import library
from redraft.engines.tiles.model import TileModel, runs
from redraft.engines.torch import TorchEngine
from tiny_models import CONTEXT, VOCABULARY, save

pytestmark = pytest.mark.skipif(library() is None, reason="needs AMX or AVX512-BF16, and a C++ compiler")

_CPU = torch.device("cpu")
_IDS = [(7 * n + n // 5) % VOCABULARY for n in range(CONTEXT + 400)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return open_folder(save("blocks", tmp_path_factory.mktemp("blocks")))


@pytest.fixture(scope="module")
def model(folder: Folder) -> TileModel:
    return TileModel(folder)


def _whole(model: TileModel, ids: Sequence[int]) -> torch.Tensor:
    return model.session().forward(ids, len(ids))


def test_its_logits_are_those_of_torch_but_for_rounding(folder: Folder, model: TileModel) -> None:
    exact = DecoderModel(folder, torch.float32, _CPU).session().forward(_IDS, len(_IDS))
    rounded = DecoderModel(folder, torch.bfloat16, _CPU).session().forward(_IDS, len(_IDS)).float()
    error = (_whole(model, _IDS).float() - exact).abs()
    assert error.mean() <= 1.2 * (rounded - exact).abs().mean()
    assert error.max() <= 1.5 * (rounded - exact).abs().max()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 90), st.integers(0, 40)), min_size=1, max_size=12))
def test_tokens_together_give_the_bits_of_tokens_one_by_one(model: TileModel, steps: list[tuple[int, int]]) -> None:
    """However they are fed, and whatever was fed and forgotten in between."""
    session, at = model.session(), 0
    whole = _whole(model, _IDS)
    for count, wrong in steps:
        fed = session.forward([*_IDS[at : at + count], *[3] * wrong], count + wrong)
        session.crop(wrong)
        assert torch.equal(fed[:count], whole[at : at + count])
        at += count


def test_a_cache_grows(model: TileModel) -> None:
    session = model.session()
    session.forward(_IDS[:1000], 1)
    assert torch.equal(session.forward(_IDS[1000:], 60), _whole(model, _IDS)[-60:])


@pytest.fixture(params=[1, 2, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def test_threads_change_no_bit(model: TileModel, threads: int) -> None:
    found = _whole(model, _IDS[:300])
    torch.set_num_threads(1)
    assert torch.equal(found, _whole(model, _IDS[:300]))


def test_the_likeliest_ids_are_those_of_the_logits(model: TileModel, threads: int) -> None:
    chosen = Likeliest().choose(_whole(model, _IDS), 0)
    assert model.session().likeliest(_IDS, len(_IDS)) == (chosen.ids, chosen.margins)


def test_an_answer_with_drafts_has_the_ids_and_margins_of_one_without(folder: Folder) -> None:
    engine = TorchEngine(str(folder.path), "bfloat16", "cpu")
    assert isinstance(engine.model, TileModel)
    prompt = Prompt((Part("def f():\n" * 9),), (Source("prediction", (Part("def f():\n    return 1\n" * 20),)),))
    drafted, plain = (
        list(engine.generate(prompt, Sampling(max_tokens=200, speculate=speculate))) for speculate in (True, False)
    )
    for name in ("ids", "margins"):
        both = [[each for chunk in chunks for each in getattr(chunk, name)] for chunks in (drafted, plain)]
        assert both[0] == both[1]


def test_what_it_is_not_made_for_is_left_to_torch(folder: Folder, tmp_path: Path) -> None:
    assert runs(folder, torch.bfloat16, _CPU)
    assert not runs(folder, torch.float32, _CPU)
    for change in ({"vocab_size": 500}, {"head_dim": 40}, {"attention_bias": True}, {"model_type": "qwen2"}):
        assert not runs(Folder(folder.path, folder.config | change), torch.bfloat16, _CPU)
    assert not runs(open_folder(save("llama", tmp_path)), torch.bfloat16, _CPU)
