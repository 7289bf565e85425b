"""Training on regions: the network is the engine's, runs go on where they ended, an adapter is what was learned."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from command_line import done
from gguf_files import save_gguf
from redraft.data.region_samples import Outside, RegionSample, region_sample
from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import open_folder, read_json
from redraft.engines.loss import nats
from redraft.engines.tokens import read_tokens
from redraft.errors import RedraftError
from redraft.measure.sets.answers import AnswerTask
from redraft.models.adapter import read_adapter
from redraft.models.qwen import write_folder
from redraft.train.packed import Sequenced, is_held, read_packed, write_packed
from redraft.train.regions import RegionRun, losses_of, packs
from redraft.train.run import ADAPTER, LOG, Course
from tiny_models import save, tokenizer

SPECIAL = ["<|im_start|>", "<|im_end|>"]
BEFORE = "".join(f"def step_{n}(value):\n    return value * {n}\n\n\n" for n in range(4))
COURSE = Course(tokens=6000, rank=4, rate=1e-2, batch=600, longest=900)


def task(number: int) -> AnswerTask:
    old, new = f"value * {number}\n", f"value + {number}\n"
    update = f"Add it:\n\n```python\ndef step_{number}(value):\n    return {new}```\n"
    return AnswerTask(
        id=f"one-{number}", path="steps.py", original=BEFORE, update=update, instruction="add",
        expected=BEFORE.replace(old, new), accepted=[], as_data=False, language="python", style="tidy", manner="",
        tidy=True, abilities=[],
    )  # fmt: skip


def samples() -> list[RegionSample]:
    made = [region_sample(f"own/cases{number}", task(number % 4)) for number in range(12)]
    return [sample for sample in made if isinstance(sample, RegionSample)]


@pytest.fixture
def qwen(tmp_path: Path) -> Path:
    folder = save("qwen2", tmp_path / "qwen")
    known = Tokenizer.from_str(tokenizer().to_str())
    known.add_special_tokens(SPECIAL)
    known.save(str(folder / "tokenizer.json"))
    return widened(folder)


def widened(folder: Path) -> Path:
    """With room for the special tokens."""
    config = read_json(folder / "config.json")
    config["vocab_size"] += len(SPECIAL)
    (folder / "config.json").write_text(json.dumps(config))
    weights = load_file(folder / "model.safetensors")
    for name in {"model.embed_tokens.weight", "lm_head.weight"} & weights.keys():
        weights[name] = torch.cat([weights[name], weights[name][: len(SPECIAL)] * 0.5])
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.fixture
def packed(qwen: Path, tmp_path: Path) -> Path:
    write_packed(samples(), read_tokens(qwen / "tokenizer.json"), 900, tmp_path / "packed.safetensors")
    return tmp_path / "packed.safetensors"


def test_an_edit_outside_of_its_regions_is_counted_and_left_out() -> None:
    told = task(3)
    assert isinstance(region_sample("own/cases", told), RegionSample)
    long = BEFORE + "".join(f"limit_{number} = {number}\n" for number in range(300))
    elsewhere = replace(told, original=long, expected=long.replace("limit_150 = 150\n", ""))
    assert region_sample("own/cases", elsewhere) == Outside("one-3", "tidy")


def test_what_is_packed_is_read_again(packed: Path, qwen: Path) -> None:
    tokens, made, found = read_tokens(qwen / "tokenizer.json"), samples(), read_packed(packed)
    assert [one.id for one in found] == [sample.id for sample in made]
    assert [one.held for one in found] == [is_held(sample.repository) for sample in made]
    for one, sample in zip(found, made, strict=True):
        assert list(one.ids[: one.start]) == tokens.encode(sample.prompt)
        assert list(one.ids[one.start :]) == tokens.encode(sample.output)
    with pytest.raises(RedraftError, match="cannot read"):
        read_packed(qwen / "config.json")


def test_the_network_loses_what_the_engine_loses(packed: Path, qwen: Path, tmp_path: Path) -> None:
    run = RegionRun(qwen, [packed], COURSE, tmp_path / "run")
    run.net.float()
    run.validate([])  # joins
    engine = DecoderModel(open_folder(qwen), torch.float32, torch.device("cpu"))
    pack = run.training[:2]
    found, _ = losses_of(run.net, pack)
    wanted = sum(nats(engine, one.ids[: one.start], one.ids[one.start :]) for one in pack)
    assert float(found.detach().sum()) == pytest.approx(wanted, rel=1e-3)


def test_a_run_goes_on_where_it_ended_and_its_adapter_says_the_same(packed: Path, qwen: Path, tmp_path: Path) -> None:
    logs = []
    for name, lengths in (("once", [6000]), ("twice", [3000, 6000])):
        out = tmp_path / name
        for length in lengths:
            RegionRun(qwen, [packed], replace(COURSE, tokens=length), out).train(2, 100, lambda _: None)
        logs.append([json.loads(line).get("samples") for line in (out / LOG).read_text().splitlines()])
    assert logs[0] == logs[1]
    before = DecoderModel(open_folder(qwen), torch.float32, torch.device("cpu"))
    added = read_adapter(out / ADAPTER, read_json(out / ADAPTER / "adapter_config.json"))
    weights = load_file(qwen / "model.safetensors")
    assert added.factors.keys() <= weights.keys()
    (tmp_path / "tuned").mkdir()
    for file in qwen.iterdir():
        (tmp_path / "tuned" / file.name).write_bytes(file.read_bytes())
    tuned = {name: torch.from_numpy(added.adapt(name, weight.float().numpy())) for name, weight in weights.items()}
    save_file(tuned, tmp_path / "tuned" / "model.safetensors", metadata={"format": "pt"})
    after = DecoderModel(open_folder(tmp_path / "tuned"), torch.float32, torch.device("cpu"))
    known = [(one.ids[: one.start], one.ids[one.start :]) for one in read_packed(packed)]
    assert sum(nats(after, *one) for one in known) < 0.98 * sum(nats(before, *one) for one in known)


def test_packs_hold_all_and_are_short() -> None:
    batch = [Sequenced(str(n), "", False, [0] * n, 1, 1) for n in (10, 90, 40, 50, 60, 120)]
    found = packs(batch, 100)
    assert sorted(one.id for pack in found for one in pack) == sorted(one.id for one in batch)
    assert all(len(pack) == 1 or sum(len(one.ids) for one in pack) <= 100 for pack in found)


def test_a_gguf_file_is_the_model_that_it_was_made_of(tmp_path: Path) -> None:
    weights = load_file(save_gguf(tmp_path / "qwen").with_name("model.safetensors"))
    weights["model.embed_tokens.weight"] = weights.pop("lm_head.weight", weights["model.embed_tokens.weight"])
    written = tmp_path / "written"
    written.mkdir()
    write_folder(tmp_path / "qwen" / "tiny.gguf", written)
    found = load_file(written / "model.safetensors")
    assert found.keys() == weights.keys()
    assert all(torch.equal(found[name], weights[name].to(torch.bfloat16)) for name in found)
    tokens = read_tokens(written / "tokenizer.json")
    for text in ("def f(x):\n    return 'é' + \"e\u0301\"\r\n\n", "<|end|> 1234\t\n"):
        assert tokens.decode([*tokens._tokenizer.encode(text, add_special_tokens=False).ids]) == text


def test_small_cases_are_packed_with_their_first_right_text(
    qwen: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": f"{n}", "kind": "", "path": "steps.py", "original": BEFORE, "update": task(n).update,
         "right": [task(n).expected, BEFORE] if n < 3 else [], "may_refuse": n == 3, "why": ""}
        for n in range(4)
    ]  # fmt: skip
    cases, out = tmp_path / "cases.jsonl", tmp_path / "small.safetensors"
    cases.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    _, told = done(capfd, "data", "small", cases, "--out", out, "--model", qwen)
    assert "small, inside: 3" in told
    known = Tokenizer.from_file(str(qwen / "tokenizer.json"))
    for one in read_packed(out):
        assert one.held == is_held(f"cases/{one.id}")
        assert f"value + {one.id}" in known.decode(list(one.ids[one.start :]), skip_special_tokens=False)
