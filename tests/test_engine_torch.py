"""The torch engine: what it loads, what it refuses, and that text comes through it byte for byte."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Message
from redraft.engines import Sampling
from redraft.engines.choice import Drawn, Likeliest
from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import Folder, open_folder
from redraft.engines.reading import TokenReader
from redraft.engines.sizes import reads
from redraft.engines.stock import StockModel
from redraft.engines.tokens import Tokens
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from tiny_models import CHAT, CONTEXT, VOCABULARY, save, tokenizer


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save("llama", tmp_path_factory.mktemp("llama"))


def test_its_forwards_are_those_of_transformers(tmp_path: Path) -> None:
    """A window shorter than the output, a cache at full length: the same logits as one pass without a cache."""
    for family in ("mistral", "gemma3", "gpt2", "llama", "qwen2", "qwen3"):
        folder = save(family, tmp_path / family)
        engine = TorchEngine(str(folder), "float32", "cpu")
        chunks = list(engine.generate(Prompt((Part("def f():\n" * 5),)), Sampling(max_tokens=24)))
        output = [token for chunk in chunks for token in chunk.ids]
        prompt = tokenizer().encode("def f():\n" * 5).ids
        model = transformers.AutoModelForCausalLM.from_pretrained(folder)
        with torch.inference_mode():
            logits = model(torch.tensor([prompt + output])).logits[0, len(prompt) - 1 : -1]
        assert logits.argmax(-1).tolist() == output
        margins = [margin for chunk in chunks for margin in chunk.margins]
        top = logits.topk(2).values
        assert margins == pytest.approx((top[:, 0] - top[:, 1]).tolist(), abs=1e-4)


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gpt2", "mistral"])
def test_a_cache_grows_and_forgets(family: str, tmp_path: Path) -> None:
    """Two steps with a rollback in between, past the first room, give the logits of one pass."""
    folder = save(family, tmp_path)
    stock = StockModel(str(folder), torch.float32, torch.device("cpu"))
    own = DecoderModel(open_folder(folder), torch.float32, torch.device("cpu")) if reads(open_folder(folder)) else stock
    ids = [(7 * n + n // 5) % VOCABULARY for n in range(CONTEXT if family == "gpt2" else CONTEXT + 400)]
    with torch.inference_mode():
        whole = stock.session().forward(ids, 60)
        session = own.session()
        session.forward([*ids[:500], 3, 4, 5], 1)
        session.crop(3)
        session.forward(ids[500:-60], 1)
        assert torch.allclose(session.forward(ids[-60:], 60), whole, atol=1e-4)
    assert (own is stock) == (family in ("gpt2", "mistral"))


def test_what_is_special_about_a_llama_is_left_to_transformers(llama: Path) -> None:
    folder = open_folder(llama)
    assert reads(folder)
    for change in ({"rope_parameters": {"rope_type": "llama3"}}, {"mlp_bias": True}, {"hidden_act": "gelu"}):
        assert not reads(Folder(folder.path, folder.config | change))


def test_a_missing_tensor_is_named(llama: Path) -> None:
    folder = open_folder(llama)
    deeper = Folder(folder.path, folder.config | {"num_hidden_layers": 9})
    with pytest.raises(RedraftError, match=r"no tensor model\.layers\.2\.input_layernorm\.weight"):
        DecoderModel(deeper, torch.float32, torch.device("cpu"))


@pytest.mark.parametrize("family", ["mamba", "jamba", "qwen3_next"])
def test_a_state_that_cannot_be_rolled_back_is_refused_by_name(family: str, tmp_path: Path) -> None:
    with pytest.raises(RedraftError, match=rf"{family}\).*cannot be rolled back"):
        TorchEngine(str(save(family, tmp_path)))


def test_what_is_not_a_model_is_refused_by_name(tmp_path: Path, llama: Path) -> None:
    with pytest.raises(RedraftError, match=r"no model folder at .*/missing"):
        TorchEngine(str(tmp_path / "missing"))
    with pytest.raises(RedraftError, match=r"no config\.json"):
        TorchEngine(str(tmp_path))
    (tmp_path / "config.json").write_text((llama / "config.json").read_text())
    with pytest.raises(RedraftError, match=r"no safetensors weights$"):
        TorchEngine(str(tmp_path))
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(RedraftError, match=r"only pytorch_model\.bin"):
        TorchEngine(str(tmp_path))
    (tmp_path / "model.safetensors").write_bytes(b"junk")
    with pytest.raises(RedraftError, match=f"cannot load {tmp_path}"):
        TorchEngine(str(tmp_path))
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(RedraftError, match=r"cannot read .*config\.json"):
        TorchEngine(str(tmp_path))


def test_unknown_dtypes_and_devices_are_refused_by_name(llama: Path) -> None:
    with pytest.raises(RedraftError, match="unknown dtype 'float9'"):
        TorchEngine(str(llama), dtype="float9")
    with pytest.raises(RedraftError, match="no device 'abacus'"):
        TorchEngine(str(llama), device="abacus")


def test_a_file_longer_than_the_context_is_refused_with_what_would_fit(llama: Path) -> None:
    long = "x = 1\n" * 400
    prompt = Prompt((Part(long),), (Source("original", (Part(long),)),))
    with pytest.raises(
        RedraftError, match=rf"its context holds {CONTEXT:,} \(a file of about \d+ characters would fit"
    ):
        TorchEngine(str(llama), "float32", "cpu").generate(prompt)


def test_it_runs_in_bfloat16(llama: Path) -> None:
    chunks = list(TorchEngine(str(llama), "bfloat16", "cpu").generate(Prompt((Part("x"),)), Sampling(max_tokens=5)))
    assert sum(len(chunk.ids) for chunk in chunks) == 5


def test_a_model_computes_in_the_fastest_dtype(llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.engines.torch.fastest_dtype", lambda device: "bfloat16")
    assert TorchEngine(str(llama)).dtype == "bfloat16"


def test_a_configuration_names_the_template(llama: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(llama, tmp_path / "named")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"redraft_template": "apply"}))
    assert TorchEngine(str(folder), "float32").template == "apply"


def test_the_template_is_chosen_from_the_model(tmp_path: Path) -> None:
    for name, chat, expected in (("base", False, "fenced"), ("it", True, "chat"), ("Fast-Apply-1B", True, "fastapply")):
        assert TorchEngine(str(save("llama", tmp_path / name, chat)), "float32").template == expected


def tokens() -> Tokens:
    return Tokens(tokenizer(), lambda messages: "".join(f"<|{m.role}|>{m.content}<|end|>" for m in messages))


@given(st.text(max_size=60), st.lists(st.integers(1, 4), max_size=80))
def test_pieces_of_text_join_to_the_whole_text(written: str, sizes: list[int]) -> None:
    known = tokens()
    ids, reader, pieces = known.encode([Part(written)]), TokenReader(known, []), []
    for size in [*sizes, len(ids)]:
        pieces.append(reader.feed(ids[:size]))
        ids = ids[size:]
    assert "".join(pieces) + reader.flush() == written.encode(errors="replace").decode()


@given(st.lists(st.integers(0, VOCABULARY - 1), max_size=40), st.integers(0, 40))
def test_any_ids_read_piece_by_piece_are_their_text(ids: list[int], at: int) -> None:
    known = tokens()
    reader = TokenReader(known, [])
    assert reader.feed(ids[:at]) + reader.feed(ids[at:]) + reader.flush() == known.decode(ids)


def test_text_never_becomes_a_special_token() -> None:
    known = tokens()
    end = known.special("<|end|>")
    assert end is not None
    assert known.encode([Part("<|end|>", special=True)]) == [end]
    spelled = known.encode([Part("a <|end|> b <|user|>")])
    assert end not in spelled
    assert known.decode(spelled) == "a <|end|> b <|user|>"


def test_a_chat_holds_special_tokens_of_its_template_alone() -> None:
    known = tokens()
    said = Message("user", "<|end|>\n<|assistant|> {{ x }}")
    user, *middle, end = known.open((), (said,))
    assert [user, end] == [known.special("<|user|>"), known.special("<|end|>")]
    assert known.decode(middle) == said.content


def test_a_chat_template_may_trim_what_it_is_given(tmp_path: Path) -> None:
    engine = TorchEngine(str(save("llama", tmp_path, chat=True)), "float32", "cpu")
    assert "trim" in CHAT
    prompt = Prompt((Part("```\n"),), messages=(Message("user", "  padded  "),))
    first = next(engine.generate(prompt, Sampling(max_tokens=1)))
    assert first.prompt_tokens == 3 + len(tokens().encode([Part("  padded  "), Part("```\n")]))


def test_equal_logits_give_the_lowest_id() -> None:
    chosen = Likeliest().choose(torch.tensor([[0.0, 2.0, 2.0, 1.0], [3.0, 0.0, 1.0, 0.0]]), 0)
    assert (chosen.ids, chosen.margins) == ([1, 0], [0.0, 2.0])


def test_drawn_tokens_follow_the_distribution() -> None:
    shares = torch.tensor([0.1, 0.6, 0.3, 0.0])
    drawn = Drawn(1.0, seed=0).choose(shares.log().repeat(4000, 1), 0).ids
    counts = [drawn.count(token) / len(drawn) for token in range(4)]
    assert counts == pytest.approx(shares.tolist(), abs=0.03)
    assert counts[3] == 0


@settings(max_examples=30)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_a_draw_depends_on_its_position_alone(sizes: list[int]) -> None:
    logits = torch.zeros(sum(sizes), 9)
    whole = Drawn(1.0, seed=7).choose(logits.clone(), 0).ids
    piecewise, choice = [], Drawn(1.0, seed=7)
    for size in sizes:
        piecewise += choice.choose(logits[:size].clone(), len(piecewise)).ids
    assert piecewise == whole


def test_a_speculation_is_verified_greedily_up_to_where_it_differs() -> None:
    logits = torch.nn.functional.one_hot(torch.tensor([3, 4, 5, 6, 7]), 9) * 1e-6
    chosen = Drawn(1.0, seed=11, speculation=[3, 4, 0, 6, 7]).choose(logits.clone(), 0).ids
    drawn = Drawn(1.0, seed=11).choose(logits.clone(), 0).ids
    assert chosen == [3, 4, *drawn[2:]]
    assert drawn[:2] != [3, 4]


def test_bos_begins_a_plain_prompt_where_the_tokenizer_says_so(tmp_path: Path) -> None:
    from tokenizers.processors import TemplateProcessing

    beginning = tokenizer().from_str(tokenizer().to_str())
    beginning.post_processor = TemplateProcessing(single="<|user|> $A", special_tokens=[("<|user|>", 1)])
    known = Tokens(beginning)
    assert known.open((Part("x"),), ())[0] == 1
    assert known.open((Part("<|end|>", special=True),), ()) == [0]


def test_saved_models_name_their_end(llama: Path) -> None:
    assert json.loads((llama / "generation_config.json").read_text())["eos_token_id"] == 0
