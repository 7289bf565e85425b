"""In: answers that show a head alone, go on from the block before, or show what goes. Out: the file they mean."""

import pytest

from redraft.edit.merge.read import read

FILE = """def load(path):
    with open(path) as file:
        return parse(file)


def save(path, rows):
    with open(path) as file:
        write(file, rows)
    return len(rows)


class Shop:
    def open(self):
        self.door = True
"""


def likeliest(answer: str) -> str:
    return read(FILE, answer, "shop.py").candidates[0].text


def block(*lines: str) -> str:
    return "\n".join(["", "```python", *lines, "```", ""])


@pytest.mark.parametrize(
    ("head", "old", "new"),
    [
        (["def save(path, rows, mode='w'):"], "def save(path, rows):", "def save(path, rows, mode='w'):"),
        (["def load_rows(path):"], "def load(path):", "def load_rows(path):"),
        (
            ["def open(", "    self,", "    key,", "):"],
            "    def open(self):",
            "    def open(\n        self,\n        key,\n    ):",
        ),
    ],
)
def test_a_head_alone_is_exchanged_and_its_body_stays(head: list[str], old: str, new: str) -> None:
    assert likeliest(f"Only the signature changes:\n{block(*head)}\nThe body stays.") == FILE.replace(old, new)


def test_a_block_goes_on_in_the_declaration_whose_head_was_shown_before() -> None:
    answer = f"`save` keeps its head:\n{block('def save(path, rows):')}\nIts file is opened for writing:\n" + block(
        '    with open(path, "w") as file:'
    )
    old, new = "with open(path) as file:\n        write", 'with open(path, "w") as file:\n        write'
    assert likeliest(answer) == FILE.replace(old, new)


def test_lines_shown_under_a_sentence_that_orders_them_to_go_are_taken_out() -> None:
    answer = (
        f"Nobody opens shops any more. Remove these lines:\n{block('    def open(self):', '        self.door = True')}"
    )
    assert likeliest(answer) == FILE.replace("    def open(self):\n        self.door = True\n", "")


def test_what_remains_after_a_removal_is_no_order_to_take_it_out() -> None:
    answer = f"`save` is removed, which leaves:\n{block('def load(path):', '    with open(path) as file:')}"
    assert "def load(path):" in likeliest(answer)


def test_blank_lines_left_out_between_methods_do_not_double_what_closes_them() -> None:
    file = "class A\n  def one\n    1\n  end\n\n  def two\n    2\n  end\nend\n"
    answer = "`two` is three now.\n```ruby\nclass A\n  def one\n    ...\n  end\n  def two\n    3\n  end\nend\n```\n"
    assert read(file, answer, "a.rb").candidates[0].text == file.replace("    2\n", "    3\n")


def test_a_last_function_that_is_cut_off_keeps_its_rest_however_its_head_is_spaced() -> None:
    above, main = (
        "void shut(int at) {\n    at = 0;\n}\n\n",
        "int main (int n) {\n    if (n) {\n        return 1;\n    }\n",
    )
    file = f"{above}{main}\n    run(n);\n    return 0;\n}}\n"
    shown = above.replace("0", "1") + main.replace("main (", "main(")
    answer = f"`shut` sets 1, and nothing changes in `main`:\n\n```c\n{shown}```\n"
    assert read(file, answer, "main.c").candidates[0].text == file.replace("at = 0", "at = 1")
