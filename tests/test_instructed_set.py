"""Instructed tasks: what is no answer fails each, the right file passes each; runs, records, tables."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import done
from redraft.apply import Redraft
from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.template import find_template
from redraft.edit.text.selection import Selection
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError
from redraft.measure.accuracy.checks import passes
from redraft.measure.accuracy.grade import best_grade
from redraft.measure.accuracy.outcome import read_outcomes
from redraft.measure.accuracy.systems import System, read_systems
from redraft.measure.cases import Case, Checks, case_of
from redraft.measure.sets.named import INSTRUCTED, read_set

CASES = read_set(INSTRUCTED).cases
EACH = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
COMMENTS = {"python": "# {}", "ruby": "# {}", "bash": "# {}", "yaml": "# {}", "sql": "-- {}"}


TASK = {"original": "a = 1\nb = 2\n", "expected": "a = 1\nb = 3\n", "instruction": "make it 3", "path": "a.py"}


def is_right(case: Case, text: str) -> bool:
    return best_grade(case, text).equal_as_trees


def place(case: Case) -> Selection:
    """The lines that may change; the whole file where all may."""
    within = case.lines or (case.checks.within if case.checks else None)
    return Selection.of(case.request.original, *within or (1, case.request.original.count("\n")))


def new_lines(case: Case, text: str) -> str:
    found = place(case)
    return text.removeprefix(found.before).removesuffix(found.after)


def no_answers(case: Case) -> Iterator[str]:
    """The file as it was, with its instruction as a comment, without the lines, with the comment in their place."""
    found = place(case)
    comment = COMMENTS.get(case.language, "/* {} */").format(case.request.instruction) + "\n"
    for new in (found.selected, comment + found.selected, found.selected + comment, "", comment):
        yield found.before + new + found.after
    yield "".join(sorted(case.expected.splitlines(keepends=True)))


def with_a_line_less(case: Case) -> Iterator[str]:
    """The right file without one of the lines that may change, for each that says something."""
    before, lines = place(case).before, new_lines(case, case.expected).splitlines(keepends=True)
    for number, line in enumerate(lines):
        if sum(map(str.isalnum, line)) >= 3:
            yield before + "".join(lines[:number] + lines[number + 1 :]) + place(case).after


def test_the_set_is_what_the_page_says() -> None:
    counts = Counter(case.language for case in CASES)
    assert (len(CASES), len(counts)) == (60, 15)
    assert min(counts.values()) >= 3
    assert sum(case.lines is not None for case in CASES) == 32
    for case in CASES:
        assert case.abilities == (("selected lines" if case.lines else "the whole file"),)
        assert 15 <= case.request.original.count("\n") <= 80
        assert case.request.instruction


@EACH
def test_the_right_file_passes_and_what_is_no_answer_fails(case: Case) -> None:
    original = case.request.original
    assert case.checks is None or passes(case.checks, original, case.expected)
    assert all(is_right(case, text) for text in (case.expected, *case.accepted))
    assert not [text for text in no_answers(case) if is_right(case, text)]


@pytest.mark.parametrize("case", [case for case in CASES if case.language != "python"], ids=lambda case: case.id)
def test_no_line_of_the_right_file_may_be_missing(case: Case) -> None:
    assert not [text for text in with_a_line_less(case) if is_right(case, text)]


@EACH
def test_what_is_right_is_written(case: Case) -> None:
    """The guards hold no right file back, and each comes in by the door that a model's answer takes."""
    for text in (case.expected, *case.accepted):
        said = new_lines(case, text) if case.lines else text
        system = System("scripted", Redraft.of(Scripted(said), find_template("chat")))
        result = system.answer(case.request, case.lines)
        assert result.status in WRITTEN
        assert result.output == text


@pytest.mark.parametrize(
    ("output", "is_passed"),
    [
        ("a = 2\n", True),
        ("a = 1\n", False),
        ("a = (\n", False),
        ("raise SystemExit(0)\n", False),
        ("a = 2\nimport os\nos._exit(0)\n", False),
        ("print('passed')\nraise SystemExit(0)\n", False),
    ],
)
def test_a_test_runs_beside_the_new_file(output: str, is_passed: bool) -> None:
    assert passes(Checks(test="assert edited.a == a == 2 and 'a = 2' in source"), "a = 1\n", output) == is_passed


def test_a_file_that_never_ends_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.measure.accuracy.checks._SECONDS", 0.5)
    assert not passes(Checks(test="pass"), "", "while True: pass\n")


def test_every_other_line_stays() -> None:
    checks = Checks(holds=("^B$",), lacks=("^x$",), within=(2, 2))
    for output, is_passed in {
        "a\nB\nc\n": True,
        "a\nB\nd\nc\n": True,
        "a\nB\nx\nc\n": False,
        "A\nB\nc\n": False,
        "a\nB\n": False,
        "B\n": False,
        "a\nc\n": False,
    }.items():
        assert passes(checks, "a\nb\nc\n", output) == is_passed, output


@pytest.mark.parametrize("wrong", [{"lines": 3}, {"lines": [1]}, {"within": [1, "2"]}, {"holds": "x"}, {"test": 1}])
def test_a_task_that_is_none_is_named(wrong: dict[str, object]) -> None:
    with pytest.raises(RedraftError, match=f"`{next(iter(wrong))}` is not"):
        case_of({"original": "a\n", "expected": "b\n"} | wrong)


def test_a_set_is_run_goes_on_and_has_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rename = next(case for case in CASES if case.id == "js-rename")
    mutex = next(case for case in CASES if case.id == "go-mutex")
    Path("rename").write_text(rename.expected)
    Path("mutex").write_text(new_lines(mutex, mutex.expected))
    asked = ("eval", "run", "--set", INSTRUCTED, "--out", "out.jsonl", "--systems")
    systems = "small=scripted:rename,large=scripted:mutex,merge"
    table, _ = done(capfd, *asked, systems, "--sample", 40)
    assert len(read_outcomes(Path("out.jsonl"))) == 120
    first = Path("out.jsonl").read_text()
    table, _ = done(capfd, *asked, systems)
    assert Path("out.jsonl").read_text().startswith(first)
    found = {(one.id, one.system): one for one in read_outcomes(Path("out.jsonl"))}
    assert len(found) == 180
    assert [key for key, one in found.items() if one.equal_as_trees and one.status in WRITTEN] == [
        key for key in found if key in {(rename.id, "small"), (mutex.id, "large")}
    ]
    assert Counter(one.status for (_, system), one in found.items() if system == "merge") == {"error": 60}
    one = found[mutex.id, "large"]
    assert one.accepted > 0
    assert one.forwards < one.completion_tokens
    assert "| all | small | 60 | 1.7% " in table
    assert "| selected lines | large | 32 | 3.1% " in table
    assert "| the whole file | large | 28 | 0.0% " in table
    done(capfd, "eval", "report", "out.jsonl", "--out", "report")
    assert "| js-rename | right | " in Path("report/tables.md").read_text()


def test_what_a_model_is_shown_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "said").write_text("b = 3\n")
    spec = f"scripted:{tmp_path / 'said'}"
    near, alone = (
        system.answer(case_of(TASK).request, (2, 2)) for system in read_systems(f"{spec},alone={spec}+selected")
    )
    assert near.output == alone.output == "a = 1\nb = 3\n"
    assert near.prompt_tokens > alone.prompt_tokens
    (repair,) = read_systems("repair")
    assert repair.answer(case_of(TASK).request, (2, 2)).message.endswith("repair edits no selected lines")
