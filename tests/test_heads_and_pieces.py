"""In: answers that show a head alone, go on from the block before, or show what goes. Out: the file they mean."""

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
