"""Hunks of a model: any change is written and read again, and what has no one place is refused."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import done, refusal
from redraft.apply import Readers, Redraft
from redraft.edit.prompts.hunks import HunkError, applied, hunks
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError

FOLDER = Path(__file__).parent / "conformance" / "search_replace"
SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)
LINES = ["", "a", "b", "    c", "\td", "}", "x = 1", "y\u2028z", "def f():"]
LINE = st.sampled_from(LINES)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=14), st.sampled_from(["", "\n"]))
COLUMN = st.sampled_from(["", " ", "-", "+", "   "])
ANSWER = st.lists(st.builds("{}{}".format, COLUMN, LINE), max_size=20).map("\n".join)


def ended_like(before: str, after: str) -> str:
    """What `after` is where the end of the file is not the model's to change; a file that was empty gets a newline."""
    return after.removesuffix("\n") + "\n" * (before.endswith("\n") or not before) if after else after


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str]:
    """A file and one in which some lines are others, went or came, each new one unlike all that there are; one of blank
    lines alone has no line that tells a place."""
    before = draw(st.lists(LINE, min_size=1, max_size=14).filter(any))
    after = list(before)
    for number in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 2))] = [f"new_{number} = {n}" for n in range(draw(st.integers(0, 2)))]
    return "\n".join([*before, ""]), "\n".join([*after, ""]) if after else ""


@settings(max_examples=300)
@given(changes(), st.integers(0, 4))
def test_hunks_make_the_one_text_of_the_other_or_have_no_one_place(texts: tuple[str, str], context: int) -> None:
    before, after = texts
    try:
        made = applied(before, hunks(before, after, context))
    except HunkError:
        assert len(set(before.split("\n"))) < len(before.split("\n"))
    else:
        assert made == ended_like(before, after)


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=9, unique=True), st.data())
def test_lines_that_stand_once_always_have_a_place(lines: list[str], data: st.DataObject) -> None:
    before = "\n".join([*filter(str.strip, lines), "last", ""])
    at = data.draw(st.integers(0, before.count("\n") - 1))
    after = before.split("\n")
    after[at] = "new"
    assert applied(before, hunks(before, "\n".join(after))) == "\n".join(after)


def test_equal_texts_are_a_header_alone() -> None:
    assert hunks("a\n", "a\n") == hunks("a\n", "a") == "@@ ... @@\n"
    assert applied("a\n", "@@ ... @@\n") == "a\n"


def test_a_hunk_is_as_wide_as_it_takes_to_stand_once() -> None:
    before = "a\nb\nc\nx\na\nb\nc\ny\n"
    assert hunks(before, before.replace("b", "B", 1), 1) == "@@ ... @@\n a\n-b\n+B\n c\n x\n"
    assert hunks("a\nb\nc\nd\n", "A\nb\nc\nD\n", 1) == "@@ ... @@\n-a\n+A\n b\n c\n-d\n+D\n"


@settings(max_examples=300)
@given(TEXT, st.one_of(TEXT, ANSWER))
def test_any_answer_is_applied_or_refused_in_one_line(original: str, answer: str) -> None:
    message = ""
    try:
        applied(original, answer)
    except RedraftError as error:
        message = str(error)
    assert "\n" not in message


@dataclass(frozen=True)
class Case:
    name: str
    path: str
    original: str
    answer: str
    is_applied: bool
    expected: str


def cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.txt")):
        head, *sections = file.read_text(encoding="utf-8").split("\n@@@ ")
        for section in sections:
            name, _, body = section.partition("\n")
            original, _, answer, outcome, expected = SECTION.split(body)
            path = head.strip().removeprefix("path: ")
            text = expected.strip("\n") + "\n" if expected.strip() else ""
            yield Case(f"{file.stem}: {name}", path, original, answer, outcome == "applied", text)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in cases()])
def test_an_answer_is_applied_or_refused(case: Case) -> None:
    if case.is_applied:
        assert applied(case.original, case.answer) == case.expected
        return
    with pytest.raises(RedraftError):
        applied(case.original, case.answer)


def test_there_are_many_cases_in_many_languages() -> None:
    assert len(list(cases())) >= 70
    assert len({case.path.rpartition(".")[2] for case in cases()}) >= 10
    assert min(Counter(case.is_applied for case in cases()).values()) >= 25


ORIGINAL = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
UPDATE = "# ...\ndef two():\n    return 22\n"
ANSWER = "@@ ... @@\n def two():\n-    return 2\n+    return 22\n"


def editor(answer: str, readers: Readers = "model") -> Redraft:
    return Redraft.of(Scripted(answer), find_template("chat", "search-replace"), readers=readers)


@pytest.mark.parametrize("readers", ["model", "auto"])
def test_what_a_model_writes_as_hunks_becomes_the_file(readers: Readers) -> None:
    result = editor(ANSWER, readers).apply(ORIGINAL, UPDATE, path="a.py")
    assert (result.status, result.output) == ("applied", ORIGINAL.replace("2\n", "22\n"))


def test_hunks_are_drafted_from_the_merge() -> None:
    answer = hunks(ORIGINAL, ORIGINAL.replace("2\n", "22\n"))
    result = editor(f"{answer}```").apply(ORIGINAL, UPDATE, path="a.py")
    assert (result.status, result.forwards) == ("applied", 1)


def test_hunks_without_a_place_need_context() -> None:
    wrong = ANSWER.replace("two", "three").replace("return 2\n", "return 3\n")
    alone = editor(wrong).apply(ORIGINAL, UPDATE, path="a.py")
    assert (alone.status, alone.output) == ("needs_context", None)
    assert "is not in the file" in alone.message
    both = editor(wrong, "auto").apply(ORIGINAL, UPDATE, path="a.py")
    assert (both.status, both.decided_by) == ("applied", "merge")


def test_an_answer_without_hunks_is_an_error() -> None:
    result = editor("I would change the second function.\n").apply(ORIGINAL, UPDATE)
    assert (result.status, result.message.partition(":")[0]) == ("error", "the answer has no hunk")


def test_the_command_line_asks_for_hunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a.py", ORIGINAL), ("u.md", UPDATE), ("answer", ANSWER)):
        Path(name).write_text(text)
    asked = ("apply", "a.py", "--update", "u.md", "--format", "search-replace", "--engine", "scripted:answer")
    done(capfd, *asked)
    assert Path("a.py").read_text() == ORIGINAL.replace("2\n", "22\n")
    said = refusal(capfd, *asked, "--template", "fastapply")
    assert "models of the template 'fastapply' write whole files only; those of apply" in said
