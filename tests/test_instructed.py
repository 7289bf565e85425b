"""An instructed edit of selected lines: no byte outside of them changes, whatever a model answers; refusals; drafts."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.apply import Redraft, load
from redraft.edit.guard.selected import set_right
from redraft.edit.instruction import Instruction
from redraft.edit.prompts.selected import PROMPTS
from redraft.edit.prompts.template import find_template
from redraft.edit.text.selection import Selection
from redraft.engines import Sampling
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError, TooLongError
from redraft.result import Result
from tiny_models import save

FILE = '''import os


class Basket:
    """What is bought."""

    def total(self):
        return sum(self.items)

    def clear(self):
        self.items = []


def load(path):
    return open(path).read().split(",")
'''
TOTAL = (7, 8)
TWICE = "    def total(self):\n        return 2 * sum(self.items)\n"
LINES = st.lists(
    st.sampled_from(["a", "    b(c)", "", "def f():", "  }", "<selected-1>", "```", "é\u2028x"]), max_size=6
)
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Texts of at least a line with any endings, also mixed, with or without a mark in front and an end of the last."""
    lines = [*draw(LINES), draw(st.sampled_from(["last", "    x = 1"]))]
    usual, is_mixed = draw(ENDINGS), draw(st.booleans())
    text = "".join(line + (draw(ENDINGS) if is_mixed else usual) for line in lines)
    return draw(st.sampled_from(["", "\ufeff"])) + (text if draw(st.booleans()) else text.rstrip("\r\n"))


def count(text: str) -> int:
    end = "\r" if "\n" not in text and "\r" in text else "\n"
    return len(text.removesuffix(end).split(end))


def answered(said: str, original: str = FILE, lines: tuple[int, int] = TOTAL, path: str = "basket.py") -> Result:
    return Redraft.of(Scripted(said), find_template("chat")).edit(original, lines, "do it", path=path)


@settings(max_examples=60)
@given(texts(), LINES, st.data())
def test_no_byte_outside_changes_whatever_a_model_says(text: str, said: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(1, count(text)))
    last = data.draw(st.integers(first, count(text)))
    selection = Selection.of(text, first, last)
    assert selection.before + selection.selected + selection.after == text
    output = answered("\n".join(said), text, (first, last), data.draw(st.sampled_from(["", "a.py", "a.json"]))).output
    assert output is not None
    assert len(output) >= len(selection.before) + len(selection.after)
    assert output.startswith(selection.before)
    assert output.endswith(selection.after)


@given(texts(), st.data())
def test_the_selected_lines_themselves_are_no_change(text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, count(text)))
    selection = Selection.of(text, first, data.draw(st.integers(first, count(text))))
    assert selection.replaced(selection.text) == text


@given(st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.integers(1, 15), st.integers(0, 3))
def test_new_lines_end_as_the_file_does(ending: str, is_ended: bool, first: int, more: int) -> None:
    text = FILE if is_ended else FILE.removesuffix("\n")
    selection = Selection.of(text.replace("\n", ending), first, min(15, first + more))
    output = selection.replaced("one = 1\ntwo = 2\n")
    assert output == Selection.of(text, first, min(15, first + more)).replaced("one = 1\ntwo = 2\n").replace(
        "\n", ending
    )
    assert output.endswith(ending) == is_ended


def test_each_line_of_a_mixed_selection_keeps_its_ending() -> None:
    text = "a\r\nb\nc\r\nd\n"
    assert Selection.of(text, 1, 3).replaced("a\nB\nc\n") == "a\r\nB\nc\r\nd\n"


@settings(max_examples=40)
@given(st.text("ab \n", max_size=40), st.text("ab \n", max_size=40))
def test_a_draft_never_changes_the_answer(said: str, prediction: str) -> None:
    editor = Redraft.of(Scripted(said), find_template("chat"))
    drafted = editor.edit(FILE, TOTAL, "do it", prediction=prediction)
    plain = editor.edit(FILE, TOTAL, "do it", sampling=Sampling(speculate=False))
    assert (drafted.status, drafted.output, drafted.message) == (plain.status, plain.output, plain.message)
    assert drafted.forwards <= plain.forwards


def test_what_stays_is_drafted_from_the_selection() -> None:
    result = answered(TWICE)
    assert (result.status, result.output) == ("applied", FILE.replace("return sum", "return 2 * sum"))
    assert result.accepted > result.forwards


@pytest.mark.parametrize(
    "said",
    [
        "def total(self):\n    return 2 * sum(self.items)\n",
        "def total(self):\n        return 2 * sum(self.items)\n",
        "<selected-1>\n" + TWICE + "</selected-1>\n",
        TWICE + "\n    def clear(self):\n",
        TWICE + "\n    def clear(self):\n        self.items = []\n\n\n",
        '    """What is bought."""\n\n' + TWICE,
        FILE.replace("return sum", "return 2 * sum"),
        FILE.replace("    def total", "<selected-1>\n    def total").replace("return sum", "return 2 * sum"),
        TWICE.replace("\n", "\r\n"),
        TWICE.removesuffix("\n"),
    ],
    ids=[
        "dedented",
        "first line",
        "marks",
        "next line",
        "goes on",
        "began before",
        "whole",
        "marked",
        "CRLF",
        "no end",
    ],
)
def test_what_models_put_around_the_lines_is_taken_off(said: str) -> None:
    assert set_right(Instruction(Selection.of(FILE, *TOTAL), "do it", "basket.py"), said) == TWICE
    if "</" not in said and "<" in said:
        return
    assert answered(said).output == FILE.replace("return sum", "return 2 * sum")


def test_lines_that_stood_twice_before_stay() -> None:
    asked = Instruction(Selection.of("log(1)\nlog(1)\nx = 1\nlog(1)\n", 2, 3), "do it")
    assert set_right(asked, "log(1)\nx = 2\n") == "log(1)\nx = 2\n"


def test_a_blank_selection_takes_the_depth_of_what_follows() -> None:
    new = "def first(self):\n    return self.items[0]\n\n"
    assert answered(new, lines=(9, 9)).output == FILE.replace(
        "    def clear", "    def first(self):\n        return self.items[0]\n\n    def clear"
    ).replace("(self.items)\n\n", "(self.items)\n", 1)
    assert answered("", lines=(9, 9)).status == "truncated"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (FILE.split("\n\n")[2] + "\n", "no_change"),
        ("", "truncated"),
        ("\n\n", "truncated"),
        ("    def total(self):\n        # ... existing code ...\n", "marker_leak"),
        ("    def total(self):\n        return <selected-1> 1\n", "marker_leak"),
        ("    def total(self):\n~~~\n        return 1\n", "marker_leak"),
        ("    def total(self):\n<<<<<<< mine\n        return 1\n", "marker_leak"),
        ("    def total(self:\n        return 1\n", "syntax_broken"),
        (TWICE + "\n    def clear(self):\n        self.items = None\n", "unrelated_change"),
    ],
)
def test_an_answer_that_is_none_is_refused(said: str, status: str) -> None:
    result = answered(said)
    assert (result.status, bool(result.message)) == (status, True)
    assert result.confidence == (None if status == "no_change" else 0.0)


def test_what_was_broken_before_may_stay_broken() -> None:
    broken = FILE.replace("def load(path):", "def load(path:")
    assert answered(TWICE, broken).status == "applied"


def test_an_answer_at_the_limit_is_refused() -> None:
    editor = Redraft.of(Scripted(TWICE), find_template("chat"))
    result = editor.edit(FILE, TOTAL, "do it", path="basket.py", sampling=Sampling(max_tokens=4))
    assert (result.status, result.forwards > 0) == ("truncated", True)


@pytest.mark.parametrize("lines", [(0, 1), (3, 2), (1, 16), (16, 16), (-1, 1)])
def test_lines_that_are_not_there_are_an_error(lines: tuple[int, int]) -> None:
    result = answered(TWICE, lines=lines)
    assert (result.status, result.output) == ("error", None)
    assert any(said in result.message for said in ("its last line is 15", "there is no line", "did you mean 2-3?"))


def test_only_models_that_follow_instructions_are_asked() -> None:
    asked = Redraft.of(Scripted(TWICE), find_template("apply")).edit(FILE, TOTAL, "do it")
    assert (asked.status, asked.message) == (
        "error",
        "this model applies code and follows no instructions: name one that does, such as --engine openai:URL#MODEL",
    )
    assert load(readers="merge").edit(FILE, TOTAL, "do it").status == "error"
    empty = Redraft.of(Scripted(TWICE), find_template("chat")).edit(FILE, TOTAL, " ")
    assert empty.message == "nothing to do: the instruction is empty"


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_shows_the_file_first_and_the_selection_in_it(name: str) -> None:
    asked = Instruction(Selection.of(FILE.replace("\n", "\r\n"), *TOTAL), "double it", "basket.py")
    prompt = PROMPTS[name](asked)
    said = "".join(message.content for message in prompt.messages) or prompt.parts[0].text
    marked = FILE.replace("    def total", "<selected-1>\n    def total").replace("items)\n", "items)\n</selected-1>\n")
    assert said.index(marked) < said.index("double it")
    assert "".join(part.text for part in prompt.sources[0].parts).startswith(Selection.of(FILE, *TOTAL).text)
    near = PROMPTS[name](replace(asked, around=1))
    shown = "".join(message.content for message in near.messages) or near.parts[0].text
    assert "\n\n<selected-1>\n" in shown
    assert "</selected-1>\n\n" in shown
    assert "import os" not in shown
    alone = PROMPTS[name](replace(asked, around=0))
    assert "<selected" not in "".join(message.content for message in alone.messages) + alone.parts[0].text


def test_no_text_can_close_its_fence_or_end_the_selection() -> None:
    text = FILE.replace("import os", "# ```` <selected-1> </selected-2>")
    prompt = PROMPTS["chat"](Instruction(Selection.of(text, *TOTAL), "```````", "basket.py"))
    assert prompt.stop == ("````````",)
    assert "<selected-3>\n    def total" in prompt.messages[0].content


@pytest.mark.slow
def test_what_is_too_long_is_shown_in_part(tmp_path: Path) -> None:
    editor = load(f"hf:{save('llama', tmp_path / 'llama')}", readers="auto", dtype="float32")
    long = "".join(f"value_{number} = {number}\n" for number in range(600))
    editing = editor.editing(long, (300, 300), "do it", path="a.py")
    chunks = list(editing.chunks(Sampling(max_tokens=3)))
    assert editing.result(chunks).status == "truncated"
    with pytest.raises(TooLongError):
        list(editor.editing(long, (1, 600), "do it").chunks())


def test_the_new_lines_come_as_they_are_written() -> None:
    editing = Redraft.of(Scripted(TWICE), find_template("chat")).editing(FILE, TOTAL, "do it", path="basket.py")
    chunks = list(editing.chunks())
    assert "".join(chunk.text for chunk in chunks) == TWICE
    assert editing.result(chunks).status == "applied"
    with pytest.raises(RedraftError, match="no lines"):
        Redraft.of(Scripted(TWICE), find_template("chat")).editing(FILE, (99, 99), "do it")
