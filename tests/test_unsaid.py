"""In: answers that do not show all lines of the file. Out: lines of which nothing is said stay."""

from redraft.edit.merge.read import read

FILE = """\
def total(items):
    seen = set()
    result = 0
    log.debug("adding %d", len(items))
    for item in items:
        result += item.price
    return result
"""
SHOWN = """\
```python
def total(items, rate):
    seen = set()
    result = 0
    for item in items:
        result += item.price * rate
    return result
```
"""


def first(prose: str, instruction: str = "") -> str:
    return read(FILE, f"{prose}\n\n{SHOWN}", "shop.py", instruction).candidates[0].text


def test_a_line_of_which_nothing_is_said_stays() -> None:
    text = first("Each `price` is multiplied by the rate in `total` now.")
    assert text == FILE.replace("items):", "items, rate):").replace("item.price", "item.price * rate")


def test_a_line_of_which_a_word_is_spoken_goes() -> None:
    assert "log" not in first("Each `price` is multiplied by the rate in `total`, the log says nothing of it.")


def test_a_line_goes_where_a_removal_is_asked_for() -> None:
    assert "log" not in first("`total` takes a rate.", "Remove the output, and multiply each price by a rate.")


def test_a_line_goes_where_the_answer_says_nothing_of_the_file() -> None:
    assert "log" not in first("Here you are:")


def test_a_blank_line_that_is_not_shown_stays() -> None:
    file = "a = 1\n\nb = 2\nc = 3\n"
    found = read(file, "The third, `c`, is 4 now.\n\n```python\na = 1\nb = 2\nc = 4\n```\n", "x.py").candidates[0]
    assert found.text == "a = 1\n\nb = 2\nc = 4\n"


def test_then_leads_to_another_place_and_is_no_label_of_what_comes_after() -> None:
    file = "def first(value):\n    return load(value)\n\n\ndef second(value):\n    return load(value)\n"
    answer = (
        "First, change this part:\n\n```python\ndef first(value):\n    return load(1)\n```\n\n"
        "Then:\n\n```python\ndef second(value):\n    return load(2)\n```\n"
    )
    new = "def first(value):\n    return load(1)\n\n\ndef second(value):\n    return load(2)\n"
    assert read(file, answer, "a.py").candidates[0].text == new
