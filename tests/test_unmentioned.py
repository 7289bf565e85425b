"""What a model that reads answers itself may change: what was shown or said, in words that file or answer have."""

import pytest

from redraft.edit.answer.answer import parse
from redraft.edit.guard.unmentioned import unmentioned

FILE = """import os
import sys

LIMIT = 10


def first(rows):
    for row in rows:
        print(row)


def second(rows):
    total = 0
    for row in rows:
        total += row.price
    return total


def third():
    os.remove("x")
    sys.exit(1)
"""
ANSWER = """`second` is bounded by `LIMIT` now, and `helper_name` names it:

```python
def second(lines):
    # sum of all lines
    total = 0
    for line in lines:
        total += line.price
    return min(total, LIMIT)
```
"""
BOUNDED = FILE.replace("return total", "return min(total, LIMIT)")


def said(output: str, request: str = "") -> str:
    return unmentioned(FILE, parse(ANSWER, FILE.split("\n"), "a.py"), request, output, "a.py") or ""


@pytest.mark.parametrize(
    ("output", "request_"),
    [
        (FILE, ""),
        (BOUNDED, ""),
        (BOUNDED.replace("import os\n", "\nimport os\n"), ""),
        (BOUNDED.replace("LIMIT = 10", "LIMIT = 10  "), ""),
        (BOUNDED.replace("LIMIT = 10", "limit = 20"), "and make the limit 20"),
        (BOUNDED.replace("def third", "def third_helper"), "and rename third as the helper is"),
        (BOUNDED[: BOUNDED.index("\n\ndef third")], "and drop third"),
    ],
)
def test_what_was_said_or_shown_passes(output: str, request_: str) -> None:
    assert said(output, request_) == ""


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (BOUNDED.replace("min(", "clamp("), "line 16 of the new file has what neither file nor answer has"),
        (BOUNDED.replace("print(row)", "print(rows)"), "near line 9 of the file is a change that the answer does not"),
        (BOUNDED.replace("import os\n", ""), "near line 1 of the file"),
        (BOUNDED.replace("    sys.exit(1)\n", ""), "near line 21 of the file"),
        (BOUNDED[: BOUNDED.index("\n\ndef third")], "near line 16 of the file"),
        (BOUNDED.replace("        print(row)", "    print(row)"), "near line 9 of the file"),
        (BOUNDED.replace("LIMIT = 10", "LIMIT  =  10"), "near line 4 of the file"),
        (BOUNDED.replace('    os.remove("x")\n', '    os.remove("x")\n' * 2), "near line 20 of the file"),
    ],
)
def test_what_was_not_is_named(output: str, message: str) -> None:
    assert message in said(output)


def test_a_declaration_may_not_go_that_nobody_names() -> None:
    lost = BOUNDED[: BOUNDED.index("def first")] + BOUNDED[BOUNDED.index("def second") :]
    assert "near line 7" in said(lost)
    assert "gone with first, of which nothing was said" in said(lost, "and remove the rows")
    assert said(lost, "and remove `first`") == ""


ELIDED = """Say so at the end:

```python
def second(rows):
    total = 0
    # ...
    return -total
```
"""


@pytest.mark.parametrize(("update", "is_told"), [(ELIDED, False), (ELIDED.replace("    # ...\n", ""), True)])
def test_what_a_marker_stands_for_may_not_go(update: str, is_told: bool) -> None:
    lost = FILE.replace("    for row in rows:\n        total += row.price\n    return total", "    return -total")
    assert (unmentioned(FILE, parse(update, FILE.split("\n"), "a.py"), "", lost, "a.py") is None) is is_told
