"""The words before a block tell which lines it replaces by the first and the last of them."""

import pytest

from redraft.edit.merge.read import read

FILE = """\
def load(path):
    with open(path) as file:
        rows = parse(file)
    rows.sort()
    return rows


def store(path, rows):
    with open(path, "w") as file:
        write(file, rows)
    rows.sort()
    return rows
"""
NEW = "    rows = sorted(rows)\n    return tuple(rows)\n"


@pytest.mark.parametrize(
    "words",
    [
        "From `write(file, rows)` to `return rows`:",
        "Replace everything from `        write(file, rows)` through `    return rows` with",
        "The stretch that begins with\n\n> write(file, rows)\n\nand ends with\n\n> return rows\n\nshould read:",
        "First line `write(file, rows)`, last line `return rows`:",
    ],
)
def test_the_lines_from_the_first_through_the_last_are_replaced(words: str) -> None:
    start = FILE.index("        write")
    new = "        write_all(file, rows)\n    return rows\n"
    found = read(FILE, f"{words}\n\n```python\n{new}```\n", "store.py").candidates[0].text
    assert found == FILE[:start] + new


def test_of_two_stretches_the_one_that_is_shown_most_or_said_to_be_the_last_is_meant() -> None:
    new = "    rows.sort(key=name)\n    return rows\n"
    words = "Replace the lines from the last `rows.sort()` to `return rows` with"
    found = read(FILE, f"{words}\n\n```python\n{new}```\n", "store.py").candidates[0].text
    assert found == FILE[: FILE.rindex("    rows.sort()")] + new
