"""A file whose path nobody tells is read as what it is: as the answer calls its code, else as what reads it best."""

import pytest

from redraft.edit.guard.check import WRITTEN
from redraft.edit.outline.grammars import grammar
from redraft.edit.outline.guessed import guessed
from redraft.edit.request import Request
from redraft.edit.text.kind import is_kind, is_path_of
from redraft.reading import merged
from test_conformance import cases

_ALIKE = {"javascript": "tsx", "typescript": "tsx"}  # what reads one of them reads most of the others
_FILES = {
    "python": "import os\n\n\ndef root():\n    return os.sep\n",
    "go": "package main\n\nfunc main() {\n\tprintln(1)\n}\n",
    "rust": "pub fn one() -> u8 {\n    let x = 1;\n    x\n}\n",
    "json": '{"name": "x", "list": [1, 2]}\n',
    "css": ".a {\n  color: red;\n}\n",
    "php": "<?php\nfunction one() { return 1; }\n",
    "dockerfile": "FROM debian\nRUN true\n",
    "markdown": "# A title\n\nWords.\n",
}


def family(path: str) -> str:
    return _ALIKE.get(grammar(path), grammar(path))


@pytest.mark.parametrize("language", _FILES)
def test_a_file_alone_tells_its_language(language: str) -> None:
    assert grammar(guessed(_FILES[language])) == language


def test_nothing_is_guessed_of_nothing() -> None:
    assert guessed("") == guessed("\n") == ""
    assert guessed("one two three\n") == ""


def test_what_the_answer_calls_its_code_goes_first() -> None:
    lines = "select 1;\n"
    assert grammar(Request(lines, "```sql\nselect 2;\n```\n").place) == "sql"
    assert grammar(Request("", "```python\nx = 1\n```\n").place) == "python"
    assert grammar(Request("x = 1\n", "```src/a.rb\nx = 2\n```\n").place) == "ruby"


def test_a_language_that_does_not_read_the_file_is_not_believed() -> None:
    assert grammar(Request(_FILES["go"], "```json\n{}\n```\n").place) == "go"


def test_a_path_is_taken_as_it_is() -> None:
    assert Request(_FILES["go"], "x", path="a.txt").place == "a.txt"


def test_a_file_of_a_kind_may_have_any_name_that_ends_so() -> None:
    assert is_kind("*.py")
    assert not is_kind("a.py")
    assert is_path_of("src/a.py", "*.py")
    assert not is_path_of("src/a.rb", "*.py")


def test_nearly_every_file_of_the_conformance_cases_is_known_without_its_path() -> None:
    found = [family(Request(each.original, each.update).place) == family(each.path) for each in cases()]
    assert sum(found) >= 0.98 * len(found)


def test_edits_are_read_without_the_path_as_with_it() -> None:
    some = [each for each in cases() if each.output is None and each.name.startswith(("python", "go", "rust", "class"))]
    assert len(some) > 40
    refused = 0  # an answer may name the file whose path nobody told
    for each in some:
        named, unnamed = (merged(Request(each.original, each.update, path=path)) for path in (each.path, ""))
        if named.status in WRITTEN and unnamed.status not in WRITTEN:
            refused += 1
        else:
            assert (unnamed.status, unnamed.output) == (named.status, named.output), each.name
    assert refused <= 0.05 * len(some)
