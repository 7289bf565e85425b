"""How an answer's lines end says nothing, be it in its own text or in that of a call; signs within lines stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import redraft
from redraft.edit.exact.read import read_exact
from redraft.edit.text.newlines import newlined, with_newlines

from .rendering import PLACED, Edit, Render, call
from .test_exact_properties import SETTINGS, edits

ENDS = ["\r", "\r\n", "\r\r\n"]
LINES = st.lists(st.text("ab \t", max_size=4), max_size=6)
FILE = "x = 1\ny = 2\n"


@given(LINES, st.sampled_from(["\n", *ENDS]))
def test_each_ending_is_a_newline_where_the_file_has_no_such_sign(lines: list[str], end: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    assert newlined(text.replace("\n", end), FILE) == text
    assert newlined(text.replace("\n", "\r\n"), "x\ry\n") == text
    assert newlined(text.replace("\n", "\r"), "x\ry\n") == text.replace("\n", "\r")
    if end != "\r\r\n":
        assert with_newlines(text.replace("\n", end)) == text


@pytest.mark.parametrize("render", PLACED)
@SETTINGS
@given(edit=edits(), end=st.sampled_from(ENDS))
def test_an_answer_is_read_alike_however_its_lines_end(render: Render, edit: Edit, end: str) -> None:
    assert read_exact(edit.original, render(edit).replace("\n", end)) == read_exact(edit.original, render(edit))


@SETTINGS
@given(edit=edits(), end=st.sampled_from(["\\r", "\\r\\n"]))
def test_texts_of_a_call_are_read_alike_however_their_lines_end(edit: Edit, end: str) -> None:
    found, plain = (read_exact(edit.original, text) for text in (call(edit).replace("\\n", end), call(edit)))
    assert found is not None
    assert plain is not None
    assert found.text == plain.text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "update",
    [
        '{"path": "a.py", "start_line": 2, "end_line": 2, "new_content": "y = 3\\r\\nz = 4"}',
        '{"path": "a.py", "old_string": "x = 1\\ry = 2", "new_string": "x = 1\\ry = 3\\rz = 4"}',
        '{"name": "write_file", "arguments": {"path": "a.py", "content": "x = 1\\r\\ny = 3\\r\\nz = 4\\r\\n"}}',
        "<<<<<<< SEARCH\ry = 2\r=======\ry = 3\rz = 4\r>>>>>>> REPLACE\r",
        "```python\rx = 1\ry = 3\rz = 4\r```\r",
    ],
)
def test_a_file_keeps_its_endings(update: str, end: str) -> None:
    result = redraft.load(readers="merge").apply(FILE.replace("\n", end), update, path="a.py")
    assert (result.status, result.output) == ("applied", "x = 1\ny = 3\nz = 4\n".replace("\n", end))
    assert (result.added, result.removed) == (2, 1)


def test_a_carriage_return_within_lines_of_the_file_is_a_sign_of_the_answer() -> None:
    update = '{"path": "a.txt", "old_string": "one\\rtwo", "new_string": "one\\rthree"}'
    result = redraft.load(readers="merge").apply("one\rtwo\nend\n", update, path="a.txt")
    assert result.output == "one\rthree\nend\n"
