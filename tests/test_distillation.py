"""Distillation: a cut is the layers that were kept, the loss is that of the mixture, a stop loses nothing."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional
from transformers import AutoModelForCausalLM

from command_line import done, refusal
from redraft.engines.folder import open_folder, read_json
from redraft.errors import RedraftError
from redraft.train import teacher as teaching
from redraft.train.cut import LAYERS_KEY, layers_of, write_cut
from redraft.train.distill import DistilledRun, softened
from redraft.train.packed import Sequenced, read_packed
from redraft.train.regions import RegionRun, asked
from redraft.train.run import ADAPTER, LOG, Course, Record
from redraft.train.teacher import Known, ask, check_vocabulary
from tiny_models import save

WORDS = ("red", "green", "blue")
COURSE = Course(tokens=1200, rank=4, rate=1e-2, batch=100, longest=100)
FAMILIES = ("llama", "qwen2")
SHAPE = {"tokens": 1200, "rank": 4, "rate": 1e-2, "batch": 100, "longest": 100, "every": 100, "validated": 2}


@pytest.fixture(params=FAMILIES)
def teacher(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return save(request.param, tmp_path / "teacher", layers=4)


@pytest.fixture
def packed(teacher: Path, tmp_path: Path) -> Path:
    """Twenty questions after a colour, and the colour; packed with the teacher's own tokens."""
    tokenizer = Tokenizer.from_file(str(teacher / "tokenizer.json"))
    texts = [(f"{number}: which colour is it? ", f"it is {WORDS[number % 3]}\n") for number in range(20)]
    ids = [(tokenizer.encode(asked).ids, tokenizer.encode(said).ids) for asked, said in texts]
    about = [{"id": f"one-{n}", "style": "tidy", "held": n % 5 == 0, "size": len(texts[n][1])} for n in range(20)]
    arrays = {
        "ids": [id_ for each in ids for part in each for id_ in part],
        "ends": list(accumulate(len(asked) + len(said) for asked, said in ids)),
        "starts": [len(asked) for asked, _ in ids],
    }
    file = tmp_path / "packed.safetensors"
    whole = {name: torch.tensor(values, dtype=torch.int32) for name, values in arrays.items()}
    save_file(whole, file, metadata={"about": json.dumps(about)})
    return file


@pytest.fixture
def student(teacher: Path, tmp_path: Path) -> Path:
    write_cut(open_folder(teacher), [0, 3], tmp_path / "student")
    return tmp_path / "student"


@pytest.mark.parametrize(("said", "layers"), [
    ("2", [0, 23]), ("4", [0, 8, 15, 23]), ("24", list(range(24))), ("0-2,22", [0, 1, 2, 22]), ("5,3,", None),
    ("0,24", None), ("1", None), ("25", None), ("runs/none", None), ("3-1", None),
])  # fmt: skip
def test_layers_are_named_by_number_or_one_by_one(said: str, layers: list[int] | None) -> None:
    if layers is not None:
        assert layers_of(said, 24) == layers
    else:
        with pytest.raises(RedraftError, match="layers"):
            layers_of(said, 24)


def test_a_cut_computes_what_its_layers_compute(teacher: Path, student: Path) -> None:
    whole, cut = (AutoModelForCausalLM.from_pretrained(each, dtype=torch.float32) for each in (teacher, student))
    assert cut.config.num_hidden_layers == 2
    with torch.no_grad():
        for parameter in whole.parameters():
            parameter.copy_(parameter.bfloat16().float())
    whole.model.layers = torch.nn.ModuleList([whole.model.layers[0], whole.model.layers[3]])
    whole.model.layers[1].self_attn.layer_idx = 1
    whole.config.num_hidden_layers = whole.model.config.num_hidden_layers = 2
    ids = torch.arange(30)[None]
    with torch.no_grad():
        assert torch.allclose(cut(ids, use_cache=False).logits, whole(ids, use_cache=False).logits, atol=1e-4)


def test_a_cut_that_is_there_stays_unless_it_is_another(teacher: Path, student: Path) -> None:
    before = (student / "model.safetensors").stat().st_mtime_ns
    write_cut(open_folder(teacher), [0, 3], student)
    assert (student / "model.safetensors").stat().st_mtime_ns == before
    with pytest.raises(RedraftError, match="other layers"):
        write_cut(open_folder(teacher), [0, 2], student)


def test_what_the_teacher_knows_is_what_transformers_says(teacher: Path, packed: Path, tmp_path: Path) -> None:
    samples = read_packed(packed)[:3]
    found = ask(teacher, packed, samples, 7, tmp_path / "logits")
    whole = AutoModelForCausalLM.from_pretrained(teacher, dtype=torch.bfloat16)
    size = Tokenizer.from_file(str(teacher / "tokenizer.json")).get_vocab_size()
    for one in samples:
        with torch.no_grad():
            logits = whole(torch.tensor([one.ids])).logits[0, one.start - 1 : -1].float()
        wanted = torch.log_softmax(logits[:, :size], -1)
        known = found[one.id]
        assert known.ids.shape == known.logs.shape == (len(one.ids) - one.start, 7)
        assert torch.allclose(known.logs.float(), wanted.gather(1, known.ids.long()), atol=0.05)
        assert torch.allclose(known.logs[:, 0].float(), wanted.max(-1).values, atol=0.05)


def test_the_teacher_is_asked_once_also_after_a_stop(
    teacher: Path, packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teaching, "_TOGETHER", 4)
    samples = read_packed(packed)[:10]
    once = ask(teacher, packed, samples, 5, tmp_path / "once")

    def stopping(missing: Sequence[Sequenced]) -> Iterator[Sequenced]:
        yield from missing[:6]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(teacher, packed, samples, 5, tmp_path / "twice", stopping)
    left: list[str] = []

    def counting(missing: Sequence[Sequenced]) -> Iterator[Sequenced]:
        for one in missing:
            left.append(one.id)
            yield one

    twice = ask(teacher, packed, samples, 5, tmp_path / "twice", counting)
    assert left == [one.id for one in samples[4:]]
    assert once.keys() == twice.keys()
    for id_, known in once.items():
        assert torch.equal(known.ids, twice[id_].ids)
        assert torch.equal(known.logs, twice[id_].logs)
    ask(teacher, packed, samples, 5, tmp_path / "twice", lambda missing: pytest.fail(f"asked again: {missing}"))
    with pytest.raises(RedraftError, match="another configuration \\(top\\)"):
        ask(teacher, packed, samples, 6, tmp_path / "twice")


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_the_loss_and_its_gradient_are_those_of_the_mixture(
    temperature: float, student: Path, packed: Path, tmp_path: Path
) -> None:
    run = DistilledRun(student, packed, COURSE, tmp_path / "run", weight=0.3, temperature=temperature)
    run.net.float()
    run.validate([])  # joins
    pack = run.training[:3]
    run.known = {one.id: guess(len(one.ids) - one.start, run.net.embedding.num_embeddings, 6) for one in pack}
    found, hits = run.losses(pack)
    found.sum().backward()  # type: ignore[no-untyped-call]
    gradients = [parameter.grad.clone() for parameter in run.parameters if parameter.grad is not None]
    run.optimizer.zero_grad()
    states, own = asked(run.net, pack)
    head = run.net.embedding if run.net.head is None else run.net.head
    logits = functional.linear(states, head.weight)
    soft = torch.zeros_like(logits)
    for row, (ids, logs) in enumerate(rows_of(run, pack)):
        soft[row, ids] = torch.softmax(logs / temperature, -1)
    text = functional.cross_entropy(logits, own, reduction="none")
    wanted = 0.7 * text + 0.3 * temperature**2 * functional.cross_entropy(logits / temperature, soft, reduction="none")
    assert torch.allclose(found, wanted, atol=1e-4)
    assert torch.equal(hits, logits.argmax(-1) == own)
    wanted.sum().backward()  # type: ignore[no-untyped-call]
    for parameter, gradient in zip(run.parameters, gradients, strict=True):
        assert parameter.grad is not None
        assert torch.allclose(parameter.grad, gradient, rtol=1e-3, atol=1e-4)


def guess(rows: int, vocabulary: int, top: int) -> Known:
    """A teacher's made up opinion."""
    ids = torch.stack([torch.randperm(vocabulary)[:top] for _ in range(rows)])
    return Known(ids.int(), torch.log_softmax(torch.randn(rows, top), -1).half())


def rows_of(run: DistilledRun, pack: Sequence[Sequenced]) -> Iterator[tuple[Tensor, Tensor]]:
    for one in pack:
        known = run.known[one.id]
        yield from zip(known.ids.long(), known.logs.float(), strict=True)


def test_a_temperature_makes_the_teacher_less_sure() -> None:
    known = [guess(2, 9, 3), guess(1, 9, 3)]
    sure, unsure = (softened(known, temperature)[1] for temperature in (1.0, 3.0))
    assert softened(known, 1.0)[0].shape == sure.shape == (3, 3)
    assert torch.allclose(sure.sum(1), torch.ones(3))
    assert (unsure.max(1).values < sure.max(1).values).all()
    assert torch.equal(unsure.argmax(1), sure.argmax(1))


def test_without_a_teacher_it_is_the_run_on_regions(student: Path, packed: Path, tmp_path: Path) -> None:
    plain = RegionRun(student, [packed], COURSE, tmp_path / "plain")
    plain.train(4, 5, lambda _: None)
    alone = DistilledRun(student, packed, COURSE, tmp_path / "alone", weight=0.0)
    alone.train(4, 5, lambda _: None)
    assert records(tmp_path / "plain") == records(tmp_path / "alone")


def test_the_command_goes_on_where_it_ended(
    teacher: Path, packed: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    once = distill(teacher, packed, tmp_path / "once", capfd)
    distill(teacher, packed, tmp_path / "twice", capfd, tokens=600)
    assert distill(teacher, packed, tmp_path / "twice", capfd) != ""
    assert "20 likeliest ids of each of" in once
    assert "MB in" in once
    # The rate falls over the whole course: the first half is another one, the samples are the same.
    drawn = [[each.get("samples") for each in records(tmp_path / name)] for name in ("once", "twice")]
    assert drawn[0] == drawn[1]
    assert read_json(tmp_path / "once" / "student" / "config.json")[LAYERS_KEY] == [0, 3]
    assert (tmp_path / "twice" / ADAPTER / "adapter_config.json").is_file()
    assert read_json(tmp_path / "once" / "settings.json")["weight"] == 0.5
    message = refusal(capfd, *arguments(teacher, packed, tmp_path / "once", weight=0.2))
    assert "another configuration (weight)" in message


def test_a_stopped_run_ends_as_one_that_was_not(student: Path, packed: Path, teacher: Path, tmp_path: Path) -> None:
    def made(out: str) -> DistilledRun:
        run = DistilledRun(student, packed, COURSE, tmp_path / out)
        run.known = ask(teacher, packed, run.ahead(), 5, tmp_path / "logits")
        return run

    made("once").train(4, 5, lambda _: None)
    stopped = made("twice")

    def stop(record: Record) -> None:
        if record["step"] == 5:
            stopped.save()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.train(4, 5, stop)
    made("twice").train(4, 5, lambda _: None)
    assert records(tmp_path / "once") == records(tmp_path / "twice")


def test_it_learns_what_the_teacher_says(teacher: Path, student: Path, packed: Path, tmp_path: Path) -> None:
    """With all of the loss the student comes near the teacher, whatever the texts say."""
    course = replace(COURSE, tokens=6000)
    run = DistilledRun(student, packed, course, tmp_path / "run", weight=1.0)
    run.known = ask(teacher, packed, run.ahead(), 20, tmp_path / "logits")
    run.validate([])  # joins
    before = [float(run.losses([one])[0].detach().mean()) for one in run.training]
    run.train(0, 100, lambda _: None)
    after = [float(run.losses([one])[0].detach().mean()) for one in run.training]
    assert sum(after) < 0.95 * sum(before)


def test_what_is_drawn_is_known_ahead(student: Path, packed: Path, tmp_path: Path) -> None:
    run = DistilledRun(student, packed, COURSE, tmp_path / "run", weight=0.0)
    ahead = [one.id for one in run.ahead()]
    short = [one.id for one in DistilledRun(student, packed, replace(COURSE, tokens=100), tmp_path, weight=0.0).ahead()]
    met: list[str] = []
    learn = run.learn
    run.learn = lambda batch: met.extend(one.id for one in batch) or learn(batch)  # type: ignore[method-assign, func-returns-value]
    run.train(0, 100, lambda _: None)
    assert met[: len(ahead)] == ahead
    assert set(met) == set(ahead) == {one.id for one in run.training}
    assert short == met[: len(short)]
    assert len(short) < len(ahead)


def test_teacher_and_student_speak_the_same_tokens(teacher: Path, student: Path) -> None:
    check_vocabulary(teacher, student)
    told = json.loads((student / "tokenizer.json").read_text())
    told["added_tokens"] = told["added_tokens"][:-1]
    told["model"]["vocab"] = {name.replace("ab", "ba"): id_ for name, id_ in told["model"]["vocab"].items()}
    told["model"]["merges"] = []
    (student / "tokenizer.json").write_text(json.dumps(told))
    with pytest.raises(RedraftError, match="different vocabularies"):
        check_vocabulary(teacher, student)


def test_another_family_is_refused(tmp_path: Path, packed: Path) -> None:
    other = save("qwen3", tmp_path / "qwen3")
    with pytest.raises(RedraftError, match="not a plain Llama or Qwen2 model"):
        DistilledRun(other, packed, COURSE, tmp_path / "run")


def distill(teacher: Path, packed: Path, out: Path, capfd: pytest.CaptureFixture[str], **more: object) -> str:
    return done(capfd, *arguments(teacher, packed, out, **more))[1]


def arguments(teacher: Path, packed: Path, out: Path, **more: object) -> list[object]:
    options = {"teacher": teacher, "student": "0,3", "out": out, **SHAPE, **more}
    return ["train", "distill", packed, *(each for name, value in options.items() for each in (f"--{name}", value))]


def records(out: Path) -> list[dict[str, object]]:
    """The log without what the clock says."""
    lines = [json.loads(line) for line in (out / LOG).read_text().splitlines()]
    return [{name: value for name, value in line.items() if "second" not in name} for line in lines]
