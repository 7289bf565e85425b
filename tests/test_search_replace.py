"""Hunks of a model: any change is written and read again, a slip is forgiven, what has no one place is refused."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command_line import done, refusal
from redraft.apply import Readers, Redraft
from redraft.edit.answer.block import Line
from redraft.edit.hunks.apply import Hunk, HunkError, apply, parse, write
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError

FOLDER = Path(__file__).parent / "conformance" / "search_replace"
SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)
LINES = [
    "",
    " ",
    "a",
    "b",
    "    c",
    "\td",
    "}",
    "-",
    "- a",
    "--- a/x",
    "+++ b/x",
    "+b",
    "@@",
    "@@ ... @@",
    "@@ -1 +1 @@",
    "```",
    "```diff",
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "\\ No newline at end of file",
    "*** End Patch",
    "diff --git a/x b/x",
    "a\r",
    "\r",
    "x\x0by\u2028z",
]
LINE = st.sampled_from(LINES)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=14), st.sampled_from(["", "\n"]))
COLUMN = st.sampled_from(["", " ", "-", "+", "   "])
ANSWER = st.lists(st.builds("{}{}".format, COLUMN, LINE), max_size=20).map("\n".join)
ANY = st.one_of(TEXT, st.text(max_size=80), st.text(alphabet="ab \n\r-+@", max_size=60))


def ended_like(before: str, after: str) -> str:
    """What `after` is where the end of the file is not the model's to change; a file that was empty gets a newline."""
    return after.removesuffix("\n") + "\n" * (before.endswith("\n") or not before) if after else after


@settings(max_examples=400)
@given(ANY, ANY, st.integers(0, 4))
def test_hunks_make_the_one_text_of_the_other(before: str, after: str, context: int) -> None:
    assert apply(before, parse(write(before, after, context))) == ended_like(before, after)


def test_equal_texts_are_a_header_alone() -> None:
    assert write("a\n", "a\n") == write("a\n", "a") == "@@ ... @@\n"
    assert parse("@@ ... @@\n") == [Hunk(())]


def test_a_hunk_is_as_wide_as_it_takes_to_stand_once() -> None:
    before = "a\nb\nc\nx\na\nb\nc\ny\n"
    assert write(before, before.replace("b", "B", 1), 1) == "@@ ... @@\n a\n-b\n+B\n c\n x\n"
    assert write("a\nb\nc\nd\n", "A\nb\nc\nD\n", 1) == "@@ ... @@\n-a\n+A\n b\n c\n-d\n+D\n"


@settings(max_examples=400)
@given(ANY, st.one_of(ANY, ANSWER))
def test_any_answer_is_applied_or_refused_in_one_line(original: str, answer: str) -> None:
    message = ""
    try:
        apply(original, parse(answer))
    except RedraftError as error:
        message = str(error)
    assert "\n" not in message


@settings(max_examples=400)
@given(TEXT, st.one_of(ANSWER, TEXT), st.data())
def test_no_line_is_lost_but_those_that_go(original: str, answer: str, data: st.DataObject) -> None:
    """Hunks are made of the file's own lines, so that many find a place."""
    lines = original.splitlines()
    shown = [data.draw(st.sampled_from(["-", " ", " ", "+"])) + line for line in lines if data.draw(st.booleans())]
    try:
        hunks = parse("\n".join(["@@ ... @@", *shown, *answer.split("\n")]))
        made = apply(original, hunks)
    except RedraftError:
        return
    gone = sum(line.kind == "removed" for hunk in hunks for line in hunk.lines)
    before, after = (Counter(line.removesuffix("\r") for line in text.split("\n")) for text in (original, made + "\n"))
    assert (before - after).total() <= gone


@dataclass(frozen=True)
class Edited:
    """A file of different lines, its new version, and the hunks that make it, with much context."""

    before: str
    after: str
    hunks: list[list[str]]

    def spelled(self) -> str:
        return "".join("@@ ... @@\n" + "\n".join(hunk) + "\n" for hunk in self.hunks)


@st.composite
def edits(draw: st.DrawFn) -> Edited:
    """Stretches of ten lines in a file, of which the middle ones go or others come there; blank lines between."""
    before: list[str] = []
    after: list[str] = []
    hunks: list[list[str]] = []
    for number in range(draw(st.integers(1, 4))):
        block = [f"def function_{number}(argument_{number}):"]
        block += [f"    {name} = call_{name}(argument_{number})" for name in _names(number)] + [""]
        start, end = draw(st.integers(4, 5)), draw(st.integers(5, 6))
        new = [f"    fresh_{n} = made()" for n in range(draw(st.integers(int(start == end), 2)))]
        columns = [*(" " + line for line in block[:start]), *("-" + line for line in block[start:end])]
        columns += [*("+" + line for line in new), *(" " + line for line in block[end:-1])]
        if draw(st.booleans()):
            hunks.append(columns)
            after += block[:start] + new + block[end:]
        else:
            after += block
        before += block
    return Edited("\n".join([*before, ""]), "\n".join([*after, ""]), hunks or [[]])


def _names(number: int) -> list[str]:
    words = ["amber", "birch", "cedar", "dahlia", "elm", "fern", "gorse", "hazel", "iris"]
    return [f"{word}_{words[number]}" for word in words]


@given(edits())
def test_hunks_by_hand_change_their_lines_and_no_other(edit: Edited) -> None:
    assert apply(edit.before, parse(edit.spelled())) == edit.after


@given(edits(), st.randoms(use_true_random=False))
def test_the_order_of_hunks_does_not_matter(edit: Edited, random: Random) -> None:
    random.shuffle(edit.hunks)
    assert apply(edit.before, parse(edit.spelled())) == edit.after


SLIPS: dict[str, Callable[[list[str]], list[str]]] = {
    "spaces at the end": lambda hunk: [line if line[:1] == "+" else line + "  " for line in hunk],
    "indented more": lambda hunk: [line[:1] + "    " + line[1:] for line in hunk],
    "indented less": lambda hunk: [line[:1] + line[1:].removeprefix("    ") for line in hunk[1:]],
    "tabs": lambda hunk: [line[:1] + line[1:].replace("    ", "\t") for line in hunk],
    "half of the indentation": lambda hunk: [line[:1] + line[1:].replace("    ", "  ") for line in hunk],
    "no column": lambda hunk: [line.removeprefix(" ") for line in hunk],
    "another line": lambda hunk: [" something else", *hunk[1:]],
    "a slip in a line": lambda hunk: [line.replace("call_cedar", "call_ceder") for line in hunk],
    "a line too many": lambda hunk: [*hunk[:2], " # a remark", *hunk[2:]],
    "a line left out": lambda hunk: [*hunk[:2], *hunk[3:]],
    "a blank line": lambda hunk: [*hunk[:2], "", *hunk[2:]],
}


@pytest.mark.parametrize("slip", SLIPS)
@given(edits())
def test_a_slip_is_forgiven(slip: str, edit: Edited) -> None:
    """Context stays as the file has it, and new lines are indented like the file."""
    slipped = Edited(edit.before, edit.after, [SLIPS[slip](hunk) for hunk in edit.hunks])
    assert apply(edit.before, parse(slipped.spelled())) == edit.after


@given(edits())
def test_what_is_applied_is_not_applied_again(edit: Edited) -> None:
    if edit.before != edit.after:
        with pytest.raises(HunkError):
            apply(edit.after, parse(edit.spelled()))


@pytest.mark.parametrize("answer", ["@@ ... @@\n a\n-b\n+c\n", "@@ ... @@\r\n a\r\n-b\r\n+c\r\n"])
def test_line_endings_are_the_files_own(answer: str) -> None:
    assert apply("a\nb\n", parse(answer)) == "a\nc\n"
    assert apply("a\r\nb\r\n", parse(answer)) == "a\r\nc\r\n"
    assert apply("a\r\nb", parse(answer)) == "a\r\nc"


def test_the_parts_of_a_header() -> None:
    answer = "@@ -12,2 +12,2 @@ def f():\n a\n-b\n@@ class A: @@\n-c\n@@ -3,0 +4 @@\n+d\n@@ -3,1 +4 @@\n+e\n"
    assert [(hunk.start, hunk.hint) for hunk in parse(answer)] == [
        (11, "def f():"),
        (None, "class A:"),
        (3, ""),
        (None, ""),
    ]
    assert parse(answer)[0].lines == (Line("a", "code"), Line("b", "removed"))


@dataclass(frozen=True)
class Case:
    """`expected`: the new file, or lines that the words of the refusal hold."""

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
        assert apply(case.original, parse(case.answer)) == case.expected
        return
    with pytest.raises(RedraftError) as refusal:
        apply(case.original, parse(case.answer))
    assert all(words in str(refusal.value) for words in case.expected.splitlines()), refusal.value


def test_there_are_many_cases_in_many_languages() -> None:
    assert len(list(cases())) >= 100
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
    answer = write(ORIGINAL, ORIGINAL.replace("2\n", "22\n"))
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
