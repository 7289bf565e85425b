"""In: what answers say about the ends of lines and files. Out: what becomes of them."""

import pytest

from redraft.edit.merge.passes.tidy import asks_newline, tidied
from redraft.edit.merge.read import read

_ORIGINAL = "def load():  \n    return 1\n\t\ndef save():\n    return 2"
_UPDATE = "{}\n\n```python\ndef save():\n    return 3\n```\n"


@pytest.mark.parametrize(
    "said",
    [
        "Trailing whitespace is stripped in the whole file.",
        "Also remove trailing spaces everywhere",
    ],
)
def test_spaces_at_the_ends_of_all_lines_go_where_a_sentence_says_so(said: str) -> None:
    assert tidied(("a  ", "\t", "b"), said) == ("a", "", "b")


@pytest.mark.parametrize(
    "said", ["The trailing space in the title is gone.", "Spaces around `=` are removed in the file."]
)
def test_other_spaces_stay(said: str) -> None:
    assert tidied(("a  ", "\t", "b"), said) == ("a  ", "\t", "b")


@pytest.mark.parametrize("said", ["Newline at EOF, too", "The file now ends with a newline.", "Add a final newline"])
def test_a_file_ends_in_a_newline_where_a_sentence_says_so(said: str) -> None:
    assert asks_newline(said)


@pytest.mark.parametrize(
    "said",
    ["No newline at end of file", "Remove the trailing newline", "A newline ends the loop", "`read` keeps newlines"],
)
def test_other_words_on_newlines_change_no_end(said: str) -> None:
    assert not asks_newline(said)


def test_both_come_with_a_change() -> None:
    said = "`save` returns 3. I also stripped trailing whitespace in the file, and added a newline at the end:"
    found = read(_ORIGINAL, _UPDATE.format(said), "store.py").candidates[0].text
    assert found == "def load():\n    return 1\n\ndef save():\n    return 3\n"


_BLANKED = "def load():  \n    return 1\n    \ndef save():\n    return 2\n\t\ndef drop():\n    return 3\n"


@pytest.mark.parametrize(
    ("said", "end"),
    [
        ("The trailing blanks above `save` are dropped, too", "\t\n"),
        ("No trailing whitespace above `def drop` either", "\n"),
        ("The trailing whitespace stays as it is", None),
        ("It is two lines now", None),
    ],
)
def test_lines_end_as_shown_and_told_where_words_speak_of_their_ends(said: str, end: str | None) -> None:
    update = f"`save` returns 4. {said}:\n\n```python\n    return 1\n\ndef save():\n    return 4\n```\n"
    found = read(_BLANKED, update, "store.py").candidates[0].text
    right = _BLANKED.replace("return 2", "return 4")
    if end is not None:
        right = right.replace("1\n    \n", "1\n\n").replace("\t\n", end)
    assert found == right
