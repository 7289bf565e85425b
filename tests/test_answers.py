"""An answer is stored without the lines of the file, and put together again from them character by character."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import done
from git_repository import Repository, program
from programs import texts
from redraft.cli import run
from redraft.data.edits import read_edits
from redraft.data.languages import extension
from redraft.data.references import refer, resolve
from redraft.data.tasks import Unfinished, Written, read_tasks
from redraft.edit.request import Request
from redraft.edit.text.changes import split_lines
from redraft.errors import RedraftError
from redraft.measure.accuracy.grade import best_grade, grade
from redraft.measure.accuracy.same_data import same_data
from redraft.measure.cases import Case, read_cases
from redraft.measure.sets.answers import read_answers, stored, write_answers

BEFORE = "def one():\n    first()\n\n    second()\n\n\ndef two():\n    pass\n"
AFTER = BEFORE.replace("second()", "third()")
LEADS = st.sampled_from(("", " ", "+ ", "-", "  12 | ", "# ", "    "))


@st.composite
def answers(draw: st.DrawFn) -> tuple[str, str, str]:
    """A file before and after, and lines of it between words."""
    before, after = draw(texts())
    lines = st.sampled_from(split_lines(before) + split_lines(after))
    line = st.one_of(
        lines, st.builds("{}{}".format, LEADS, lines), lines.map(str.lstrip), st.text("ab c\t.", max_size=9)
    )
    return before, after, "\n".join(draw(st.lists(line, max_size=30))) + draw(st.sampled_from(("\n", "")))


@given(answers())
def test_an_answer_comes_back_as_it_was(written: tuple[str, str, str]) -> None:
    before, after, text = written
    assert resolve(refer(text, before, after), before, after) == text


@given(answers())
def test_no_line_of_the_file_is_stored(written: tuple[str, str, str]) -> None:
    before, after, text = written
    own = {line for part in refer(text, before, after) if isinstance(part, str) for line in part.split("\n")}
    assert not own & {line for line in split_lines(before) + split_lines(after) if line.strip()}


def test_what_a_reference_says() -> None:
    text = "Do this:\n```\n  1 | def one():\n-     second()\n+     third()\nsecond()\n    first()\n\n# ...\n```\n"
    assert refer(text, BEFORE, AFTER) == [
        "Do this:\n```",
        {"ref": "b1", "put": "  1 | "},
        {"ref": "b4", "put": "- "},
        {"ref": "a4", "put": "+ "},
        {"ref": "b4", "cut": 4},
        {"ref": "b2-3"},
        "# ...\n```\n",
    ]


@pytest.mark.parametrize("part", [{"ref": "b9"}, {"ref": "c1"}, {"ref": "b2-1"}, {"ref": ""}, {}, {"ref": "bx"}, 3])
def test_a_bad_reference_is_named(part: object) -> None:
    with pytest.raises(RedraftError, match="reference"):
        resolve([part], BEFORE, AFTER)  # type: ignore[list-item]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """Two mined edits and their tasks; the first is answered, the second not."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_HOME", "store")
    origin = Repository(tmp_path / "origin" / "acme" / "tools")
    origin.commit({f"tool_{n}.py": program(30 + n) for n in range(2)})
    for n in range(2):
        origin.commit({f"tool_{n}.py": program(30 + n, 10)})
    done(capfd, "data", "mine", "--clones", "origin", "--out", "edits.parquet")
    for n, edit in enumerate(sorted(read_edits(Path("edits.parquet")), key=lambda edit: edit.path)):
        task = Path("tasks") / f"{n:03}"
        task.mkdir(parents=True)
        about = {"id": f"dev-{n}", "path": edit.path, "tidy": n == 0, "manner": "terse", "subject": "x"}
        (task / "task.json").write_text(json.dumps(about))
        (task / "before.py").write_text(edit.before)
        (task / "after.py").write_text(edit.after)
    answer(Path("tasks/000"))
    return tmp_path


def answer(task: Path) -> None:
    before, after = (split_lines((task / f"{name}.py").read_text()) for name in ("before", "after"))
    new = next(line for line in after if line not in before)
    at = after.index(new)
    (task / "answer.md").write_text(f"So:\n\n```py\n# the same up to here\n{after[at - 1]}\n{new}\n```\n")
    (task / "instruction.txt").write_text("Add a line, please.\n")
    (task / "also").mkdir()
    (task / "also" / "1.py").write_text("\n".join([*after[:at], *after[at + 1 : at + 2], new, *after[at + 2 :]]) + "\n")


def collect(*options: str) -> tuple[str, ...]:
    return ("data", "answers", "tasks", "--edits", "edits.parquet", *options)


def test_answers_are_collected_and_fetched(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, err = done(capfd, *collect("--out", "answers.jsonl"))
    assert err == "1 answers (tidy 1) in 1 languages\n1 tasks not finished, 0 skipped by their writers\n"
    manifest = Path("answers.jsonl").read_text()
    edit = next(edit for edit in read_edits(Path("edits.parquet")) if edit.path == "tool_0.py")
    assert not any(json.dumps(line)[1:-1] in manifest for line in edit.after.split("\n") if line.strip())
    done(capfd, "eval", "fetch", "answers.jsonl", "--clones", "origin", "--out", "cases.jsonl")
    row = json.loads(Path("cases.jsonl").read_text())
    assert row["update"] == Path("tasks/000/answer.md").read_text()
    assert (row["original"], row["expected"]) == (edit.before, edit.after)
    assert row["accepted"] == [Path("tasks/000/also/1.py").read_text()]
    assert (row["instruction"], row["style"], row["tidy"]) == ("Add a line, please.", "tidy", True)
    out, _ = done(capfd, "eval", "run", "--cases", "cases.jsonl", "--systems", "merge", "--out", "r.jsonl")
    assert "## Tidy and careless answers" in out


def test_what_is_changed_since_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, *collect("--out", "answers.jsonl"))
    [one] = read_answers(Path("answers.jsonl"))
    write_answers(Path("answers.jsonl"), [replace(one, answer_blob="1" * 40)])
    assert run(["eval", "fetch", "answers.jsonl", "--clones", "origin", "--out", "cases.jsonl"]) == 1
    assert f"failed: {one.id}: the answer hashes to {one.answer_blob}, not to 1111" in capfd.readouterr().err


def test_a_task_without_an_answer_says_why(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    edits = list(read_edits(Path("edits.parquet")))
    one, other = read_tasks(Path("tasks"), edits)
    assert isinstance(one, Written)
    assert isinstance(other, Unfinished)
    assert other.reason == "no answer.md"
    Path("tasks/001/skip.txt").write_text("cannot be told\n")
    assert [found.skipped for found in read_tasks(Path("tasks"), edits) if isinstance(found, Unfinished)] == [True]
    Path("tasks/000/after.py").write_text("other\n")
    assert run([*collect("--out", "a.jsonl")]) == 1
    assert "tasks/000: its edit is not among the edits given\n" in capfd.readouterr().err


@pytest.mark.parametrize(("key", "value"), [("tidy", 1), ("answer", "x"), ("accepted", [3]), ("more", 1)])
def test_a_bad_manifest_is_named(folder: Path, key: str, value: object) -> None:
    [one] = (
        stored(one) for one in read_tasks(Path("tasks"), read_edits(Path("edits.parquet"))) if isinstance(one, Written)
    )
    write_answers(Path("a.jsonl"), [one])
    Path("a.jsonl").write_text(json.dumps(json.loads(Path("a.jsonl").read_text()) | {key: value}) + "\n")
    with pytest.raises(RedraftError, match=r"a\.jsonl:1: "):
        read_answers(Path("a.jsonl"))


def test_any_accepted_file_is_exact(tmp_path: Path) -> None:
    case = {"original": "a\n", "update": "b\n", "expected": "a\nb\n", "accepted": ["b\na\n"], "path": "x.txt"}
    (tmp_path / "c.jsonl").write_text(json.dumps(case) + "\n")
    [one] = read_cases(tmp_path / "c.jsonl")
    assert best_grade(one, "b\na\n") == grade("a\n", "b\na\n", "b\na\n", "x.txt")
    assert best_grade(one, "a\nb\n").exact
    assert not best_grade(one, "a\n").exact
    assert best_grade(one, None) == grade("a\n", None, "a\nb\n", "x.txt")


@pytest.mark.parametrize(
    ("path", "one", "other", "third"),
    [
        ("a.json", '{"a": 1, "b": [2]}', '{"b":[2],\n"a":1}', '{"a": 1, "b": [3]}'),
        ("a.yml", "a: 1\nb: [x, y]\n", "b:\n  - x\n  - 'y'\na: 1\n", "a: 1\nb: [y, x]\n"),
        ("a.toml", 'a = 1\n[b]\nc = "x"\n', "a=1\nb.c='x'\n", 'a = 1\n[b]\nc = "y"\n'),
        ("a.ini", "[s]\na = 1\n", "[s]\na=1\n", "[s]\na = 2\n"),
        ("a.xml", "<a b='1'><c/></a>", '<a b="1">\n  <c></c>\n</a>', "<a b='2'><c/></a>"),
    ],
)
def test_data_is_compared_as_data_where_the_case_says_so(path: str, one: str, other: str, third: str) -> None:
    assert same_data(one, other, path)
    assert not same_data(one, third, path)
    assert not same_data(one, "{[", path)
    assert not same_data(one, one, f"{extension(path)}.txt")
    case = Case("1", Request(third, one, "", path), one, "", "", as_data=True)
    assert best_grade(case, other).exact
    assert not best_grade(replace(case, as_data=False), other).exact
    assert not best_grade(case, third).exact
