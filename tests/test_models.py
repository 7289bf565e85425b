"""The model `small` is made of its weights and its adapter once, whole or not at all."""

import json
import re
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from command_line import done, refusal
from gguf_files import as_small, save_gguf
from redraft.edit.request import Message
from redraft.engines.folder import open_folder
from redraft.engines.stock import load_tokens
from redraft.engines.tokens import folder_tokens
from redraft.engines.torch import TorchEngine
from redraft.errors import MissingError, RedraftError
from redraft.models.adapter import read_adapter
from redraft.models.folder import Merged
from redraft.models.sized import ADAPTERS, SMALL, Sized, base_of, merged_of, state_of
from tiny_models import LAYERS, WIDTH

RANK = 2
TALK = [Message("system", "You edit."), Message("user", " x < 'é' <|end|>\n"), Message("assistant", "y")]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    house = tmp_path / "house"
    monkeypatch.setenv("REDRAFT_HOME", str(house))
    monkeypatch.setitem(sys.modules, ADAPTERS, None)  # as if no adapter were installed
    return house


@pytest.fixture
def qwen(tmp_path: Path) -> Path:
    """A random model, a folder with a GGUF file of it."""
    save_gguf(tmp_path / "qwen", chat=True)
    return tmp_path / "qwen"


@pytest.fixture
def model(house: Path, qwen: Path) -> Sized:
    return as_small(qwen / "tiny.gguf")


@pytest.fixture
def adapter(house: Path) -> Path:
    return make_adapter(house / "adapters" / "small", WIDTH)


def make_adapter(folder: Path, width: int) -> Path:
    folder.mkdir(parents=True)
    torch.manual_seed(1)
    names = [f"base_model.model.model.layers.{number}.self_attn.q_proj" for number in range(LAYERS)]
    down = {f"{name}.lora_A.weight": torch.randn(RANK, width).to(torch.bfloat16) for name in names}
    up = {f"{name}.lora_B.weight": torch.randn(width, RANK).to(torch.bfloat16) for name in names}
    save_file(down | up, folder / "adapter_model.safetensors")
    (folder / "adapter_config.json").write_text(json.dumps({"r": RANK, "lora_alpha": RANK}))
    return folder


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return {name: weight.to(torch.bfloat16) for name, weight in load_file(folder / "model.safetensors").items()}


def left_behind(house: Path) -> list[str]:
    return [path.name for path in (house / "models").glob("*") if path.name != ".lock"]


def test_without_an_adapter_it_is_the_file_as_it_came(model: Sized, tmp_path: Path) -> None:
    made = merged_of(model)
    base_of(model, tmp_path / "base")
    assert weights(made.path).keys() == weights(tmp_path / "base").keys()
    assert all(torch.equal(weight, weights(tmp_path / "base")[name]) for name, weight in weights(made.path).items())
    assert made.record["base_sha256"] == model.sha256
    assert "adapter_sha256" not in made.record
    assert TorchEngine(str(made.path), "float32", "cpu").template == "regions"
    assert TorchEngine(str(tmp_path / "base"), "float32", "cpu").template == "chat"
    with pytest.raises(RedraftError, match="cannot write"):
        base_of(model, tmp_path / "base")


def test_what_the_adapter_says_is_added(model: Sized, adapter: Path, tmp_path: Path) -> None:
    made = merged_of(model)
    base_of(model, tmp_path / "base")
    before, after = weights(tmp_path / "base"), weights(made.path)
    added = read_adapter(adapter, {"r": RANK, "lora_alpha": RANK})
    for name, weight in before.items():
        assert torch.equal(weight, after[name]) != (name in added.factors), name
    down, up = map(torch.from_numpy, added.factors["model.layers.1.self_attn.q_proj.weight"])
    expected = before["model.layers.1.self_attn.q_proj.weight"].float() + up @ down
    assert torch.allclose(after["model.layers.1.self_attn.q_proj.weight"].float(), expected, rtol=2**-7, atol=1e-6)
    assert made.is_intact()
    assert state_of(model)["folder"] == str(made.path)


def test_its_chats_are_rendered_as_transformers_renders_them(model: Sized, qwen: Path) -> None:
    here, there = folder_tokens(open_folder(merged_of(model).path)), load_tokens(str(qwen))
    assert here.has_chat
    for talk in (TALK, TALK[1:2]):
        assert here.open((), talk) == there.open((), talk)


def test_it_is_made_once(model: Sized, adapter: Path) -> None:
    made = merged_of(model)
    model.path.unlink()
    assert merged_of(model) == made


def test_two_at_once_make_one(house: Path, model: Sized) -> None:
    found: list[Merged] = []
    threads = [threading.Thread(target=lambda: found.append(merged_of(model))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    assert left_behind(house) == [found[0].path.name]


ASKED = """
import sys
from dataclasses import replace
from redraft.models.sized import ADAPTERS, SMALL, merged_of
sys.modules[ADAPTERS] = None  # as if no adapter were installed
print(merged_of(replace(SMALL, file="tiny.gguf", sha256=sys.argv[1])).path.name)
"""


@pytest.mark.slow
def test_two_processes_on_an_empty_cache_make_one(house: Path, model: Sized) -> None:
    command = [sys.executable, "-c", ASKED, model.sha256]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    assert left_behind(house) == [said[0].strip()]


COMMAND = r"redraft model get small \(491 MB\)"


def test_missing_weights_are_said_with_the_command_that_gets_them(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingError, match=rf"^the model small is not here: {COMMAND}$"):
        merged_of()
    with pytest.raises(MissingError, match=rf"^the model small is not here: {COMMAND}$"):
        base_of(SMALL, tmp_path / "base")
    Path("f.py").write_text("x = 1\n")
    said = refusal(capfd, "edit", "f.py", "--lines", "1-1", "--instruction", "x")
    assert re.fullmatch(
        rf"redraft: the model small is not here: {COMMAND}, or name .*: --engine openai:URL#MODEL\n", said
    )
    known = json.loads(done(capfd, "model", "--json")[0])
    assert known["small"] == known["large"] | {"adapter": known["small"]["adapter"]}
    assert known["small"]["weights"] is None


def test_weights_that_are_cut_off_are_refused(house: Path, model: Sized) -> None:
    model.path.write_bytes(model.path.read_bytes()[:5000])
    with pytest.raises(RedraftError, match=r"not the file of Qwen/.*: remove it, then redraft model get small$"):
        merged_of(model)
    assert left_behind(house) == []


@pytest.mark.parametrize("width", [WIDTH // 2, WIDTH * 2])
def test_an_adapter_of_another_base_is_refused(house: Path, model: Sized, width: int) -> None:
    make_adapter(house / "adapters" / "small", width)
    with pytest.raises(RedraftError, match="does not fit its base"):
        merged_of(model)
    assert left_behind(house) == []


def test_a_folder_that_cannot_be_written_is_named(house: Path, model: Sized) -> None:
    (house / "models").write_text("a file in its place")
    with pytest.raises(RedraftError, match=r"cannot write the merged model to .*REDRAFT_HOME"):
        merged_of(model)


def test_a_disk_that_fills_leaves_nothing_behind(house: Path, model: Sized) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(RedraftError, match="cannot write the merged model"):
            merged_of(model)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert left_behind(house) == []
    assert merged_of(model).is_intact()


def test_what_is_made_is_a_model_for_other_programs(model: Sized) -> None:
    folder = merged_of(model).path
    assert transformers.AutoModelForCausalLM.from_pretrained(folder).config.model_type == "qwen2"
    assert transformers.AutoTokenizer.from_pretrained(folder).chat_template


def test_which_models_are_here_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path))
    said = done(capfd, "model")[0].splitlines()
    assert said[0] == f"small: not here; redraft model get small fetches {SMALL.file} (491 MB)"
    SMALL.path.parent.mkdir(parents=True)
    SMALL.path.write_bytes(b"")
    assert done(capfd, "model")[0].splitlines()[0].startswith(f"small: {SMALL.path}")
    assert json.loads(done(capfd, "model", "--json")[0])["small"]["weights"] == str(SMALL.path)
