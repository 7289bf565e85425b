"""Training a small Llama on few cores: its network is that of the engine, runs go on, what it learns is kept."""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
import torch
from safetensors.torch import load_file, save_file

from command_line import done, refusal
from redraft.data.lessons import Lesson
from redraft.data.samples import Sample, write_samples
from redraft.edit.prompts.template import find_template
from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import open_folder
from redraft.engines.loss import nats
from redraft.engines.tokens import Tokens
from redraft.train.course import Course, Training, outcomes, packs, rate, validate
from redraft.train.lean import Net
from redraft.train.low_rank import factors
from redraft.train.material import Maker, Material, differing, drawing, near_changed, turning
from tiny_models import save, tokenizer

T = TypeVar("T")
BEFORE = "".join(f"def step_{n}(value):\n    return value * {n}\n\n\n" for n in range(12))
PIECES = ["<|im_start|>", "<|im_end|>"]


def sample(number: int) -> Sample:
    old, new = f"value * {number}\n", f"value + {number}\n"
    update = f"def step_{number}(value):\n    return {new}"
    return Sample(
        repository="own/cases", commit="c", path="steps.py", before_blob="b", after_blob="a", before=BEFORE,
        after=BEFORE.replace(old, new), language="python", license="", instruction="", update=update, style="plain",
        source="rules", expect="applied",
    )  # fmt: skip


SAMPLES = [sample(number) for number in range(12)]
LESSONS = [
    Lesson(one.path, one.before, one.update, "", one.after, one.before.replace("step_3", "step_x"), "renamed")
    for one in SAMPLES
]


def prepared(folder: Path) -> Path:
    """A small Llama that knows the tokens of the template."""
    save("llama", folder)
    known = json.loads((folder / "tokenizer.json").read_text())
    for token, spelled in zip(known["added_tokens"][1:3], PIECES, strict=True):
        known["model"]["vocab"][spelled] = known["model"]["vocab"].pop(token["content"])
        token["content"] = spelled
    (folder / "tokenizer.json").write_text(json.dumps(known))
    return folder


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    return prepared(tmp_path / "llama")


def maker(folder: Path, **more: Any) -> Maker:
    from redraft.engines.tokens import read_tokens

    return Maker(read_tokens(folder / "tokenizer.json"), find_template("apply"), 1000, **more)


def everything(make: Callable[[T, Random], Material | None], known: Iterable[T]) -> list[Material]:
    rng = Random(1)
    return [made for one in known if (made := make(one, rng))]


def cost(net: Net, made: Material, ids: tuple[int, ...], places: tuple[int, ...]) -> float:
    alone = replace(made, ids=ids, length=len(ids), learned=places, weights=(1.0,) * len(places))
    return outcomes(net, [replace(alone, right=(), wrong=(), wrong_ids=())])[0].nats


def test_what_is_near_a_change() -> None:
    assert [at for at, near in enumerate(near_changed(range(60), [*range(30), 99, *range(30, 60)])) if near] == [
        *range(26, 39)
    ]
    assert near_changed([1, 2, 3], [1, 2, 3]) == (False, False, False)
    assert differing([1, 2, 3, 4], [1, 9, 9, 3, 4]) == ([1, 2, 3], [1, 2, 3, 4])


def test_the_network_is_that_of_the_engine(llama: Path) -> None:
    made = maker(llama).of_sample(SAMPLES[0], Random(0))
    assert made
    folder = open_folder(llama)
    net = Net(folder, torch.float32)
    ids = torch.tensor(made.ids)
    states = net.states(ids, torch.arange(len(ids)))
    losses, _ = net.losses(states[made.start - 1 : -1], ids[made.start :])
    model = DecoderModel(folder, torch.float32, torch.device("cpu"))
    expected = nats(model, made.ids[: made.start], made.ids[made.start :])
    assert losses.sum().item() == pytest.approx(expected, rel=1e-4)


def test_what_is_read_at_once_comes_out_as_alone(llama: Path) -> None:
    net, own = Net(open_folder(llama), torch.float32), maker(llama)
    pack = [*everything(own.of_sample, SAMPLES[:3]), *everything(own.of_lesson, LESSONS[:2])]
    for alone, among in zip([outcomes(net, [made])[0] for made in pack], outcomes(net, pack), strict=True):
        assert (alone.hits, alone.nats) == (among.hits, pytest.approx(among.nats, rel=1e-4))
        assert alone.loss.item() == pytest.approx(among.loss.item(), rel=1e-4)
        assert (alone.margin is None) == (among.margin is None)
    sizes = [len(made.ids) for made in pack]
    parts = packs(pack, sizes[0] + sizes[1])
    assert sorted(len(made.ids) for part in parts for made in part) == sorted(sizes)
    assert all(sum(len(made.ids) for made in part) <= sizes[0] + sizes[1] for part in parts if len(part) > 1)


def test_where_it_is_decided_how_to_go_on() -> None:
    file, sketch = [*range(20)], [8, 9, 77, 78, 79, 80, 81]
    written = [*range(8), 8, 9, 77, 78, 79, 80, 81, *range(10, 20)]
    assert turning([file, sketch], written) == {0, 1, 2, 8, 9, 10, 11, 12, 15, 16, 17}
    assert turning([[], [5, 6]], written) == set()


def test_a_pair_is_ahead_by_what_its_texts_cost_alone(llama: Path) -> None:
    net = Net(open_folder(llama), torch.float32)
    for made in everything(maker(llama, whole=0).of_lesson, LESSONS):
        margin = outcomes(net, [made])[0].margin
        ids = (*made.ids[: made.shared], *made.ids[made.length :])
        places = [at if at < made.shared else at - made.length + made.shared for at in made.wrong]
        wrong = cost(net, made, ids, tuple(places))
        right = cost(net, made, made.ids[: made.length], made.right)
        assert margin is not None
        assert margin.item() == pytest.approx(wrong - right, abs=1e-3)


def test_both_losses_fall(llama: Path) -> None:
    net, own = Net(open_folder(llama), torch.float32), maker(llama)
    made = everything(own.of_sample, SAMPLES), everything(own.of_lesson, LESSONS)
    assert len(made[0]) == len(made[1]) == len(SAMPLES)
    before = validate(net, *made)
    training = Training(net, Course(steps=30, rate=3e-2, batch=4, pairs=0.4), compiled=False)
    records = list(training.run(drawing(SAMPLES, own.of_sample), drawing(LESSONS, own.of_lesson)))
    assert [record["step"] for record in records] == list(range(1, 31))
    assert records[-1]["tokens"] == training.tokens > 0
    after = validate(net, *made)
    assert after["bits_per_byte"] < before["bits_per_byte"]
    assert after["pairs_right"] >= before["pairs_right"]


def test_a_course_ends_by_minutes_too(llama: Path) -> None:
    short = Course(steps=1000, minutes=1e-6, rate=1e-3, batch=1)
    training = Training(Net(open_folder(llama), torch.float32), short, compiled=False)
    records = list(training.run(drawing(SAMPLES, maker(llama).of_sample), None))
    assert (len(records), training.progress > 1) == (1, True)
    assert rate(short, 0.5, 100) == pytest.approx(0.525e-3)
    assert rate(short, 7.0, 100) == pytest.approx(0.05e-3)


def test_the_part_of_low_rank_is_the_nearest() -> None:
    torch.manual_seed(0)
    change = torch.randn(12, 3) @ torch.randn(3, 20)
    down, up = factors(change, 3)
    assert torch.allclose(up @ down, change, atol=1e-4)
    assert (down.shape, up.shape) == ((3, 20), (12, 3))


@pytest.fixture
def folder(tmp_path: Path, llama: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_samples(Path("samples.parquet"), SAMPLES)
    Path("pairs.jsonl").write_text("".join(json.dumps(vars(one)) + "\n" for one in LESSONS))
    return tmp_path


COMMAND = (
    *("train", "lean", "samples.parquet", "--model", "llama", "--out", "out"),
    *("--batch", 2, "--every", 2, "--rate", 1e-3, "--eager"),
)
PAIRS = ("--pairs", "pairs.jsonl", "--valid", "samples.parquet", "--valid-pairs", "pairs.jsonl", "--rank", 4)


def run(capfd: pytest.CaptureFixture[str], *options: object) -> dict[str, Any]:
    return dict(json.loads(done(capfd, *COMMAND, *PAIRS, *options)[0]))


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_stopped_run_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    whole = run(capfd, "--steps", 4)
    assert (whole["steps"], whole["samples"]) == (4, 12)
    records = [json.loads(line) for line in Path("out/log.jsonl").read_text().splitlines()]
    assert {"nats", "tokens_right", "near_right", "wholly_right", "bits_per_byte", "pairs_right"} <= records[3].keys()
    kept = load_file("out/model.safetensors")
    Path("out/model.safetensors").unlink()
    assert run(capfd, "--steps", 4) == {**whole, "seconds": whole["seconds"]}
    assert all(torch.equal(weight, kept[name]) for name, weight in load_file("out/model.safetensors").items())
    assert "another configuration (batch)" in refusal(capfd, *COMMAND, *PAIRS, "--steps", 4, "--batch", 3)
    assert json.loads(Path("out/config.json").read_text())["redraft_template"] == "apply"
    assert Path("out/curves.png").stat().st_size > 1000
    adapter = load_file("out/adapter/adapter_model.safetensors")
    assert {len(weight) for name, weight in adapter.items() if "lora_A" in name} == {4}
    kept = json.loads(done(capfd, "train", "cut", "out", "--base", "llama", "--rank", 4, "--out", "cut")[0])
    assert kept["energy_kept"] == whole["energy_kept"]
    assert load_file("cut/adapter_model.safetensors").keys() == adapter.keys()
    config, tensors = json.loads(Path("llama/config.json").read_text()), load_file("llama/model.safetensors")
    shutil.copytree("llama", "shorter")
    last = f"layers.{config['num_hidden_layers'] - 1}."
    save_file({name: kept for name, kept in tensors.items() if last not in name}, "shorter/model.safetensors")
    config["num_hidden_layers"] -= 1
    Path("shorter/config.json").write_text(json.dumps(config))
    assert "same shape" in refusal(capfd, "train", "cut", "shorter", "--base", "llama", "--out", "no")
    assert not Path("no").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_trained_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert "none of the samples fits" in refusal(capfd, *COMMAND, "--longest", 64)
    shutil.copytree("llama", "qwen")
    config = json.loads(Path("qwen/config.json").read_text())
    Path("qwen/config.json").write_text(json.dumps(config | {"model_type": "qwen2"}))
    assert "not a plain Llama" in refusal(capfd, *COMMAND, "--model", "qwen")
    Path("broken.jsonl").write_text("{")
    assert "cannot read the pairs of broken.jsonl" in refusal(capfd, *COMMAND, "--pairs", "broken.jsonl")


def test_hunks_are_learned_in_a_turn_of_their_own(llama: Path) -> None:
    whole = maker(llama, whole=0)
    hunks = replace(whole, template=find_template("apply", "search-replace"))
    of_whole, of_hunks = (one.of_sample(SAMPLES[0], Random(0)) for one in (whole, hunks))
    assert of_whole
    assert of_hunks
    text = Tokens(tokenizer()).decode
    written = text(of_hunks.ids[of_hunks.start :])
    assert "+    return value + 0" in written
    assert len(written) < len(text(of_whole.ids[of_whole.start :]))
