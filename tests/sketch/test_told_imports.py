"""In: answers whose sentences quote an import. Out: it comes, where words bring it and the file lacks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.request import Request
from redraft.reading import merged

FILES = {  # a file without an import, what it becomes, and where imports go
    "a.py": ("def run(a):\n    return {}\n", "import math", "\n\n\n"),
    "a.ts": ("export function run(a: number) {{\n  return {};\n}}\n", 'import {{ b }} from "./b";', "\n\n"),
    "a.rs": ("fn run(a: u32) -> u32 {{\n    {}\n}}\n", "use std::fmt;", "\n\n"),
}
WORDS = (
    "You also have to add `{}` at the top of the file.",
    "Don't forget to add `{}` at the top.",
    "You'll need one more import: `{}`.",
    "Remember to import it: `{}`",
)


@given(st.sampled_from(sorted(FILES)), st.sampled_from(WORDS), st.booleans())
def test_an_import_that_words_bring_comes(path: str, words: str, is_above: bool) -> None:
    body, new, gap = FILES[path]
    new = new.format()
    block = f"```\n{body.format('a + 1')}```"
    said = words.format(new)
    answer = f"{said}\n\n{block}\n" if is_above else f"{block}\n\n{said}\n"
    found = merged(Request(body.format("a"), answer, path=path))
    assert (found.status, found.output) == ("applied", f"{new}{gap}{body.format('a + 1')}")


@pytest.mark.parametrize(
    "words",
    [
        "`import math` is no longer needed.",
        "The file has `import math` already.",
        "If you want `pi`, add `import math`.",
        "You could also add `import math`.",
    ],
)
def test_an_import_that_words_do_not_bring_stays_away(words: str) -> None:
    body = FILES["a.py"][0]
    answer = f"```python\n{body.format('a + 1')}```\n\n{words}\n"
    found = merged(Request(body.format("a"), answer, path="a.py"))
    assert found.status != "applied" or "import" not in (found.output or "")


def test_an_import_that_is_there_does_not_come_again() -> None:
    body = FILES["a.py"][0]
    original = f"import math\n\n\n{body.format('a')}"
    answer = f"```python\n{body.format('a + 1')}```\n\nAdd `import math` at the top.\n"
    found = merged(Request(original, answer, path="a.py"))
    assert found.output == f"import math\n\n\n{body.format('a + 1')}"


@pytest.mark.parametrize(
    ("head", "path"),
    [
        ('"""Counts."""\n\n', "a.py"),
        ("#!/usr/bin/env python\n# All of it.\n\n", "a.py"),
        ("package main\n\n", "a.go"),
        ("'use strict';\n\n", "a.js"),
    ],
)
def test_the_first_import_comes_below_the_header(head: str, path: str) -> None:
    new = 'import "fmt"' if path == "a.go" else "import fs from 'fs';" if path == "a.js" else "import os"
    body = "x := 1\n" if path == "a.go" else "x = 1\n"
    found = merged(Request(f"{head}{body}", f"Add the import:\n\n```\n{new}\n```\n", path=path))
    assert found.output == f"{head}{new}\n\n{body}"


def test_an_import_for_a_file_whose_first_text_does_not_end_is_no_crash() -> None:
    found = merged(Request('"""Counts.\n\nx = 1\n', "Add the import:\n\n```python\nimport os\n```\n", path="a.py"))
    assert found.status != "error"
