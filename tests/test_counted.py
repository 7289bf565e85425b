"""The words before a block tell which lines it replaces by how many there are."""

import pytest

from redraft.edit.merge.read import read

FILE = """\
def load(path):
    with open(path) as file:
        rows = parse(file)
    check(rows)
    rows.sort()
    rows.reverse()
    log(path)

    log(rows)
    return rows


def size(path):
    return len(load(path))
"""


def best(words: str, *lines: str) -> str:
    block = "".join(f"{line}\n" for line in lines)
    return read(FILE, f"{words}\n\n```python\n{block}```\n", "store.py").candidates[0].text


@pytest.mark.parametrize(
    "words",
    [
        "For the two lines under `check(rows)`:",
        "> `rows.sort()` and the line under it\n\nOne call does. For `rows.sort()` and the one line below it:",
    ],
)
def test_so_many_lines_below_a_line_are_replaced(words: str) -> None:
    assert best(words, "    rows.sort(reverse=True)") == FILE.replace(
        "    rows.sort()\n    rows.reverse()\n", "    rows.sort(reverse=True)\n"
    )


@pytest.mark.parametrize(
    "words", ["In `load` the two calls to `log` become:", "In `load`, both calls of `log()` become"]
)
def test_all_calls_of_a_name_are_replaced_where_nothing_else_stands_between(words: str) -> None:
    assert best(words, "    if verbose:", "        log(path)", "        log(rows)") == FILE.replace(
        "    log(path)\n\n    log(rows)\n", "    if verbose:\n        log(path)\n        log(rows)\n"
    )


def test_another_number_of_calls_than_there_are_tells_nothing() -> None:
    new = ("    log(path, rows)",)
    assert best("In `load`, the three calls to `log` become:", *new) != FILE.replace(
        "    log(path)\n\n    log(rows)\n", "    log(path, rows)\n"
    )


@pytest.mark.parametrize("words", ["In `size`, instead of its only line:", "In `size`, replace the one statement:"])
def test_the_only_statement_of_a_function_is_replaced(words: str) -> None:
    new = ("    rows = load(path)", "    return len(rows)")
    assert best(words, *new) == FILE.replace("    return len(load(path))\n", "".join(f"{line}\n" for line in new))


def test_lines_that_are_added_below_so_many_lines_replace_none() -> None:
    found = best("Below the two lines under `check(rows)`, add:", "    shuffle(rows)")
    assert set(FILE.split("\n")) <= set(found.split("\n"))
