"""Fine-tuning other models: what is learned is what the engine reads and writes, runs go on, bits compare."""

import json
import resource
import shutil
import subprocess
import sys
from dataclasses import replace
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from command_line import done, refusal
from fetched import needs_small
from redraft.cli import run
from redraft.data.edits import Edit, write_edits
from redraft.edit.decide import likeliest
from redraft.edit.prompts.template import find_template
from redraft.engines.loss import nats
from redraft.engines.torch import TorchEngine
from redraft.train.answers import Answer, answers, ask
from redraft.train.bits import measure
from tiny_models import VOCABULARY, save

BEFORE = "".join(f"def step_{n}(value):\n    total = value * {n}\n    return total + {n + 7}\n\n\n" for n in range(4))
FAST = ("--dtype", "float32", "--batch", "2", "--save-every", "1")


def edit(number: int) -> Edit:
    after = BEFORE.replace(f"    return total + {number + 7}\n", f"    log(total, {number})\n    return total\n")
    return Edit("own/cases", "c", "steps.py", "b", "a", BEFORE, after, "python", "")


EDITS = [edit(number) for number in range(4)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_edits(Path("edits.parquet"), EDITS)
    return tmp_path


def spelled(engine: TorchEngine, longest: int | None = None) -> list[Answer]:
    return list(answers(engine.tokens, find_template(engine.template), EDITS, longest))


def log(out: str) -> list[dict[str, float]]:
    return [json.loads(line) for line in (Path(out) / "log.jsonl").read_text().splitlines()]


def weights(out: str) -> dict[str, torch.Tensor]:
    return load_file(Path(out) / "model.safetensors")


def contents(out: str) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path(out).rglob("*") if path.is_file()}


def tuned(capfd: pytest.CaptureFixture[str], model: str, out: str, *options: object) -> dict[str, Any]:
    printed, _ = done(capfd, "train", "tune", "edits.parquet", "--model", model, "--out", out, *FAST, *options)
    return dict(json.loads(printed))


def bits(capfd: pytest.CaptureFixture[str], *options: object) -> dict[str, Any]:
    return dict(json.loads(done(capfd, "train", "bits", "edits.parquet", *options)[0]))


@pytest.mark.parametrize(("family", "chat"), [("llama", False), ("qwen2", True), ("fast-apply", True)])
def test_an_answer_is_what_the_engine_reads_and_writes(tmp_path: Path, family: str, chat: bool) -> None:
    """The prompt has the ids of the engine's prompt, with the prediction it finds itself; the answer is the file."""
    path = save("llama" if chat else "qwen2", tmp_path / family, chat)
    engine = TorchEngine(str(path), "float32", "cpu")
    template = find_template(engine.template)
    for number, made in enumerate(spelled(engine)):
        request = ask(EDITS[number], Random(f"0 {number}"))
        assert request is not None
        merged = likeliest(request.original, request.update, request.path)
        prompt = template.prompt(request, merged)
        assert engine.open(prompt)[0] == made.prompt
        stop = prompt.stop[0] if prompt.stop else ""
        assert engine.tokens.decode(made.output) == EDITS[number].after + stop
        assert made.size == len(EDITS[number].after.encode())


def test_answers_are_those_of_the_seed_and_none_is_cut(tmp_path: Path) -> None:
    engine = TorchEngine(str(save("llama", tmp_path)), "float32", "cpu")
    made = spelled(engine)
    assert spelled(engine) == made
    assert list(answers(engine.tokens, find_template("fenced"), EDITS, None, seed=1)) != made
    longest = sorted(map(len, made))[1]
    assert spelled(engine, longest) == [answer for answer in made if len(answer) <= longest]


def test_windows_line_ends_are_as_the_engine_sees_them(tmp_path: Path) -> None:
    engine = TorchEngine(str(save("llama", tmp_path)), "float32", "cpu")
    dos = [replace(e, before=e.before.replace("\n", "\r\n"), after=e.after.replace("\n", "\r\n")) for e in EDITS]
    assert list(answers(engine.tokens, find_template("fenced"), dos, None)) == spelled(engine)


def test_a_uniform_model_needs_the_bits_of_its_vocabulary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save("llama", tmp_path)
    save_file({name: torch.zeros_like(tensor) for name, tensor in weights(".").items()}, "model.safetensors")
    engine = TorchEngine(str(tmp_path), "float32", "cpu")
    made = spelled(engine)
    tokens, size = sum(len(answer.output) for answer in made), sum(len(edited.after.encode()) for edited in EDITS)
    measured = measure(engine.model, made)
    assert (measured.edits, measured.bytes) == (4, size)
    assert measured.bits_per_byte == pytest.approx(log2(VOCABULARY) * tokens / size)


def test_bits_are_those_of_one_forward_of_transformers(tmp_path: Path) -> None:
    folder = save("qwen2", tmp_path)
    engine = TorchEngine(str(folder), "float32", "cpu")
    made = spelled(engine)[0]
    model = transformers.AutoModelForCausalLM.from_pretrained(folder)
    with torch.inference_mode():
        logits = model(torch.tensor([made.prompt + made.output])).logits[0, len(made.prompt) - 1 : -1]
    expected = -logits.log_softmax(-1)[range(len(made.output)), made.output].sum().item()
    assert nats(engine.model, made.prompt, made.output) == pytest.approx(expected, rel=1e-5)


@needs_small
@pytest.mark.usefixtures("folder")
def test_the_embedded_model_writes_small_edits_in_few_bits(capfd: pytest.CaptureFixture[str]) -> None:
    measured = bits(capfd)
    assert (list(measured), measured["edits"]) == (["edits", "bytes", "bits_per_byte"], 4)
    assert 0 <= measured["bits_per_byte"] < 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "chat", "options"),
    [
        ("llama", False, ()),
        ("llama", False, ("--full",)),
        ("qwen2", True, ()),
        ("qwen2", False, ("--full",)),
        ("qwen3", False, ()),
        ("qwen3_moe", True, ()),
        ("deepseek_v2", False, ()),
    ],
)
def test_the_loss_falls_and_the_model_loads(
    folder: Path, capfd: pytest.CaptureFixture[str], family: str, chat: bool, options: tuple[object, ...]
) -> None:
    """What the log says is what `bits` measures; the base stays byte for byte."""
    base = save(family, folder / "base", chat) / "model.safetensors"
    untouched = base.read_bytes()
    first = bits(capfd, "--model", "base", "--dtype", "float32")["bits_per_byte"]
    result = tuned(capfd, "base", "out", "--epochs", 4, "--batch", 4, "--rate", 0.01, *options)
    assert base.read_bytes() == untouched
    losses = [record["bits_per_byte"] for record in log("out")]
    assert result == {"steps": len(losses), "edits": 4, "folder": "out"}
    assert losses[0] == pytest.approx(first, rel=1e-3)
    last = bits(capfd, "--model", "out", "--dtype", "float32")["bits_per_byte"]
    assert last < losses[-1] < 0.95 * losses[0]
    assert TorchEngine("out").template == ("chat" if chat else "fenced")
    assert spelled(TorchEngine("out")) == spelled(TorchEngine("base"))
    changed = [name for name, tensor in weights("out").items() if not torch.equal(tensor, weights("base")[name])]
    assert changed
    assert ("model.embed_tokens.weight" in changed) == ("--full" in options)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_only_the_answer_carries_loss_and_packing_does_not_change_it(folder: Path) -> None:
    """Two answers in one pack cost what they cost alone, prompts cost nothing."""
    from redraft.train.tune import NO_LOSS, Tuner, Tuning, dataset

    save("llama", folder / "base")
    engine = TorchEngine("base", "float32", "cpu")
    tuner = Tuner(EDITS, "base", folder / "out", Tuning(16, 1e-4, epochs=1, longest=8192, batch=1, seed=0), "float32")
    assert tuner.answers == spelled(engine)
    for row, made in zip(dataset(tuner.answers), tuner.answers, strict=True):
        assert row["input_ids"] == made.prompt + made.output
        assert row["labels"] == [NO_LOSS] * len(made.prompt) + made.output
    trainer = tuner._trainer(1)
    packs = [trainer.data_collator([pack]) for pack in trainer.train_dataset]
    assert 1 < len(packs) < len(EDITS)
    learned = sorted(label for pack in packs for label in pack["labels"][0].tolist() if label != NO_LOSS)
    assert learned == sorted(id_ for made in tuner.answers for id_ in made.output)
    model = trainer.model.eval()
    for pack in packs:
        ids, count = pack["input_ids"][0].tolist(), int((pack["labels"] != NO_LOSS).sum())
        packed = [made for made in tuner.answers if holds(ids, made.prompt + made.output)]
        alone = [nats(engine.model, made.prompt, made.output) for made in packed]
        with torch.inference_mode():
            assert trainer.compute_loss(model, pack).item() * count == pytest.approx(sum(alone), rel=1e-4)


def holds(pack: list[int], ids: list[int]) -> bool:
    return any(pack[start : start + len(ids)] == ids for start in range(len(pack)))


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--full",)])
def test_a_stopped_run_goes_on(folder: Path, capfd: pytest.CaptureFixture[str], options: tuple[object, ...]) -> None:
    """Its last checkpoint was half written: from the one before it comes to the same weights."""
    save("llama", folder / "base")
    steps = tuned(capfd, "base", "whole", "--epochs", 2, *options)["steps"]
    shutil.copytree("whole", "stopped")
    for name in ("model.safetensors", f"checkpoint-{steps}/trainer_state.json"):
        (Path("stopped") / name).unlink()
    assert tuned(capfd, "base", "stopped", "--epochs", 2, *options)["steps"] == steps
    assert [record["step"] for record in log("stopped")] == [*range(1, steps + 1), steps]
    assert log("stopped")[-1] == pytest.approx(log("whole")[-1], rel=1e-4)
    again = weights("stopped")
    assert all(torch.allclose(again[name], tensor, atol=1e-6) for name, tensor in weights("whole").items())
    assert tuned(capfd, "base", "stopped", "--epochs", 2, *options)["steps"] == steps
    assert len(log("stopped")) == steps + 1


@pytest.mark.slow
def test_what_cannot_be_tuned_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save("llama", folder / "base")
    save("mamba", folder / "mamba")
    Path("empty").mkdir()
    Path("file").write_text("")
    pyarrow.parquet.write_table(pyarrow.table({"before": ["a"], "after": ["b"]}), "few.parquet")
    good = ("train", "tune", "edits.parquet", "--out", "out", *FAST, "--model")
    cases: dict[str, tuple[object, ...]] = {
        "empty is not a model folder: it has no config.json": (*good, "empty"),
        "no model folder at gone": (*good, "./gone"),
        "cannot be rolled back": (*good, "mamba"),
        "none of the 4 edits fits into 64 tokens": (*good, "base", "--longest", 64),
        "unknown dtype 'float8'": (*good, "base", "--dtype", "float8"),
        "base holds a model": (*good, "base", "--out", "base"),
        "cannot write to file": (*good, "base", "--out", "file"),
        "would not be used with the template 'fenced'": (*good, "base", "--out", "fast-apply"),
        "few.parquet has no column repository": ("train", "tune", "few.parquet", "--out", "out", "--model", "base"),
    }
    for message, arguments in cases.items():
        assert message in refusal(capfd, *arguments)
    assert "few.parquet has no column" in refusal(capfd, "train", "bits", "few.parquet")
    assert "empty is not a model folder" in refusal(capfd, "train", "bits", "edits.parquet", "--model", "empty")
    assert not Path("out").exists()


@pytest.mark.slow
def test_a_folder_with_another_run_is_refused_and_left(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save("llama", folder / "base")
    save("qwen2", folder / "other")
    tuned(capfd, "base", "out")
    kept = contents("out")
    command = ("train", "tune", "edits.parquet", "--out", "out", *FAST, "--model")
    others = {("base", "--rank", 4): "rank)", ("base", "--full"): "rank, rate)", ("other",): "model, shape"}
    for options, names in (others | {("base", "--seed", 1): "seed, edits)"}).items():
        assert f"out holds a run of another configuration ({names}" in refusal(capfd, *command, *options)
    assert contents("out") == kept


@pytest.mark.slow
@pytest.mark.parametrize("room", [20_000, 150_000])
def test_a_disk_that_fills_leaves_the_last_checkpoint(
    folder: Path, capfd: pytest.CaptureFixture[str], room: int
) -> None:
    """No file gets more than `room` bytes: that stops the writing of the adapter, or of the optimiser's state."""
    from redraft.train.tune import last_checkpoint

    save("llama", folder / "base")
    steps = tuned(capfd, "base", "out", "--batch", 1)["steps"]
    last, before = (Path(f"out/checkpoint-{number}") for number in (steps, steps - 1))
    (last / "trainer_state.json").unlink()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        code = run(["train", "tune", "edits.parquet", "--model", "base", "--out", "out", *FAST, "--batch", "1"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (code, capfd.readouterr().err.splitlines()[-1][:29]) == (1, "redraft: cannot write to out:")
    assert last_checkpoint(Path("out")) == before


@pytest.mark.slow
def test_the_standard_launcher_starts_it(folder: Path) -> None:
    save("llama", folder / "base")
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "1", "-m", "redraft"]
    tune = ["train", "tune", "edits.parquet", "--model", "base", "--out", "out", *FAST, "--dtype", "bfloat16"]
    finished = subprocess.run([*launch, *tune], capture_output=True, text=True)
    assert finished.stdout.endswith('"edits": 4, "folder": "out"}\n'), finished.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_missing_package_is_named(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("peft", "trl"):
        monkeypatch.setitem(sys.modules, package, None)
        message = refusal(capfd, "train", "tune", "edits.parquet", "--model", "base", "--out", "out")
        assert message == f"redraft: training needs {package}: pip install 'redraft[train]'\n"
