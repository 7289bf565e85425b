"""The embedded model's making: a tokenizer that round-trips, weights that copy untrained, training that resumes."""

import json
from pathlib import Path
from random import Random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM, PreTrainedTokenizerFast

from redraft.data.edits import Edit
from redraft.data.sketch import STYLES, sketch
from redraft.edit.prompts.places import NumberedEdit, special_tokens
from redraft.errors import RedraftError
from redraft.train.copy_ready import copy_ready
from redraft.train.heads import place_codes, place_turns
from redraft.train.samples import Sample, encode, sample, samples
from redraft.train.tokenizer import line_ends, train_tokenizer
from redraft.train.trainer import Recipe, Trainer, export_model, open_model, open_tokenizer

SOURCES = sorted((Path(__file__).parent.parent / "src" / "redraft" / "data").rglob("*.py"))
BEFORE = "".join(f"def step_{n}(value):\n    total = value * {n}\n    return total + {n + 7}\n\n\n" for n in range(8))


def edit(number: int) -> Edit:
    after = BEFORE.replace(f"    return total + {number + 7}\n", f"    log(total, {number})\n    return total\n")
    return Edit("own/cases", "c", "steps.py", "b", "a", BEFORE, after, "python", "")


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return train_tokenizer((path.read_text() for path in SOURCES), vocabulary=len(special_tokens()) + 256 + 600)


@pytest.fixture(scope="module")
def model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    return copy_ready(tokenizer)


@given(st.text(max_size=80))
@settings(max_examples=200, deadline=None)
def test_every_text_round_trips(tokenizer: PreTrainedTokenizerFast, text: str) -> None:
    ids = tokenizer(text, split_special_tokens=True, add_special_tokens=False)["input_ids"]
    assert tokenizer.decode(ids, skip_special_tokens=True) == text


def test_no_token_reaches_beyond_the_end_of_a_line(tokenizer: PreTrainedTokenizerFast) -> None:
    ends = set(line_ends(tokenizer))
    ids = tokenizer("a:\n    b()\n\n\n  c", split_special_tokens=True, add_special_tokens=False)["input_ids"]
    for token in ids:
        text = tokenizer.decode([token])
        assert "\n" not in text[:-1]
        assert (token in ends) == text.endswith("\n")


def test_the_next_place_is_a_rotation() -> None:
    codes, step = place_codes(place_turns(200), 200)
    assert torch.allclose(codes[1:], codes[:-1] @ step.T, atol=1e-4)
    assert (codes @ codes.T - torch.eye(200)).abs().max() < 0.6


def right(model: LlamaForCausalLM, made: Sample) -> float:
    """The share of output tokens that the model predicts."""
    ids = torch.tensor([made.prompt + made.output])
    with torch.inference_mode():
        logits = model(ids).logits[0, len(made.prompt) - 1 : -1]
    return (logits.argmax(-1) == torch.tensor(made.output)).float().mean().item()


def spelled(tokenizer: PreTrainedTokenizerFast, update: str, after: str) -> Sample:
    numbered = NumberedEdit(BEFORE, update, "steps.py")
    return Sample(encode(tokenizer, list(numbered.prompt())), encode(tokenizer, numbered.output(after)))


@pytest.mark.slow
def test_a_network_copies_before_any_training(tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM) -> None:
    made = spelled(tokenizer, "# ... existing code ...\n", BEFORE)
    shuffled = Sample(made.prompt, Random(0).sample(made.output, len(made.output)))
    assert right(model, made) == 1
    assert right(model, shuffled) < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_a_network_follows_sketches_before_any_training(
    tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM, style: str
) -> None:
    after = edit(3).after
    updates = (sketch(BEFORE, after, style, seed, "steps.py") for seed in range(20))
    update = next(u for u in updates if u is not None and NumberedEdit(BEFORE, u, "steps.py").is_plain(after))
    assert right(model, spelled(tokenizer, update, after)) == 1
    assert right(model, spelled(tokenizer, update, BEFORE)) < 1


NATURAL = {
    "# new\n# ... existing code ...\n": f"# new\n{BEFORE}",
    "# ... existing code ...\ndef step_3(value):\n    total = value * 9\n    # ... existing code ...\n": BEFORE.replace(
        "total = value * 3", "total = value * 9"
    ),
    "# ... existing code ...\n    return total + 14\n\n# the end\n": BEFORE.replace("14\n\n", "14\n\n# the end\n"),
    "# ... existing code ...\ndef step_5(value):\n    log(value)\n    total = value * 5\n# ... existing code ...\n": (
        BEFORE.replace("    total = value * 5\n", "    log(value)\n    total = value * 5\n")
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("update", NATURAL)
def test_a_network_follows_what_chat_models_write(
    tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM, update: str
) -> None:
    assert right(model, spelled(tokenizer, update, NATURAL[update])) == 1


@pytest.mark.slow
def test_a_network_counts_what_a_line_repeats(tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM) -> None:
    lines = ["~" * 37, "f(f(f(f(f(f(x)))))", "a, b, a, b, a, b, a, b, c", " | ".join(["---"] * 9)]
    before = "\n".join(f"{line}\nline {n}" for n, line in enumerate(lines)) + "\n"
    numbered = NumberedEdit(before, "...\nline 2\n...\n")
    made = Sample(encode(tokenizer, list(numbered.prompt())), encode(tokenizer, numbered.output(before)))
    assert right(model, made) == 1


@pytest.mark.slow
def test_a_run_that_was_stopped_and_resumed_is_the_run_that_was_not(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    recipe = Recipe(steps=4, tokens=600, longest=1500)
    whole = Trainer(copy_ready(tokenizer), tokenizer, [edit(n) for n in range(5)], recipe, tmp_path / "whole")
    expected = [record["loss"] for record in whole.run()]
    stopped = Trainer(copy_ready(tokenizer), tokenizer, [edit(n) for n in range(5)], recipe, tmp_path / "stopped")
    run = stopped.run()
    losses = [next(run)["loss"], next(run)["loss"]]
    stopped.save()
    assert losses == expected[:2]
    resumed = Trainer(
        copy_ready(tokenizer, seed=1), tokenizer, [edit(n) for n in range(5)], recipe, tmp_path / "stopped"
    )
    assert resumed.resume()
    assert [record["loss"] for record in resumed.run()] == pytest.approx(expected[2:], rel=1e-4)
    progress = json.loads((tmp_path / "stopped" / "checkpoint" / "progress.json").read_text())
    assert progress["progress"]["step"] == 2


@pytest.mark.slow
def test_an_export_loads_with_plain_transformers(
    tokenizer: PreTrainedTokenizerFast, model: LlamaForCausalLM, tmp_path: Path
) -> None:
    model.save_pretrained(tmp_path / "checkpoint")
    tokenizer.save_pretrained(tmp_path / "checkpoint")
    export_model(tmp_path / "checkpoint", tmp_path / "shipped")
    shipped = AutoModelForCausalLM.from_pretrained(tmp_path / "shipped", dtype="auto")
    assert shipped.dtype == torch.bfloat16
    assert all(file.stat().st_size <= 15e6 for file in (tmp_path / "shipped").glob("*.safetensors"))
    assert AutoTokenizer.from_pretrained(tmp_path / "shipped").get_vocab() == tokenizer.get_vocab()


def test_a_sample_is_the_same_for_the_same_number(tokenizer: PreTrainedTokenizerFast) -> None:
    edits = [edit(n) for n in range(5)]
    first = [next(iter(samples(tokenizer, edits, 1500, seed=3, start=start))) for start in (0, 0, 40)]
    assert first[0] == first[1]
    assert first[0] != first[2]


def test_a_sample_spells_the_file_after_the_edit(tokenizer: PreTrainedTokenizerFast) -> None:
    made = next(found for n in range(50) if (found := sample(tokenizer, edit(2), Random(n))) is not None)
    assert tokenizer.decode(made.output, skip_special_tokens=True) == edit(2).after
    assert BEFORE in tokenizer.decode(made.prompt, skip_special_tokens=True)


def test_folders_without_tokenizer_or_model_are_named(tmp_path: Path, tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(RedraftError, match=str(tmp_path)):
        open_tokenizer(tmp_path)
    with pytest.raises(RedraftError, match=str(tmp_path)):
        open_model(tmp_path, tokenizer, 0)
