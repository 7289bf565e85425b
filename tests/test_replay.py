"""A model of any shape with random weights verifies recorded edits: real forwards, the recorded outcome."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from bench_records import edit
from command_line import done, refusal
from redraft.measure.speed.peers import read_peers
from redraft.measure.speed.random_model import Float8Linear, random_model
from redraft.measure.speed.record import read_records
from redraft.measure.speed.recording import read_recordings
from tiny_models import save

SHAPE = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 2000,
    "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 4096, "hidden_act": "silu",
}  # fmt: skip
SHAPES: dict[str, dict[str, Any]] = {
    "llama": {"model_type": "llama", "tie_word_embeddings": False},
    "qwen3": {"model_type": "qwen3", "tie_word_embeddings": True},
    "gemma3": {"model_type": "gemma3_text", "sliding_window": 16},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """Recordings of two edits by a tiny model, and configurations of others."""
    monkeypatch.chdir(tmp_path)
    rows = [{"id": name, **edit(lines, 4)} for name, lines in (("one", 9), ("two", 14))]
    Path("cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    engine = f"hf:{save('llama', tmp_path / 'model')}"
    run = ("bench", "run", "--cases", "cases.jsonl", "--out", "real.jsonl", "--recordings", "recordings.jsonl")
    done(capfd, *run, "--engine", engine, "--dtype", "float32", "--max-tokens", 12)
    for name, shape in SHAPES.items():
        Path(f"{name}.json").write_text(json.dumps(SHAPE | shape))
    return tmp_path


def test_a_recording_is_a_real_run(folder: Path) -> None:
    real, found = read_records(Path("real.jsonl")), read_recordings(Path("recordings.jsonl"))
    assert [each.record for each in found] == real
    for each in found:
        assert len(each.prompt) == each.record.prompt_tokens
        assert len(each.output) == each.record.completion_tokens == 12
        assert next(origin for origin, _ in each.sources) == "prediction"


@pytest.mark.parametrize(("shape", "dtype"), [("llama", "float32"), ("qwen3", "bfloat16"), ("gemma3", "float8")])
def test_any_shape_writes_what_was_recorded(
    folder: Path, capfd: pytest.CaptureFixture[str], shape: str, dtype: str
) -> None:
    run = ("bench", "replay", "recordings.jsonl", "--config", f"{shape}.json", "--out", "r.jsonl", "--peers", "p.jsonl")
    shown, _ = done(capfd, *run, "--dtype", dtype, "--device", "cpu")
    real, replayed = read_records(Path("real.jsonl")), read_records(Path("r.jsonl"))
    assert [record.id for record in replayed] == ["one", "two"]
    for before, after in zip(real, replayed, strict=True):
        assert after.accepted + after.forwards == before.completion_tokens == after.completion_tokens
        assert sum(taken for _, taken in after.steps) == after.accepted
        assert (after.environment.engine, after.environment.dtype) == (f"replay:{shape}.json", dtype)
        assert after.replayed.startswith("random weights; accepted was what hf:")
        assert after.speed_up == after.vanilla_seconds / after.seconds
        assert after.limit_ratio == after.seconds / after.limit_seconds
        assert after.chars_per_second * after.seconds == pytest.approx(before.chars_per_second * before.seconds)
    assert [record.order[0] for record in replayed] == ["drafts", "vanilla"]
    ways = [(peer.id, peer.way) for peer in read_peers(Path("p.jsonl"))]
    assert ways == [(name, way) for name in ("one", "two") for way in ("plain", "lookup-10-3", "lookup-40-4")]
    assert "| all | 2 | 0 |" in shown
    kept = Path("r.jsonl").read_bytes()
    done(capfd, *run, "--dtype", dtype, "--device", "cpu")
    assert Path("r.jsonl").read_bytes() == kept


def test_a_random_model_has_the_shape_and_is_the_same_again(folder: Path) -> None:
    one, other = (random_model("llama.json", "float8", torch.device("cpu")) for _ in range(2))
    linears = [module for module in one.modules() if isinstance(module, Float8Linear)]
    assert len(linears) == 2 * 7
    assert {module.matrix.weight.dtype for module in linears} == {torch.float8_e4m3fn}
    ids = torch.tensor([[5, 6, 7]])
    with torch.inference_mode():
        assert torch.equal(one(ids).logits, other(ids).logits)
        assert one(ids).logits.shape == (1, 3, 2000)
    assert not any(tensor.is_meta for tensor in (*one.parameters(), *one.buffers()))


def test_what_cannot_be_replayed_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def refused(**given: str) -> str:
        said = {"config": "llama.json", "out": "r.jsonl", "device": "cpu"} | given
        options = [part for name, value in said.items() for part in (f"--{name}", value)]
        return refusal(capfd, "bench", "replay", "recordings.jsonl", *options)

    Path("none.json").write_text('{"model_type": "no such"}')
    Path("small.json").write_text(json.dumps(SHAPE | SHAPES["llama"] | {"vocab_size": 3}))
    Path("t5.json").write_text('{"model_type": "t5"}')
    assert "gone.json is no configuration that transformers knows" in refused(config="gone.json")
    assert "none.json is no configuration that transformers knows" in refused(config="none.json")
    assert "t5.json: transformers makes no decoder of it" in refused(config="t5.json")
    assert "unknown dtype 'int3'; there are float32, bfloat16, float8" in refused(dtype="int3")
    assert "the model has 3 ids, and the recordings the id" in refused(config="small.json")
    Path("recordings.jsonl").write_text("{}\n")
    assert "recordings.jsonl:1: not a recording of `bench run`" in refused()
    assert not Path("r.jsonl").exists()


@pytest.mark.parametrize("name", ["8b", "32b", "70b"])
def test_the_shapes_are_the_size_that_they_are_called(name: str) -> None:
    from transformers import AutoModelForCausalLM

    from redraft.measure.speed.random_model import read_config

    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(
            read_config(str(Path(__file__).parent.parent / "benchmarks" / "shapes" / f"{name}.json"))
        )
    billions = sum(parameter.numel() for parameter in model.parameters()) / 1e9
    assert billions == pytest.approx(float(name.removesuffix("b")), rel=0.03)
