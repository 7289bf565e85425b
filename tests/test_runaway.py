"""A text that runs away is stopped, called that, and fails what was asked for; every other text is left alone."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import Redraft
from redraft.cli import run
from redraft.edit.guard.runaway import Runaway
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted

FILE = "".join(f"def part_{n}(x):\n    return x + {n}\n\n\n" for n in range(12))
UPDATE = "```python\ndef part_3(x):\n    return x * 3\n```\n"
RIGHT = FILE.replace("x + 3\n", "x * 3\n")
AGAIN = '@dataclass\nclass Line:\n    """One article."""\n    name: str\n    price: int\n\n\n'
LONG = RIGHT + AGAIN * 80


def fed(text: str, cuts: list[int], expected: str = "", sources: tuple[str, ...] = ()) -> int | None:
    """After how many characters a text is stopped that comes in pieces of these lengths."""
    watch, at = Runaway(expected, sources), 0
    for size in [*cuts, len(text)]:
        if watch.feed(text[at : at + size]):
            return min(at + size, len(text))
        at += size
    return None


@given(st.lists(st.text(st.characters(codec="ascii"), min_size=8, max_size=60), unique=True, max_size=60))
def test_lines_that_are_all_new_never_run_away(lines: list[str]) -> None:
    text = "".join(f"{number} {line!r} {number * 7919}\n" for number, line in enumerate(lines))
    assert fed(text, [], expected="x = 1\n") is None


@given(st.text(st.characters(codec="ascii"), min_size=1, max_size=80), st.lists(st.integers(1, 50), max_size=40))
def test_what_repeats_itself_is_stopped_however_it_is_cut_and_soon(piece: str, cuts: list[int]) -> None:
    text = "start\n" + piece * 2000
    stopped = fed(text, cuts)
    assert stopped is not None
    exact = fed(text, [1] * 3000)
    assert exact is not None
    assert exact <= 6 + max(400, 4 * len(piece)) + len(piece) + 132
    assert stopped >= exact


@given(st.integers(2, 400))
def test_a_repetition_that_the_file_has_is_no_runaway(times: int) -> None:
    table = "    0x00, 0x00, 0x00, 0x00,\n" * times
    assert fed(table, [7] * 50, expected=table, sources=(table,)) is None


def test_a_text_far_longer_than_expected_with_nothing_new_is_stopped() -> None:
    lines = [f"value_{n} = {n}\n" for n in range(100)]
    shuffled = "".join(lines[(n * n + n // 7) % 100] for n in range(3000))
    assert fed("".join(lines) + shuffled, [50] * 200, expected="".join(lines)) is not None
    more = "".join(f"other_{n} = {n}\n" for n in range(3000))
    assert fed("".join(lines) + more, [50] * 200, expected="".join(lines)) is None


def test_an_engine_is_asked_for_no_more_once_its_text_runs_away() -> None:
    editor = Redraft.of(Scripted(LONG), find_template("chat"))
    chunks = list(islice(editor.stream(FILE, UPDATE, path="a.py"), 10_000))
    assert chunks[-1].finish == "runaway"
    assert len("".join(chunk.text for chunk in chunks)) < len(RIGHT) + 8 * len(AGAIN)


def test_an_edit_that_runs_away_is_called_that_and_not_written() -> None:
    for spelling in (LONG, RIGHT + "x = 1\n" * 500, "\n" * 2000):
        result = Redraft.of(Scripted(spelling), find_template("chat")).apply(FILE, UPDATE, path="a.py")
        assert (result.status, result.output, result.confidence) == ("runaway", None, 0.0)
        assert "ran away" in result.message
    assert Redraft.of(Scripted(RIGHT), find_template("chat")).apply(FILE, UPDATE, path="a.py").output == RIGHT


def test_new_lines_for_a_selection_that_run_away_are_called_that() -> None:
    result = Redraft.of(Scripted(AGAIN * 80), find_template("chat")).edit(FILE, (1, 2), "add one", path="a.py")
    assert result.status == "runaway"


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        (LONG, 3, "is not right (runaway): the model ran away"),
        (RIGHT.replace("part_5", "part_six"), 3, "is not right (unrelated_change)"),
        (RIGHT, 0, "is right: it equals right.py byte for byte"),
    ],
)
def test_compare_says_whether_the_text_is_right_beside_whether_it_is_the_same(
    written: str,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.py": FILE, "u.md": UPDATE, "written": written, "right.py": RIGHT}.items():
        Path(name).write_text(text)
    call = ["compare", "a.py", "-u", "u.md", "--engine", "scripted:written", "--expected", "right.py"]
    assert run(call) == code
    printed = capfd.readouterr().out
    assert said in printed
    assert "the same tokens" in printed


def test_compare_says_what_it_cannot_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.py": FILE, "u.md": UPDATE, "written": RIGHT}.items():
        Path(name).write_text(text)
    assert run(["compare", "a.py", "-u", "u.md", "--engine", "scripted:written"]) == 0
    assert "is right as far as can be told" in capfd.readouterr().out
