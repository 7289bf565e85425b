"""What is measured: a record for each case, also for one that fails; tables and figures that the records give."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from bench_records import ENVIRONMENT, LONG, RECORD, SHORT, SUMMARY, edit
from command_line import done, refusal
from git_repository import program
from redraft.cli import run
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.request import Request
from redraft.engines import GREEDY, Chunk, Sampling, Tokenizing
from redraft.engines.scripted import Scripted
from redraft.engines.spec import load_engine
from redraft.measure.cases import Case, read_cases
from redraft.measure.report.speed import summary
from redraft.measure.speed.bench import Bench, Recorder
from redraft.measure.speed.forwards import count_forwards
from redraft.measure.speed.record import Difference, read_records
from tiny_models import save


def write(name: str, *rows: Mapping[str, Any]) -> None:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two cases; the engine `scripted:short` writes what the first one expects."""
    monkeypatch.chdir(tmp_path)
    write("cases.jsonl", SHORT, LONG)
    Path("short").write_text(SHORT["expected"])
    return tmp_path


RUN = ("bench", "run", "--cases", "cases.jsonl", "--out", "records.jsonl", "--engine", "scripted:short")


def test_each_case_has_a_record(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN)
    short, long = read_records(Path("records.jsonl"))
    assert [(r.id, r.language, r.style, r.lines, r.bucket) for r in (short, long)] == [
        ("short", "python", "hunks", 30, "up to 100"),
        ("long", "python", "", 150, "100-400"),
    ]
    assert [(r.exact, r.equal_but_whitespace, r.merge_exact) for r in (short, long)] == [
        (True,) * 3,
        (False, False, True),
    ]
    assert (short.status, short.forwards, short.accepted) == ("applied", 1, short.completion_tokens - 1)
    for record in (short, long):
        assert record.accepted_per_forward == record.accepted / record.forwards
        assert record.speed_up == record.vanilla_seconds / record.seconds
        assert (record.equal_to_vanilla, record.difference, record.limit_ratio) == (True, None, None)
        assert (record.environment.engine, record.environment.dtype) == ("scripted:short", None)
        assert set(record.environment.versions) == {"redraft", "torch", "transformers", "python"}
    assert short.chars_per_second == pytest.approx(len(SHORT["expected"]) / short.seconds)


def test_a_run_ends_with_a_table_and_one_line_of_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    *shown, last = done(capfd, *RUN)[0].splitlines()
    figures = json.loads(last)
    assert list(figures) == SUMMARY
    assert (figures["n"], figures["dtype"], figures["equal_to_vanilla"]) == (2, None, 2)
    assert figures == summary(read_records(Path("records.jsonl")))
    assert done(capfd, "bench", "table", "records.jsonl")[0].split("\n\n")[0].splitlines() == shown


def test_without_vanilla_nothing_is_compared_with_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown, last = done(capfd, *RUN, "--no-vanilla")[0].splitlines()[-2:]
    for record in read_records(Path("records.jsonl")):
        assert (record.vanilla_seconds, record.speed_up, record.equal_to_vanilla) == (None, None, None)
    assert (json.loads(last)["speed_up_median"], json.loads(last)["equal_to_vanilla"]) == (None, None)
    exact, _, _, same, _, _, _, _, speed_up = shown.split(" | ")[3:12]
    assert (exact, same, speed_up) == ("1 (50.0%)", "-", "-")


def test_a_run_goes_on_where_it_ended(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN, "--limit", 1)
    (first,) = Path("records.jsonl").read_text().splitlines()
    whole = done(capfd, *RUN)[0]
    assert Path("records.jsonl").read_text().startswith(first + "\n")
    assert [record.id for record in read_records(Path("records.jsonl"))] == ["short", "long"]
    written = Path("records.jsonl").read_bytes()
    assert done(capfd, *RUN, "--engine", "scripted:not-needed-any-more")[0] == whole
    assert Path("records.jsonl").read_bytes() == written


def test_records_of_two_engines_do_not_mix(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN, "--limit", 1)
    written = Path("records.jsonl").read_bytes()
    Path("other").write_text("x\n")
    err = refusal(capfd, *RUN, "--engine", "scripted:other")
    assert "records.jsonl holds records of scripted:short in None, not of scripted:other" in err
    assert Path("records.jsonl").read_bytes() == written


def test_a_case_that_fails_is_a_record(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write("cases.jsonl", SHORT | {"id": "bad", "update": ""}, SHORT)
    *_, everything, last = done(capfd, *RUN)[0].splitlines()
    bad, good = read_records(Path("records.jsonl"))
    assert (bad.id, bad.status, bad.exact, bad.speed_up) == ("bad", "error", False, None)
    assert "nothing to do" in bad.message
    assert good.status == "applied"
    assert (json.loads(last)["n"], json.loads(last)["speed_up_median"]) == (2, good.speed_up)
    assert everything.startswith("| all | 2 | 1 | 1 (50.0%) |")


def test_an_output_that_ends_early_is_measured_as_it_is(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *RUN, "--max-tokens", 5, "--limit", 1)
    (record,) = read_records(Path("records.jsonl"))
    assert (record.status, record.completion_tokens, record.exact) == ("truncated", 5, False)


def test_a_model_is_measured_beside_its_limit(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    engine = f"hf:{save('llama', folder / 'model')}"
    write("cases.jsonl", edit(9, 4))
    done(capfd, *RUN, "--engine", engine, "--dtype", "float32", "--max-tokens", 8)
    (record,) = read_records(Path("records.jsonl"))
    assert record.completion_tokens == 8
    assert record.limit_ratio == record.seconds / record.limit_seconds
    assert record.limit_seconds > 0
    assert record.equal_to_vanilla is True
    assert (record.environment.engine, record.environment.dtype) == (engine, "float32")
    assert record.environment.threads >= 1
    assert (record.environment.cases, record.environment.max_tokens, record.environment.window) == (1, 8, None)
    assert record.order == ("drafts", "vanilla")
    assert (sum(drafted for drafted, _ in record.steps), sum(taken for _, taken in record.steps)) == (
        record.drafted,
        record.accepted,
    )
    assert len(record.steps) == record.forwards
    spent = list(asdict(record.phases).values())
    assert min(spent) >= 0
    assert sum(spent) == pytest.approx(record.seconds)
    assert min(record.phases.tokenize, record.phases.prompt, record.phases.detokenize) > 0
    assert record.peak_memory > 100
    assert summary([record])["dtype"] == "float32"


def test_a_measured_engine_tells_its_tokens_as_before(tmp_path: Path) -> None:
    """Without them no model that writes regions could be measured."""
    engine = load_engine(f"hf:{save('llama', tmp_path / 'model')}", "float32")
    recorder = Recorder(engine)
    assert isinstance(recorder, Tokenizing)
    assert recorder.decode(recorder.encode("def area(w):")) == "def area(w):"


BAD_CASES = {
    "cannot read gone.jsonl": None,
    "bad.jsonl holds no cases": "\n",
    "bad.jsonl:2: not JSON": json.dumps(SHORT) + "\n{\n",
    "bad.jsonl:1: not a JSON object": "[]\n",
    "bad.jsonl:1: `expected` is missing": json.dumps(SHORT | {"expected": None}),
    "bad.jsonl:1: `original` is missing": '{"expected": ""}',
    "bad.jsonl:1: `update` is not a string": json.dumps(SHORT | {"update": 5}),
    "bad.jsonl: the id short is there more than once": 2 * (json.dumps(SHORT) + "\n"),
}


@pytest.mark.parametrize("command", [("run", "--out", "records.jsonl", "--engine", "scripted:short"), ("forwards",)])
def test_bad_cases_are_refused_in_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    for message, text in BAD_CASES.items():
        Path("bad.jsonl").write_text(text or "")
        source = "gone.jsonl" if text is None else "bad.jsonl"
        assert message in refusal(capfd, "bench", *command, "--cases", source)
    assert not Path("records.jsonl").exists()


def test_a_case_without_an_id_has_the_number_of_its_line(folder: Path) -> None:
    write("cases.jsonl", SHORT, LONG | {"id": None}, edit(20, 5), LONG | {"id": 0})
    assert [case.id for case in read_cases(Path("cases.jsonl"))] == ["short", "2", "3", "0"]


def test_bad_records_are_refused_in_one_line(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good = json.dumps(asdict(RECORD))
    for text in ("{", "[]", "{}", json.dumps({**asdict(RECORD), "environment": None}), good[:-1] + ', "new": 1}'):
        Path("records.jsonl").write_text(f"{good}\n{text}")
        for command in (RUN, ("bench", "table", "records.jsonl")):
            assert "records.jsonl:2: not a record of `bench run`" in refusal(capfd, *command)
        assert Path("records.jsonl").read_text() == f"{good}\n{text}"
    assert "cannot read gone.jsonl" in refusal(capfd, "bench", "table", "gone.jsonl")
    assert "cannot write no/r.jsonl" in refusal(capfd, *RUN, "--out", "no/r.jsonl")


def test_a_record_is_read_as_it_was_written(folder: Path) -> None:
    records = [RECORD, replace(RECORD, id="b", difference=Difference(3, None, 0.5), equal_to_vanilla=False)]
    write("records.jsonl", *map(asdict, records))
    assert read_records(Path("records.jsonl")) == records


def test_forwards_are_counted_without_a_model(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = done(capfd, "bench", "forwards", "--cases", "cases.jsonl", "--at-most", 0)[0]
    assert out.splitlines() == [
        "forwards, edits",
        "   0     2  ##",
        '{"n": 2, "forwards_mean": 0, "forwards_median": 0.0}',
    ]


def test_forwards_are_bounded_by_request(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    counts = [count_forwards(case, merged=False) for case in read_cases(Path("cases.jsonl"))]
    assert min(counts) > 0
    unmerged = ("bench", "forwards", "--cases", "cases.jsonl", "--no-merged")
    *_, last = done(capfd, *unmerged, "--at-most", max(counts))[0].splitlines()
    assert json.loads(last)["forwards_mean"] == sum(counts) / 2
    assert run([*unmerged, "--at-most", "0.5"]) == 1
    err = capfd.readouterr().err
    assert err == f"redraft: {sum(counts) / 2:.2f} forwards an edit beyond the prompt's, more than 0.5\n"


def test_forwards_need_no_sketch(folder: Path) -> None:
    case = Case("x", Request(program(30), instruction="do it"), program(30, 4), "python", "")
    assert count_forwards(case) == count_forwards(case, merged=False) > 0


@dataclass(frozen=True)
class Fickle:
    """An engine that answers one text with drafts and another without."""

    drafted: str
    vanilla: str
    template: str = "chat"

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        return Scripted(self.drafted if sampling.speculate else self.vanilla).generate(prompt, sampling)


@pytest.mark.parametrize(
    ("drafted", "vanilla", "difference"),
    [
        ("a b c", "a b c", None),
        ("a b c", "a x c", Difference(2, 1.0, 1.0)),
        ("a b", "a b c", Difference(3, 1.0, 1.0)),
        ("", "a", Difference(0, 1.0, 1.0)),
    ],
)
@pytest.mark.parametrize("vanilla_first", [True, False])
def test_the_first_difference_to_vanilla_is_kept(
    drafted: str, vanilla: str, difference: Difference | None, vanilla_first: bool
) -> None:
    case = Case("x", Request("a b c", "a b d"), "a b d", "", "")
    record = Bench(Fickle(drafted, vanilla), ENVIRONMENT).measure(case, vanilla_first).record
    assert record.difference == difference
    assert record.equal_to_vanilla == (difference is None)
