"""In: what answers say about the ends of lines and files. Out: what becomes of them."""

import pytest

from redraft.edit.merge.read import read
from redraft.edit.merge.tidy import asks_newline, tidied

_ORIGINAL = "def load():  \n    return 1\n\t\ndef save():\n    return 2"
_UPDATE = "{}\n\n```python\ndef save():\n    return 3\n```\n"


@pytest.mark.parametrize(
    "said",
    [
        "Trailing whitespace is stripped in the whole file.",
        "Also remove trailing spaces everywhere",
        "Überall fallen Leerzeichen am Zeilenende weg.",
        "Убери пробелы в конце строк во всём файле",
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
