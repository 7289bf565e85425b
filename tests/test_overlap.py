"""In: a class and a new method that ends as its last one does. Out: both keep their last line."""

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
