"""Training the embedded model: what cannot be trained on is refused in a line, the last checkpoint stays whole."""

import json
import resource
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from command_line import done, refusal
from redraft.data.edits import Edit, write_edits
from redraft.edit.prompts.places import special_tokens
from redraft.errors import RedraftError
from redraft.train.tokenizer import train_tokenizer
from redraft.train.trainer import Recipe, Trainer

BEFORE = "".join(f"def step_{n}(value):\n    total = value * {n}\n    return total + {n + 7}\n\n\n" for n in range(4))
RECIPE = Recipe(steps=3, tokens=400, longest=1500)
RUN = ("train", "run", "edits.parquet", "--tokenizer", "tokenizer", "--from", "model", "--out", "out")
SHORT = ("--steps", 3, "--tokens", 400, "--longest", 1500, "--save-every", 1)


def edit(number: int) -> Edit:
    after = BEFORE.replace(f"    return total + {number + 7}\n", f"    log(total, {number})\n    return total\n")
    return Edit("own/cases", f"c{number}", "steps.py", "b", "a", BEFORE, after, "python", "")


EDITS = [edit(number) for number in range(4)]


def tokenizer(text: str) -> PreTrainedTokenizerFast:
    return train_tokenizer([text], vocabulary=len(special_tokens()) + 256 + 20)


def model(width: int = 16) -> LlamaForCausalLM:
    """A random model whose one layer is most of it, so that the optimiser's state is larger than its weights."""
    torch.manual_seed(0)
    sizes = {"hidden_size": width, "intermediate_size": 10_000, "num_hidden_layers": 1, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer(BEFORE)), tie_word_embeddings=True, **sizes))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Edits, two tokenizers of one size, two models."""
    folder = tmp_path_factory.mktemp("made")
    write_edits(folder / "edits.parquet", EDITS)
    write_edits(folder / "fewer.parquet", EDITS[1:])
    tokenizer(BEFORE).save_pretrained(folder / "tokenizer")
    tokenizer(BEFORE[::-1].upper()).save_pretrained(folder / "other-tokenizer")
    model().save_pretrained(folder / "model")
    model(width=32).save_pretrained(folder / "other-model")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(made, tmp_path, dirs_exist_ok=True))


def trainer(out: str = "out") -> Trainer:
    return Trainer(model(), tokenizer(BEFORE), EDITS, RECIPE, Path(out))


def contents(folder: str = "out") -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file gets more than `size` bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_a_disk_that_fills_leaves_the_last_checkpoint(size: int) -> None:
    """First the weights do not fit, then the optimiser's state; the run goes on as if nothing had been."""
    expected = [record["loss"] for record in trainer("whole").run()]
    stopped = trainer()
    run = stopped.run()
    next(run)
    stopped.save()
    kept = contents()
    assert max(map(len, kept.values())) > size
    next(run)
    with room(size), pytest.raises(RedraftError, match="cannot write to out: "):
        stopped.save()
    assert contents() == kept
    resumed = trainer()
    assert resumed.resume()
    assert [record["loss"] for record in resumed.run()] == pytest.approx(expected[1:], rel=1e-4)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_run_that_is_ended_while_it_saves_leaves_a_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = trainer()
    next(stopped.run())
    stopped.save()
    kept = contents()

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(torch, "save", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stopped.save()
    assert contents() == kept
    Path("out/checkpoint").rename("out/checkpoint.old")  # as between the two renames of saving
    resumed = trainer()
    assert resumed.resume()
    assert resumed.progress.step == 1
    resumed.save()
    assert [path.name for path in Path("out").iterdir()] == ["checkpoint"]


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_full_disk_is_said_in_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN, *SHORT)
    kept = contents("out/checkpoint")
    commands: dict[str, tuple[object, ...]] = {
        "out": (*RUN, *SHORT),
        "learned": ("train", "tokenizer", "edits.parquet", "--out", "learned"),
        "exported": ("train", "export", "out/checkpoint", "--out", "exported"),
    }
    for name, command in commands.items():
        with room(100_000):
            said = failed(capfd, *command)
        assert said.removeprefix("going on from step 3\n").startswith(f"redraft: cannot write to {name}: ")
        assert said.endswith("File too large (os error 27)\n") or "[Errno 27] File too large" in said
    assert contents("out/checkpoint") == kept


def failed(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    from redraft.cli import run

    capfd.readouterr()
    assert run([str(argument) for argument in arguments]) == 1
    return capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_a_run_of_another_configuration_is_refused_and_left(capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN, *SHORT)
    kept = contents()
    others: dict[str, tuple[object, ...]] = {
        "rate": ("--rate", 1e-3),
        "steps": ("--steps", 4),
        "tokens, longest": ("--tokens", 500, "--longest", 1400),
        "shape": ("--from", "other-model"),
        "tokenizer": ("--tokenizer", "other-tokenizer"),
    }
    for names, options in others.items():
        message = f"out holds a run of another configuration ({names}): choose another folder\n"
        assert refusal(capfd, *RUN, *SHORT, *options) == f"redraft: {message}"
    fewer = (*RUN[:2], "fewer.parquet", *RUN[3:])
    assert "another configuration (edits)" in refusal(capfd, *fewer, *SHORT)
    assert contents() == kept
    err = done(capfd, *RUN, *SHORT)[1]
    assert err.startswith("going on from step 3\n")
    assert [json.loads(line)["step"] for line in Path("out/log.jsonl").read_text().splitlines()] == [1, 2, 3]


@pytest.mark.slow
def test_what_cannot_be_trained_on_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    edits = pyarrow.parquet.read_table("edits.parquet")
    pyarrow.parquet.write_table(edits.select(["before", "after"]), "few.parquet")
    pyarrow.parquet.write_table(edits.slice(0, 0), "empty.parquet")
    write_edits(Path("same.parquet"), [replace(one, after=one.before) for one in EDITS])
    Path("file").write_text("")
    for name, message in {"few": "has no column repository, commit", "empty": "holds no edits"}.items():
        for command in (("tokenizer",), ("run", "--tokenizer", "tokenizer", "--from", "model")):
            printed = refusal(capfd, "train", command[0], f"{name}.parquet", *command[1:], "--out", "out")
            assert f"{name}.parquet {message}" in printed
    cases: dict[str, tuple[object, ...]] = {
        "no tokenizer in model": (*RUN, "--tokenizer", "model"),
        "no model in tokenizer": (*RUN, "--from", "tokenizer"),
        "cannot write to file: ": (*RUN, "--out", "file"),
    }
    for message, arguments in cases.items():
        assert message in refusal(capfd, *arguments)
    assert "cannot write to file: " in refusal(capfd, "train", "tokenizer", "edits.parquet", "--out", "file")
    assert not Path("out").exists()
    none = "none of 1,000 samples in a row can be said in"
    assert f"{none} 64 tokens" in refusal(capfd, *RUN, "--longest", 64)
    assert f"{none} 1,536 tokens" in refusal(capfd, *RUN[:2], "same.parquet", *RUN[3:])
    with pytest.raises(RedraftError, match="no edits to train on"):
        Trainer(model(), tokenizer(BEFORE), [], RECIPE, folder)
