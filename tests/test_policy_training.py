"""Training on lists: what a text is worth is what the engine finds, the gradient is that of the expected reward."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer

from redraft.choosing import listed
from redraft.cli.regions import own_texts
from redraft.data.list_samples import REFUSED, RIGHT, WRONG, ListSample, Settled, list_sample, veto_sample
from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Request
from redraft.engines.decoder import DecoderModel
from redraft.engines.folder import open_folder
from redraft.engines.rank import log_probabilities
from redraft.engines.tokens import read_tokens
from redraft.errors import RedraftError
from redraft.measure.sets.answers import AnswerTask
from redraft.reading import merged
from redraft.train.lists import Choices, read_lists, write_lists
from redraft.train.packed import is_held
from redraft.train.policy import LOSSES, PolicyRun, expected_reward, outcome, pairs, unwritten, values_of
from redraft.train.run import ADAPTER, LOG, Course, Record
from tiny_models import save, tokenizer

WORDS = ("red", "green", "blue", "none")
COURSE = Course(tokens=4000, rank=4, rate=1e-2, batch=200, longest=400)
FILE = "".join(f"def {name}(rows):\n    log(rows)\n    return rows\n\n\n" for name in ("first", "second"))
DOUBT = "# ...\n    log(rows)\n    check(rows)\n    return rows\n# ...\n"


def sample(number: int) -> ListSample:
    """Of three colours the one that the prompt asks for is right; of another prompt none is."""
    is_known = number % 4 < 3
    wanted = WORDS[number % 4] if is_known else "grey"
    rewards = [RIGHT if word == wanted else WRONG for word in WORDS[:3]]
    outputs = tuple((Part(f"the colour is {word} here\n"),) for word in WORDS)
    prompt = (Part(f"{number}: which colour is {wanted}?\n"),)
    return ListSample(f"one-{number}", f"own/cases{number}", "tidy", prompt, outputs, (*rewards, REFUSED))


@pytest.fixture
def qwen(tmp_path: Path) -> Path:
    folder = save("qwen2", tmp_path / "qwen")
    Tokenizer.from_str(tokenizer().to_str()).save(str(folder / "tokenizer.json"))
    return folder


@pytest.fixture
def lists(qwen: Path, tmp_path: Path) -> Path:
    write_lists(map(sample, range(24)), read_tokens(qwen / "tokenizer.json"), 400, tmp_path / "lists.safetensors")
    return tmp_path / "lists.safetensors"


def test_what_is_packed_is_read_again(lists: Path, qwen: Path) -> None:
    tokens, found = read_tokens(qwen / "tokenizer.json"), read_lists(lists)
    for number, one in enumerate(found):
        made = sample(number)
        assert (one.id, one.held, tuple(one.rewards)) == (made.id, is_held(made.repository), made.rewards)
        prompt = tokens.encode(made.prompt)
        assert list(one.trunk[: len(prompt)]) == prompt
        for branch, output in zip(one.branches, made.outputs, strict=True):
            whole = [*prompt, *tokens.encode(output)]
            assert [*one.trunk, *branch] == whole[: len(one.trunk) + len(branch)]
    with pytest.raises(RedraftError, match="cannot read"):
        read_lists(qwen / "config.json")


def test_a_list_that_is_too_long_is_left_out(qwen: Path, tmp_path: Path) -> None:
    counts = write_lists([sample(0)], read_tokens(qwen / "tokenizer.json"), 8, tmp_path / "none.safetensors")
    assert counts["too_long"] == 1
    assert read_lists(tmp_path / "none.safetensors") == []


def test_texts_are_worth_to_the_network_what_they_are_to_the_engine(lists: Path, qwen: Path, tmp_path: Path) -> None:
    run = PolicyRun(qwen, [lists], COURSE, tmp_path / "run")
    run.net.float()
    run.validate([])  # joins
    model = DecoderModel(open_folder(qwen), torch.float32, torch.device("cpu"))
    for one in read_lists(lists)[:6]:
        wanted = log_probabilities(model, one.trunk, one.branches)
        assert values_of(run.net, one).tolist() == pytest.approx(wanted, rel=2e-3)


def test_the_gradient_is_that_of_the_expected_reward() -> None:
    values = torch.tensor([-1.0, -3.0, -2.0, -9.0], dtype=torch.float64, requires_grad=True)
    rewards = torch.tensor([WRONG, RIGHT, WRONG, REFUSED], dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda each: expected_reward(each, rewards), (values,))
    expected_reward(values, rewards).backward()  # type: ignore[no-untyped-call]
    assert values.grad is not None
    # To choose what is right more often earns more, to choose what is wrong less.
    assert (values.grad.sign()[:3] == torch.tensor([1, -1, 1])).all()
    assert float(values.grad.sum()) == pytest.approx(0.0)


def test_pairs_are_learned_until_the_better_text_is_likelier() -> None:
    rewards = torch.tensor([WRONG, RIGHT, REFUSED])
    assert pairs(torch.tensor([0.0, -9.0, -9.0]), rewards) > pairs(torch.tensor([-9.0, 0.0, -5.0]), rewards)
    assert float(pairs(torch.tensor([1.0, 2.0]), torch.tensor([WRONG, WRONG]))) == 0.0


def test_what_is_unwritten_is_the_likeliest_right_text() -> None:
    values = torch.tensor([-1.0, -3.0, -2.0], requires_grad=True)
    assert unwritten(values, torch.tensor([WRONG, RIGHT, RIGHT])).item() == 2.0
    none = unwritten(values, torch.tensor([WRONG, WRONG, REFUSED]))
    none.backward()  # type: ignore[no-untyped-call]
    assert none.item() == 0.0
    assert values.grad is not None
    assert not values.grad.any()


def test_a_run_that_writes_too_makes_right_texts_likelier(lists: Path, qwen: Path, tmp_path: Path) -> None:
    nats = []
    for writing in (0.0, 1.0):
        run = PolicyRun(qwen, [lists], COURSE, tmp_path / f"{writing}", None, "reward", writing)
        run.train(4, 100, lambda _: None)
        nats.append(run.validate(run.training)["held_nats"])
    assert nats[1] < nats[0]


def test_outcomes() -> None:
    rewards = torch.tensor([WRONG, RIGHT, REFUSED])
    assert [outcome(-10.0 * torch.eye(3)[n] + 0.0, rewards) for n in (1, 0)] == ["wrong", "right"]
    assert outcome(torch.tensor([-2.0, -2.0, -1.0]), rewards) == "kept"
    assert outcome(torch.tensor([-2.0, -1.0]), torch.tensor([WRONG, RIGHT])) == "right"


@pytest.mark.parametrize("loss", LOSSES)
def test_a_run_learns_what_is_right_and_when_to_refuse(loss: str, lists: Path, qwen: Path, tmp_path: Path) -> None:
    run = PolicyRun(qwen, [lists], COURSE, tmp_path / loss, None, loss)
    before = run.validate(run.training)
    run.train(4, 100, lambda _: None)
    after = run.validate(run.training)
    assert after["held_reward"] > before["held_reward"]
    assert after["held_loss"] < before["held_loss"]
    log = [json.loads(line) for line in (tmp_path / loss / LOG).read_text().splitlines()]
    assert log[-1]["held"] == min(4, len(run.held))
    # What it wrote is where another run begins.
    other = PolicyRun(qwen, [lists], COURSE, tmp_path / "other", tmp_path / loss / ADAPTER, loss)
    assert other.validate(run.training)["held_loss"] == pytest.approx(after["held_loss"], abs=0.02)


def test_a_run_on_several_files_goes_on_where_it_ended(lists: Path, qwen: Path, tmp_path: Path) -> None:
    write_lists(map(sample, range(24, 36)), read_tokens(qwen / "tokenizer.json"), 400, tmp_path / "more.safetensors")
    logs = []
    for name, stops in (("once", []), ("twice", [3])):
        for stop in (*stops, None):
            run = PolicyRun(qwen, [lists, tmp_path / "more.safetensors"], COURSE, tmp_path / name)
            assert len(run.training) + len(run.held) == 36

            def say(record: Record, run: PolicyRun = run, stop: int | None = stop) -> None:
                if record["step"] == stop:
                    run.save()
                    raise KeyboardInterrupt

            with suppress(KeyboardInterrupt):
                run.train(4, 100, say)
        lines = (tmp_path / name / LOG).read_text().splitlines()
        logs.append([(each["step"], each.get("loss")) for each in map(json.loads, lines)])
    assert logs[0] == logs[1]
    assert len(logs[0]) > 4


def test_an_adapter_of_another_rank_is_said_to_be_one(lists: Path, qwen: Path, tmp_path: Path) -> None:
    run = PolicyRun(qwen, [lists], COURSE, tmp_path / "run")
    run.out.mkdir()
    run.save()
    with pytest.raises(RedraftError, match="another rank or base"):
        PolicyRun(qwen, [lists], replace(COURSE, rank=2), tmp_path / "other", tmp_path / "run" / ADAPTER)


def told(update: str, expected: str) -> AnswerTask:
    return AnswerTask(
        id="one", path="a.py", original=FILE, update=update, instruction="", expected=expected, accepted=[],
        as_data=False, language="python", style="tidy", manner="", tidy=True, abilities=[],
    )  # fmt: skip


def test_a_list_holds_what_the_readers_list_and_the_file() -> None:
    request = Request(FILE, DOUBT, "", "a.py")
    wanted = listed(request)[1]
    found = list_sample("own/one", told(DOUBT, wanted), wanted.__eq__)
    assert isinstance(found, ListSample)
    assert found.rewards == (*(RIGHT if text == wanted else WRONG for text in listed(request)), REFUSED)
    assert len(found.outputs) == len(set(found.outputs)) == len(found.rewards)
    block = "<<<<<<< SEARCH\ndef second(rows):\n=======\ndef last(rows):\n>>>>>>> REPLACE\n"
    sure = told(block, FILE.replace("second", "last"))
    assert list_sample("own/one", sure, wanted.__eq__) == Settled("one", "tidy")
    assert veto_sample("own/one", sure, wanted.__eq__) == Settled("one", "tidy")
    assert veto_sample("own/one", told(DOUBT, wanted), wanted.__eq__) == Settled("one", "tidy")


def test_a_text_of_a_models_own_joins_a_list() -> None:
    own = FILE.replace("first", "none")
    found = list_sample("own/one", told(DOUBT, own), own.__eq__, lambda _: (own, FILE))
    assert isinstance(found, ListSample)
    texts = listed(Request(FILE, DOUBT, "", "a.py"))
    assert found.rewards == (RIGHT, *(WRONG for _ in texts), REFUSED)
    assert len(set(found.outputs)) == len(found.outputs)


def test_what_an_engine_writes_joins_and_nothing_without_one(tmp_path: Path) -> None:
    (tmp_path / "said").write_text(own := FILE.replace("first", "none"))
    request = Request(FILE, DOUBT, "", "a.py")
    assert own_texts(f"scripted:{tmp_path / 'said'}")(request) == (own,)
    assert own_texts(None)(request) == ()


def test_a_list_to_confirm_has_what_the_reader_writes_first() -> None:
    update = "Log the second ones, too:\n\n```python\ndef second(rows):\n    log(rows, 2)\n    return rows\n```\n"
    request = Request(FILE, update, "", "a.py")
    output = merged(request).output
    assert output
    assert merged(request).status == "applied"
    found = veto_sample("own/one", told(update, FILE), FILE.__eq__)
    assert isinstance(found, ListSample)
    assert found.rewards[0] == WRONG
    assert found.rewards[-1] == RIGHT


def isolated(choices: Choices, number: int) -> Choices:
    return replace(choices, branches=[choices.branches[number]], rewards=[choices.rewards[number]])


def test_a_branch_sees_nothing_of_the_others(lists: Path, qwen: Path, tmp_path: Path) -> None:
    run = PolicyRun(qwen, [lists], COURSE, tmp_path / "run")
    run.net.float()
    one = read_lists(lists)[0]
    together = values_of(run.net, one).tolist()
    alone = [values_of(run.net, isolated(one, number)).item() for number in range(len(one.branches))]
    assert together == pytest.approx(alone, abs=1e-4)
