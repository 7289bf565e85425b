"""What a model writes at the cursor ends with its first statement, however the text comes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.engines import Chunk
from redraft.next.statement import first_statement

WRITTEN = st.text(st.sampled_from("a \n()[]{}"), max_size=30)


def chunk(text: str, finish: str = "") -> Chunk:
    return Chunk((("model", text),) if text else (), (1,), ("model",), (1.0,), 0, 0, 1, finish, 1)  # type: ignore[arg-type]


def first(pieces: list[str], behind: str = "") -> tuple[str, str]:
    chunks = [*first_statement([*map(chunk, pieces[:-1]), chunk(pieces[-1], "length")], behind)]
    return "".join(each.text for each in chunks), chunks[-1].finish


@pytest.mark.parametrize(
    ("written", "behind", "expected"),
    [
        ("a = 1\nb = 2\n", "", "a = 1"),
        ("\n    a\n    b\n", "", "\n    a"),
        ("f(\n    a,\n)\nb\n", "", "f(\n    a,\n)"),
        ("a)\nb(\n", "", "a)"),  # it closes what stands before the cursor
        (") {\n    a\n}\nb", "", ") {\n    a\n}"),
        (":\n    a\n    b\n", ":\n    c\n", ":\n    a"),  # its first line stands there already
        ("a(\nb", "", "a(\nb"),
        ("a", "", "a"),
    ],
)
def test_a_statement_ends_where_its_brackets_are_closed(written: str, behind: str, expected: str) -> None:
    text, finish = first([written], behind)
    assert (text, finish) == (expected, "length" if text == written else "stop")


@given(WRITTEN, st.lists(st.integers(0, 30)), WRITTEN)
def test_how_the_text_is_cut_into_chunks_changes_nothing(text: str, cuts: list[int], behind: str) -> None:
    places = sorted({0, *(cut for cut in cuts if cut < len(text)), len(text)})
    pieces = [text[start:end] for start, end in pairwise(places)] or [""]
    assert first(pieces, behind) == first([text], behind)


@given(WRITTEN)
def test_no_further_statement_is_begun(text: str) -> None:
    found, finish = first([text])
    assert text.startswith(found)
    if finish == "stop":
        assert text[len(found)] == "\n"
        assert found.count("\n") == len(found) - len(found.lstrip("\n")) or set(found) & set("([{")
