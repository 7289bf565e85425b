"""The engine without torch: its forwards are torch's, and it says what it does not run."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gguf_files import as_small, save_gguf
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import GREEDY, Ranker, Sampling, Warming, numpy_model
from redraft.engines.logits import likeliest, nats
from redraft.engines.numpy import NumpyEngine
from redraft.engines.rank import log_probabilities
from redraft.engines.spec import load_engine, writes_regions
from redraft.engines.torch import TorchEngine
from redraft.errors import MissingError, RedraftError
from redraft.models.tensors import bfloat16, float32, read_tensors
from tiny_models import save

IDS = [(7 * n + n // 5) % 500 for n in range(300)]


@pytest.fixture(scope="module", params=["llama", "blocks", "qwen2", "qwen3"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="module")
def here(folder: Path) -> NumpyEngine:
    return NumpyEngine(str(folder))


def test_its_logits_are_those_of_torch(here: NumpyEngine, folder: Path) -> None:
    theirs = TorchEngine(str(folder), "float32", "cpu").model.session().forward(IDS, len(IDS)).numpy()
    assert numpy.allclose(here.model.session().forward(IDS, len(IDS)), theirs, atol=2e-3)


@settings(max_examples=5)
@given(st.lists(st.tuples(st.integers(1, 70), st.integers(0, 40)), min_size=1, max_size=4))
def test_however_they_are_fed_ids_give_the_same(here: NumpyEngine, steps: list[tuple[int, int]]) -> None:
    session, at = here.model.session(), 0
    whole = here.model.session().forward(IDS, len(IDS))
    for count, wrong in steps:
        fed = session.forward([*IDS[at : at + count], *[3] * wrong], count + wrong)
        session.crop(wrong)
        assert numpy.allclose(fed[:count], whole[at : at + count], atol=2e-3)
        at += count


def test_the_likeliest_are_found_without_all_logits(here: NumpyEngine) -> None:
    ids, margins = here.model.session().likeliest(IDS, len(IDS))
    logits = here.model.session().forward(IDS, len(IDS))
    assert ids == logits.argmax(-1).tolist()
    assert margins == pytest.approx(likeliest(logits)[1], abs=2e-3)


def test_matrices_may_be_widened_in_any_pieces(
    here: NumpyEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numpy_model, "_WIDENED", 1000)
    pieces = NumpyEngine(str(folder)).model
    assert numpy.allclose(pieces.session().forward(IDS, 9), here.model.session().forward(IDS, 9), atol=2e-3)
    assert pieces.session().likeliest(IDS, 9)[0] == here.model.session().likeliest(IDS, 9)[0]


@given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=9), min_size=1, max_size=4))
def test_both_libraries_find_the_same_in_logits(rows: list[list[int]]) -> None:
    logits = numpy.array([row[:3] for row in rows], numpy.float32)
    there, before, ids = torch.from_numpy(logits.copy()), logits.copy(), [0] * len(rows)
    assert likeliest(logits) == likeliest(there)
    assert nats(logits, ids) == pytest.approx(nats(there, ids), abs=1e-4)
    assert (logits == before).all()


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=9))
def test_bfloat16_is_rounded_as_torch_does(values: list[float]) -> None:
    given_ = numpy.array(values, numpy.float32)
    assert (float32(bfloat16(given_)) == torch.from_numpy(given_).bfloat16().float().numpy()).all()


def test_it_ranks_and_keeps_what_it_read(here: NumpyEngine) -> None:
    texts = [[4, 5, 6, 7], [4, 9, 6, 7], [4, 5, 5, 7]]
    found = log_probabilities(here.model, IDS[:100], texts)
    prompt = Prompt((Part("def f():\n"),))
    written = "".join(chunk.text for chunk in here.generate(prompt, GREEDY))[:200]
    assert isinstance(here, Ranker)
    assert isinstance(here, Warming)
    values = here.rank(prompt, [written, "x" + written, written])
    assert values[0] == values[2] > values[1]
    whole = [_cost(here, IDS[:100], text) for text in texts]
    for (a, b), (x, y) in zip(pairwise(found), pairwise(whole), strict=True):
        assert a - b == pytest.approx(y - x, abs=2e-3)


def _cost(engine: NumpyEngine, prompt: list[int], text: list[int]) -> float:
    return nats(engine.model.session().forward([*prompt, *text[:-1]], len(text)), text)


def test_what_it_does_not_run_is_said(tmp_path: Path) -> None:
    path = save("gpt2", tmp_path / "gpt2")
    with pytest.raises(RedraftError, match="gpt2 is not plainly a Llama, Qwen2 or Qwen3 model: hf:"):
        load_engine(f"numpy:{path}")
    for asked in ("bfloat16", None), (None, "cuda"):
        with pytest.raises(MissingError, match=r"needs torch: pip install 'redraft\[model\]'"):
            load_engine(f"numpy:{path}", *asked)
    with pytest.raises(RedraftError, match="no model folder at"):
        load_engine(f"numpy:{tmp_path / 'absent'}")


@pytest.mark.parametrize("size", [0, 7, 200, -40])
def test_weights_that_are_cut_off_are_named(tmp_path: Path, size: int) -> None:
    file = save("llama", tmp_path) / "model.safetensors"
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(RedraftError, match=r"cannot load .*model\.safetensors"):
        NumpyEngine(str(tmp_path))
    with pytest.raises(RedraftError, match="cannot load"):
        read_tensors(tmp_path / "config.json")


ALONE = """
import json, sys
from dataclasses import replace
sys.modules |= dict.fromkeys(("torch", "transformers"))
import redraft.models.sized as sized
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import Sampling
from redraft.engines.spec import load_engine
sized.MODELS["small"] = replace(sized.SMALL, file="tiny.gguf", sha256=sys.argv[1])
engine = load_engine("embedded")
chunks = engine.generate(Prompt((Part("def f():"),)), Sampling(max_tokens=9))
print(json.dumps([type(engine).__name__, engine.template, [token for chunk in chunks for token in chunk.ids]]))
"""


def test_without_torch_the_embedded_model_is_made_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an adapter; and what it writes is what torch writes with the same folder."""
    from test_models import WIDTH, make_adapter

    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path / "house"))
    model = as_small(save_gguf(tmp_path / "qwen", chat=True))
    make_adapter(tmp_path / "house" / "adapters" / "small", WIDTH)
    done = subprocess.run([sys.executable, "-c", ALONE, model.sha256], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    name, template, ids = json.loads(done.stdout)
    made = next((tmp_path / "house" / "models").glob("small-*"))
    theirs = TorchEngine(str(made), "float32", "cpu")
    prompt = Prompt((Part("def f():"),))
    assert (name, template) == ("NumpyEngine", "regions")
    assert ids == [token for chunk in theirs.generate(prompt, Sampling(max_tokens=9)) for token in chunk.ids]
    assert writes_regions("numpy:")
    assert writes_regions(f"numpy:{made}")
