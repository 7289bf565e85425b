"""In: answers with words to their reader inside of code. Out: files without them."""

import pytest

from redraft.edit.merge.read import read
from redraft.edit.words import Known, is_marker

FILE = """\
{
  "delay": 120,
  "name": "hall",
  "rows": [1, 2]
}
"""


@pytest.mark.parametrize("remark", ["// was 120", "// new", "// <-- changed", "# updated.", "/* now */"])
def test_a_remark_at_the_end_of_a_line_is_not_written(remark: str) -> None:
    answer = f'The delay is shorter.\n\n```json\n{{\n  "delay": 60,   {remark}\n  "name": "hall",\n```\n'
    assert read(FILE, answer, "kiosk.json").candidates[0].text == FILE.replace("120", "60")


def test_a_comment_that_explains_a_line_is_written() -> None:
    answer = "The limit is explained.\n\n```python\na = 1\nlimit = 60  # seconds, new clocks need less\n```\n"
    found = read("a = 1\nlimit = 50\n", answer, "x.py").candidates[0].text
    assert found == "a = 1\nlimit = 60  # seconds, new clocks need less\n"


@pytest.mark.parametrize("word", ["same", "ditto"])
def test_one_word_of_sameness_is_a_marker(word: str) -> None:
    assert is_marker(f"// {word}", Known())


@pytest.mark.parametrize("comment", ["/* max-width: calc(100% - 40px); */", "/* order: 2; */"])
def test_a_new_statement_that_is_switched_off_is_no_word_to_the_reader(comment: str) -> None:
    file = ".box {\n  width: 20px;\n  height: 4px;\n}\n"
    new = file.replace("20px", "30px").replace("4px;\n", f"4px;\n  {comment}\n")
    assert read(file, f"```css\n{new}```\n\nOnly the box is wider.\n", "a.css").candidates[0].text == new
