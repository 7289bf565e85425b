"""In: answers that retell comments, spaces at line ends, a byte-order mark. Out: the file's, unless they are meant."""

import pytest

from redraft.edit.merge.read import read

FILE = """# Reads rows.
def load(path):
    # Rows without a key are skipped.
    rows = parse(path)
    return rows


def close(file): 
    file.close()
"""
ANSWER = """{said}

```python
# Loads all the rows.
def load(path):
    # Skip rows that have no key.
    rows = parse(path)
    return sorted(rows)
```
"""


def likeliest(answer: str) -> str:
    return read(FILE, answer, "rows.py").candidates[0].text


def test_comments_beside_code_that_stays_are_those_of_the_file() -> None:
    assert likeliest(ANSWER.format(said="Sorted now:")) == FILE.replace("return rows", "return sorted(rows)")


@pytest.mark.parametrize(
    "said", ["Sorted now, and the comments say what happens:", "Sortiert, mit neuen Kommentaren:", "The docblock, too:"]
)
def test_comments_are_the_change_where_somebody_speaks_of_them(said: str) -> None:
    new = FILE.replace("return rows", "return sorted(rows)").replace("# Reads rows.", "# Loads all the rows.")
    assert likeliest(ANSWER.format(said=said)) == new.replace(
        "# Rows without a key are skipped.", "# Skip rows that have no key."
    )


@pytest.mark.parametrize("comment", ["# Reads up to 500 rows.", "# Reads rows in their order."])
def test_a_comment_with_a_new_number_or_a_word_that_is_spoken_of_is_meant(comment: str) -> None:
    answer = ANSWER.format(said="`load` returns them in order:").replace("# Loads all the rows.", comment)
    new = FILE.replace("return rows", "return sorted(rows)").replace("# Reads rows.", comment)
    assert likeliest(answer) == new


def test_a_whole_file_that_speaks_of_trailing_blanks_drops_them() -> None:
    new = FILE.replace("(file): ", "(file):").replace("return rows", "return sorted(rows)")
    answer = f"The complete module again, sorted and without trailing blanks:\n\n```python\n{new}```\n"
    assert likeliest(answer) == new


def test_a_byte_order_mark_that_is_copied_with_the_file_is_none_of_its_lines() -> None:
    new = FILE.replace("return rows", "return sorted(rows)")
    assert likeliest(f"The complete file:\n\n```python\n\ufeff{new}```\n") == new
