"""Forwards of fixed shapes give what growing ones give; matrices in eight bits are near those that they were."""

from pathlib import Path

import pytest
import torch

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.engines import Sampling
from redraft.engines.decoder import DecoderModel
from redraft.engines.fixed import SHAPES, FixedModel
from redraft.engines.folder import open_folder
from redraft.engines.torch import TorchEngine
from tiny_models import TEXT, VOCABULARY, save

CPU = torch.device("cpu")
FAMILIES = ("llama", "qwen2", "qwen3")


def _ids(count: int) -> list[int]:
    return [(7 * n + n // 5) % VOCABULARY for n in range(count)]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("tokens", [1, 2, SHAPES[1], SHAPES[2] - 3, SHAPES[-1], SHAPES[-1] + 1, 600])
def test_a_forward_of_fixed_shape_gives_the_same_logits(family: str, tokens: int, tmp_path: Path) -> None:
    growing = DecoderModel(open_folder(save(family, tmp_path)), torch.float32, CPU)
    ids = _ids(40 + tokens)
    with torch.inference_mode():
        for begun in (0, 40):
            sessions = (growing.session(), FixedModel(growing).session())
            for session in sessions if begun else ():
                session.forward(ids[:begun], 1)
            expected, found = (each.forward(ids[begun : begun + tokens], tokens) for each in sessions)
            assert torch.allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_fixed_cache_forgets_and_grows(family: str, tmp_path: Path) -> None:
    """What filled up a shape, and what was taken back, is written over; a larger cache knows what the smaller knew."""
    growing = DecoderModel(open_folder(save(family, tmp_path)), torch.float32, CPU)
    ids = _ids(2100)
    with torch.inference_mode():
        expected, session = growing.session(), FixedModel(growing).session()
        expected.forward(ids[:-3], 1)
        session.forward([*ids[:5], 9, 9, 9], 1)
        session.crop(3)
        for start in range(5, 2000, 665):
            session.forward(ids[start : start + 665], 1)
        session.forward(ids[2000:-3], 2)
        assert torch.allclose(session.forward(ids[-3:], 3), expected.forward(ids[-3:], 3), atol=1e-4)


def test_sessions_have_caches_of_their_own_and_leave_them_to_later_ones(tmp_path: Path) -> None:
    fixed = FixedModel(DecoderModel(open_folder(save("llama", tmp_path)), torch.float32, CPU))
    with torch.inference_mode():
        alone = fixed.session().forward([5, 6, 7], 1).clone()
        one, other = fixed.session(), fixed.session()
        one.forward([5, 6], 1)
        other.forward([9, 8, 7, 6], 1)
        assert torch.allclose(one.forward([7], 1), alone, atol=1e-4)
        left = one._caches
        del one
        assert fixed.session()._caches is left


@pytest.mark.parametrize("family", FAMILIES)
def test_an_edit_is_the_same_with_forwards_of_fixed_shapes(family: str, tmp_path: Path) -> None:
    engine = TorchEngine(str(save(family, tmp_path)), "float32", "cpu")
    text = TEXT.read_text()[:600]
    prompt = Prompt((Part(text),), (Source("original", (Part(text),)),))

    def written(speculate: bool) -> list[int]:
        chunks = engine.generate(prompt, Sampling(max_tokens=60, speculate=speculate))
        return [token for chunk in chunks for token in chunk.ids]

    expected = written(speculate=False)
    assert isinstance(engine.model, DecoderModel)
    engine.model = FixedModel(engine.model)
    assert written(speculate=False) == written(speculate=True) == expected
