"""llama.cpp as an engine: what it loads, what it refuses, and that text comes through it byte for byte."""

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gguf_files import save_gguf
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Message
from redraft.engines import Ranker, Sampling, Tokenizing
from redraft.engines.spec import load_engine
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from tiny_models import CONTEXT, tokenizer

pytest.importorskip("llama_cpp")
from redraft.engines.llamacpp import LlamaCppEngine


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_gguf(tmp_path_factory.mktemp("gguf"))


@pytest.fixture(scope="module")
def engine(file: Path) -> LlamaCppEngine:
    return LlamaCppEngine(str(file), threads=1)


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_text_comes_back_byte_for_byte(engine: LlamaCppEngine, written: str) -> None:
    ids = engine.tokens.encode([Part(written)])
    assert engine.tokens.decode(ids) == written.encode("utf-8", "replace").decode()


def test_text_never_becomes_a_special_token(engine: LlamaCppEngine) -> None:
    end = tokenizer().token_to_id("<|end|>")
    assert engine.tokens.encode([Part("<|end|>", special=True)]) == [end]
    assert end not in engine.tokens.encode([Part("a <|end|> b")])
    assert engine.tokens.decode(engine.tokens.encode([Part("a <|end|> b")])) == "a <|end|> b"
    with pytest.raises(RedraftError, match="the model has no token <\\|nothing\\|>"):
        engine.tokens.encode([Part("<|nothing|>", special=True)])
    with pytest.raises(RedraftError, match="no chat template"):
        engine.generate(Prompt((), messages=(Message("user", "x"),)))


def test_its_forwards_are_those_of_the_folder(engine: LlamaCppEngine, file: Path) -> None:
    """The same weights in torch: the same distribution, nearly."""
    theirs = TorchEngine(str(file.parent), "float32", "cpu")
    ids = theirs.tokens.encode([Part("def f():\n    return 1\n")])
    here = engine.model.session().forward(ids, len(ids)).flatten()
    there = theirs.model.session().forward(ids, len(ids)).detach().flatten()
    assert torch.corrcoef(torch.stack((here, there)))[0, 1] > 0.999


def test_a_cache_forgets(engine: LlamaCppEngine) -> None:
    ids = [(7 * n + n // 5) % 500 for n in range(1300)]
    session = engine.model.session()
    session.forward(ids[:1000], 1)
    session.forward([3, 4, 5], 3)
    session.crop(3)
    after = session.forward(ids[1000:], 20).clone()
    session = engine.model.session()
    for start in (0, 500, 1000):
        whole = session.forward(ids[start : start + 500], 20)
    assert torch.allclose(after, whole, atol=0.05)


def test_a_cache_that_grows_keeps_what_it_holds(file: Path) -> None:
    """The second time the cache is large enough from the start: the one that grew is used again."""
    engine = LlamaCppEngine(str(file), threads=1)
    ids = [(7 * n + n // 5) % 500 for n in range(3000)]

    def fed() -> torch.Tensor:
        session = engine.model.session()
        return torch.cat([session.forward(ids[at : at + 500], 20).clone() for at in range(0, 3000, 500)])

    assert torch.equal(fed(), fed())


def test_a_prompt_that_was_read_is_not_read_again_and_changes_nothing(file: Path) -> None:
    warm, cold = (LlamaCppEngine(str(file), threads=1) for _ in range(2))
    for each in (warm, cold):
        each.keep_prefixes()
    before = "".join(f"x{number} = {number}\n" for number in range(40))
    prompts = [Prompt((Part(before), Part(end))) for end in ("a = 1\n", "b = 2\n")]
    said = [[chunk.ids for chunk in warm.generate(prompt, Sampling(max_tokens=9))] for prompt in prompts]
    assert warm.warm(prompts[1])[1] > 0
    assert [chunk.ids for chunk in cold.generate(prompts[1], Sampling(max_tokens=9))] == said[1]


def test_what_ids_stand_for(engine: LlamaCppEngine) -> None:
    end = tokenizer().token_to_id("<|end|>")
    ids = [*engine.encode("a é"), end, end, *engine.encode("b")]
    assert isinstance(engine, Tokenizing)
    assert engine.parts(ids) == (Part("a é"), Part("<|end|>", True), Part("<|end|>", True), Part("b"))
    assert engine.decode(ids) == "a éb"
    with pytest.raises(RedraftError, match="the model has no token 512: its tokens are 0 to 511"):
        engine.parts([512])


def test_it_ranks(engine: LlamaCppEngine) -> None:
    prompt = Prompt((Part("def f():\n"),))
    written = "".join(chunk.text for chunk in engine.generate(prompt, Sampling(max_tokens=40)))
    assert isinstance(engine, Ranker)
    values = engine.rank(prompt, [written, "x" + written, written])
    assert values[0] == values[2] > values[1]


def test_what_does_not_fit_is_refused(engine: LlamaCppEngine) -> None:
    with pytest.raises(RedraftError, match=rf"its context holds {CONTEXT:,} \(a file of about [\d,]+ characters"):
        engine.generate(Prompt((Part("x"),), (Source("original", (Part("x = 1\n" * 400),)),)))
    with pytest.raises(RedraftError, match="too long for the model"):
        engine.rank(Prompt((Part("x = 1\n"),)), ["a" * (2 * CONTEXT), "b"])


def test_what_is_no_gguf_file_is_refused_by_name(tmp_path: Path, file: Path) -> None:
    with pytest.raises(RedraftError, match=r"there is no GGUF file .*absent\.gguf"):
        load_engine(f"llamacpp:{tmp_path / 'absent.gguf'}")
    for size in (0, 7, 5000, file.stat().st_size - 100):
        (tmp_path / "cut.gguf").write_bytes(file.read_bytes()[:size])
        with pytest.raises(RedraftError, match=r"cannot load .*cut\.gguf: "):
            load_engine(f"llamacpp:{tmp_path / 'cut.gguf'}")
