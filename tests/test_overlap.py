"""In: blocks whose ends are like other lines of the file, or cut. Out: no declaration loses its last line."""

import pytest

from redraft.edit.merge.read import read

STORE = """class Store:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        return self
"""
CLEAR = "    def clear(self):\n        self.items = []\n        return self\n"


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("words", ["", "Add a method to the class:\n\n"])
def test_a_new_method_takes_no_line_from_the_one_above(words: str, gap: str) -> None:
    answer = f"{words}```python\nclass Store:\n    # ... existing code ...\n{gap}{CLEAR}```\n"
    assert read(STORE, answer, "store.py").candidates[0].text == f"{STORE}\n{CLEAR}"


def test_a_marker_above_a_declaration_is_no_comment_of_its() -> None:
    answer = f"```python\nclass Store:\n    # the rest stays\n{CLEAR}```\n"
    assert read(STORE, answer, "store.py").candidates[0].text == f"{STORE}\n{CLEAR}"


def test_a_block_that_begins_inside_of_a_function_may_end_inside_of_one() -> None:
    file = "def first():\n    return 1\n\n\ndef second(x):\n    x = load(x, 0)\n    x = load(x, 1)\n    return x\n"
    answer = "```\n    return 1\n\n\ndef second(x):\n    x = save(x, 0)\n    x = load(x, 1)\n```\n"
    assert read(file, answer, "a.py").candidates[0].text == file.replace("load(x, 0)", "save(x, 0)")
