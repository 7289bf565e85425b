"""Systems on cases, graded; how sure each ground is."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import done, refusal
from redraft.edit.request import Request
from redraft.measure.accuracy.grade import Grade, grade
from redraft.measure.accuracy.outcome import read_outcomes
from redraft.measure.accuracy.share import Share
from redraft.measure.accuracy.systems import read_systems

FILE = "".join(f"import m{n}\n" for n in range(3)) + "".join(
    f"\n\ndef step_{n}(value):\n    total = load(value, {n})\n    return total\n" for n in range(9)
)
UPDATE = "# ...\ndef step_4(value):\n    total = load(value, 44)\n    return total\n# ...\n"
EXPECTED = FILE.replace("(value, 4)", "(value, 44)")


def case(name: str, **changes: str) -> str:
    fields = {"id": name, "path": "a.py", "original": FILE, "update": UPDATE, "expected": EXPECTED, "style": "hunks"}
    return json.dumps(fields | changes) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lost = "# ...\nnowhere = 1\nto_be_found()\n# ...\n"
    wrong = EXPECTED.replace("import m0\n", "")
    Path("cases.jsonl").write_text(case("one") + case("two", update=lost) + case("three", expected=wrong))
    Path("target").write_text(EXPECTED)
    return tmp_path


SYSTEMS = ("--systems", "merge,scripted:target,scripted:target+model")
EVALUATE = ("eval", "run", "--cases", "cases.jsonl", "--out", "out.jsonl", *SYSTEMS)


TIMELESS = {"seconds": 0, "chars_per_second": 0}


def timeless(name: str) -> list[dict[str, Any]]:
    """The records that are whole, but for their times; none without the file."""
    lines = Path(name).read_text().split("\n")[:-1] if Path(name).exists() else []
    return [json.loads(line) | TIMELESS for line in lines]


def evaluate(capfd: pytest.CaptureFixture[str], *options: object) -> str:
    return done(capfd, *EVALUATE, *options)[0]


def test_systems_are_compared_on_all_cases(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = evaluate(capfd)
    found = {(o.id, o.system): o for o in read_outcomes(Path("out.jsonl"))}
    assert len(found) == 9
    assert {o.decided_by for (name, system), o in found.items() if system == "scripted:target+model"} == {"model"}
    one, two, three = (found[name, "scripted:target"] for name in ("one", "two", "three"))
    assert (one.exact, one.status, one.decided_by, one.output) == (True, "applied", "merge", None)
    assert (one.candidates, one.oracle, one.margin, one.features["missing"]) == (1, True, None, 0)
    assert (two.exact, two.status, two.silent_error) == (False, "needs_context", False)
    assert (three.exact, three.status, three.silent_error, three.output) == (False, "applied", True, EXPECTED)
    (row,) = (line for line in table.splitlines() if line.startswith("| scripted:target |"))
    edits, exact, _, trees, silent, refused = row.strip("| ").split(" | ")[1:7]
    assert (edits, exact[:6], trees, silent, refused) == ("3", "33.3% ", *["1 (33.3%)"] * 3)


def test_a_run_that_was_stopped_goes_on_and_ends_the_same(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    evaluate(capfd)
    whole = Path("out.jsonl").read_text().splitlines()
    Path("out.jsonl").write_text("".join(line + "\n" for line in whole[:4]))
    evaluate(capfd)
    assert timeless("out.jsonl") == [json.loads(line) | TIMELESS for line in whole]


def test_a_run_that_is_killed_goes_on_and_ends_the_same(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("eval", "run", "--set", "natural", "--systems", "merge", "--sample", "30", "--out")
    done(capfd, *asked, "whole.jsonl")
    command = [sys.executable, "-c", "from redraft.__main__ import main; main()", *asked, "out.jsonl"]
    for lines in (1, 9, 20):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
            while len(timeless("out.jsonl")) < lines and running.poll() is None:
                time.sleep(0.005)
            running.kill()
        assert lines <= len(timeless("out.jsonl")) < 30
    os.truncate("out.jsonl", Path("out.jsonl").stat().st_size - 7)
    done(capfd, *asked, "out.jsonl")
    assert timeless("out.jsonl") == timeless("whole.jsonl")


def test_bad_input_is_named(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("eval", "run", "--cases", "cases.jsonl", "--out", "out.jsonl", "--systems")
    assert "unknown system 'merge+fast'" in refusal(capfd, *asked, "merge+fast")
    assert "cannot read target+vanila" in refusal(capfd, *asked, "scripted:target+vanila")
    assert "unknown engine 'merge'" in refusal(capfd, *asked, "merge+model")
    assert "no price: 'x=1'" in refusal(capfd, *asked, "merge", "--price", "x=1")
    assert "no systems are named" in refusal(capfd, *asked, " , ")


def test_records_that_cannot_be_read_are_named_and_run_again(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    evaluate(capfd)
    whole = Path("out.jsonl").read_text()
    first, _, *rest = whole.splitlines(keepends=True)
    Path("out.jsonl").write_text(first + '{"id": "one"}\n' + "".join(rest)[:-20])
    _, err = done(capfd, *EVALUATE)
    assert "out.jsonl: the last record was cut off" in err
    assert "left out: out.jsonl:2: not a record of `eval run`" in err
    found = read_outcomes(Path("out.jsonl"), [])
    every = [json.loads(line) for line in whole.splitlines()]
    assert {(o.id, o.system) for o in found} == {(row["id"], row["system"]) for row in every}
    assert len(found) == 9


def test_grades() -> None:
    def graded(output: str | None, expected: str, path: str = "a.py", original: str = "") -> Grade:
        return grade(original, output, expected, path)

    assert graded("a = 1\n", "a = 1\n") == Grade(True, True, True, 0)
    assert graded("a  = 1\n", "a = 1\n") == Grade(False, True, True, 0)
    assert graded("a = 1\n\n\n", "a = 1\n") == Grade(False, True, True, 0)
    assert graded("if a:\n    b\n    c\n", "if a:\n    b\nc\n") == Grade(False, True, False, 0)
    assert graded("a = 2\n", "a = 1\n") == Grade(False, False, False, 0)
    assert graded("a  b\n", "a b\n", "a.txt") == Grade(False, True, False, 0)
    assert graded("a b \n\n", "a b\n", "a.txt") == Grade(False, True, True, 0)
    assert graded(None, "a\n") == Grade(False, False, False, None)


def test_lines_that_should_have_stayed_are_counted() -> None:
    for output, count in (("aBcd", 0), ("abd", 1), ("ABCd", 2), ("x", 3), ("aBcde", 0)):
        original, changed, expected = ("".join(f"{line}\n" for line in text) for text in ("abcd", output, "aBcd"))
        assert grade(original, changed, expected, "a.txt").violations == count


def test_intervals_hold_the_share() -> None:
    for right_ones, count in ((0, 5), (5, 5), (499, 500), (1, 3)):
        low, high = Share(right_ones, count).interval
        assert 0 <= low <= right_ones / count <= high <= 1
    assert Share(0, 0).interval == (0, 1)
    assert Share(498, 500).interval == pytest.approx((0.9855, 0.9989), abs=1e-3)


def test_systems_on_one_engine_ask_it_once(folder: Path) -> None:
    model, full, slow = read_systems("scripted:target+model,scripted:target+full,scripted:target+vanilla")
    first, second, third = (system.answer(Request(FILE, UPDATE, path="a.py")) for system in (model, full, slow))
    assert first.forwards == second.forwards < third.forwards
    assert model.engine is full.engine is not None
    assert model.engine.saved > 0
