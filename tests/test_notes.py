"""In: answers whose comments and remarks speak to the reader. Out: files that hold the code alone."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.answer.block import Line
from redraft.edit.answer.notes import chances
from redraft.edit.merge.read import known_of, read
from redraft.edit.outline import outline

FILE = """\
import json
import os


def load(path):
    with open(path) as file:
        return json.load(file)


def check(rows):
    for row in rows:
        if not row:
            raise ValueError("empty row")


def save(rows, path):
    check(rows)
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as file:
        json.dump(rows, file)


def count(rows):
    return len(rows)
"""
LINES = FILE.splitlines()
KNOWN = known_of(outline(LINES, "rows.py"), "rows.py")


def likeliest(answer: str, file: str = FILE, path: str = "rows.py") -> str:
    return read(file, answer, path).candidates[0].text


@given(st.lists(st.text(max_size=40), max_size=12))
def test_chances_are_of_unknown_comments_alone(texts: list[str]) -> None:
    shown = [Line(text, "code") for text in (*LINES[:4], *texts)]
    found = chances(shown, LINES, KNOWN)
    assert all(0 <= chance <= 1 for chance in found.values())
    assert all(shown[at].text.strip() not in KNOWN.lines for at in found)


def test_what_stands_for_code_in_any_words_is_not_written() -> None:
    answer = """Indented output:

```python
def save(rows, path):
    # the check and the folder, here as they were
    with open(path, "w") as file:
        json.dump(rows, file, indent=1)
```
"""
    assert likeliest(answer) == FILE.replace("dump(rows, file)", "dump(rows, file, indent=1)")


def test_a_comment_of_new_code_is_written() -> None:
    new = "        # Rows of blanks alone count as empty, too.\n        if not any(row):\n"
    answer = f"Blank rows:\n\n```python\ndef check(rows):\n    for row in rows:\n{new}"
    answer += '            raise ValueError("empty row")\n```\n'
    assert likeliest(answer) == FILE.replace("        if not row:\n", new)


def test_a_quoted_line_is_added_where_the_sentence_says() -> None:
    answer = """Add `import sys` below `import os`. Then `count` prints:

```python
def count(rows):
    print(len(rows), file=sys.stderr)
    return len(rows)
```
"""
    expected = FILE.replace("import os\n", "import os\nimport sys\n")
    assert likeliest(answer) == expected.replace(
        "def count(rows):\n", "def count(rows):\n    print(len(rows), file=sys.stderr)\n"
    )


def test_a_quoted_line_that_a_block_brings_is_not_added_again() -> None:
    answer = "Add `import sys` below `import os`:\n\n```python\nimport json\nimport os\nimport sys\n```\n"
    assert likeliest(answer) == FILE.replace("import os\n", "import os\nimport sys\n")


def test_a_gutter_may_lack_numbers_where_lines_are_left_out() -> None:
    shown = ["16 | def save(rows, path):", "   | ...", "19 |     with open(path, 'w') as file:"]
    shown += ["20 |         json.dump(rows, file, indent=1)"]
    answer = "Indented:\n\n```python\n" + "\n".join(shown) + "\n```\n"
    assert likeliest(answer) == FILE.replace("dump(rows, file)", "dump(rows, file, indent=1)")


def test_a_comment_is_written_where_the_answer_is_about_comments() -> None:
    file = "def go():\n    x = 1\n    wait(x)\n    return x\n"
    answer = (
        "The comment says why we wait:\n\n```python\n    x = 1\n    # to exclude early readers\n    wait(x)\n```\n\n"
        "Only comments change.\n"
    )
    found = read(file, answer, "a.py", "Say in a comment why it waits.").candidates[0].text
    assert found == file.replace("    wait", "    # to exclude early readers\n    wait")


def test_a_line_of_signs_is_no_note() -> None:
    file = "int a;\n\nint b;\n"
    rule = "//" + "-" * 20
    shown = f"int a;\n\n{rule}\n// Counters\n{rule}\nint c;\n\n{rule}\n\nint b;\n"
    answer = f"The counter `c` goes between `a` and `b`:\n\n```c\n{shown}```\n"
    assert read(file, answer, "a.c", "Add a counter c in a section of its own.").candidates[0].text == shown


def test_a_comment_goes_on_in_a_line_that_begins_with_a_quotation() -> None:
    said = ("The rows that are counted here come from a", "`load`, which means that `rows` stay here as they are,")
    head = "".join(("def count(rows):\n", *(f"    # {text}\n" for text in (*said, "and are never empty."))))
    answer = f"Now with a comment:\n\n```python\n{head}    return len(rows)\n```\n"
    expected = FILE.replace("def count(rows):\n", head)
    assert likeliest(answer) == expected


def test_a_text_in_quotes_is_no_comment_whatever_it_begins_with() -> None:
    lines = [Line('        "(?m)^rows remain as they were before$")', "code"), Line('" the rest stays', "code")]
    assert [*chances(lines, LINES, KNOWN)] == [1]


def test_an_assignment_that_is_switched_off_is_code() -> None:
    lines = [Line("# rows = load(os.devnull)", "code"), Line("# nothing of rows stays as it was", "code")]
    assert [*chances(lines, LINES, KNOWN)] == [1]


def test_a_comment_that_goes_on_with_one_of_the_file_is_written() -> None:
    file = "func ready() bool {\n\t// the server is slow, so we do not\n\t// wait for its answer\n\treturn true\n}\n"
    new = "\t// also, save and load never tell whether any\n\t// of them has been called\n"
    code = file.replace("\treturn", f"{new}\treturn").replace("return true", "return isReady")
    answer = f"In `ready`:\n\n```go\n{code}```\n\nThat is all.\n"
    assert read(file, answer, "ready.go", "note why it is not waited for").candidates[0].text == code


def test_a_link_in_a_documentation_is_no_note() -> None:
    file = "use std::io;\n\n/// A store of rows.\n#[derive(Debug)]\npub struct Store {\n    rows: Vec<Row>,\n}\n"
    docs = "/// All rows of a table.\n///\n/// Most callers want [`Table::rows`][rows] instead.\n///\n"
    docs += "/// [rows]: ./struct.Table.html#method.rows\n"
    answer = f"On the struct:\n\n```rust\n{docs}#[derive(Debug)]\npub struct Store {{\n```\n"
    found = read(file, answer, "store.rs").candidates[0].text
    assert found == file.replace("/// A store of rows.\n", docs)


def test_an_item_of_a_list_is_no_comment() -> None:
    file = "0.2.0\n=====\n\n  * First release of all\n"
    new = "0.3.0\n=====\n\n  * Defaults may be other than boolean. They apply to optional arguments only.\n"
    answer = f"The new entry, above the others:\n\n```markdown\n{new}\n{file}```\n\nThe rest stays.\n"
    assert read(file, answer, "CHANGES.md").candidates[0].text == f"{new}\n{file}"


@given(st.integers(min_value=1, max_value=6), st.sampled_from(["md", "markdown", "py"]))
def test_a_title_of_a_text_is_no_comment(level: int, suffix: str) -> None:
    title = f"{'#' * level} Projects that use it"
    known = known_of(outline(["# A selection"], f"a.{suffix}"), f"a.{suffix}")
    found = chances([Line(title, "code")], ["# A selection"], known)
    assert bool(found) == (suffix == "py")
