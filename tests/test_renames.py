"""Sentences that give something another name, beside blocks that show some of the places."""

from redraft.edit.merge.read import read

FILE = """\
def first(rows):
    r = []
    for row in rows:
        r.append(row)
    return r


def second(rows):
    r = []
    for row in rows:
        r.append(row.strip())
    return r


def third(rows):
    r = []
    return r
"""
BLOCKS = """\
`first`:

```python
    result = []
    for row in rows:
        result.append(row)
```

`third`:

```python
    result = []
    return result
```
"""
RUST = """\
struct Row {
    width: usize,
}

impl Row {
    /// Reads a row
    pub fn parse(text: &str) -> Row {
        Row { width: text.len().to_string().parse::<usize>().unwrap() }
    }
}

fn load(text: &str) -> Row {
    Row::parse(text)
}
"""


def test_a_renamed_function_is_found_under_its_new_name_and_nothing_else_called_so_changes() -> None:
    block = "impl Row {\n    pub fn from_text(text: &str) -> Row {\n        // ...\n    }\n}\n"
    words = "Renamed `Row::parse` to `Row::from_text`, updated its callers and adjusted the tests."
    found = read(RUST, f"{words}\n\n```rust\n{block}```\n", "row.rs").candidates[0].text
    assert found == RUST.replace("fn parse", "fn from_text").replace("Row::parse", "Row::from_text")


def test_callers_that_have_to_be_changed_still_make_a_sentence_advice() -> None:
    words = "Rename `first` to `head` when the callers agree."
    assert read(FILE, f"{words}\n\n{BLOCKS}", "rows.py").candidates[0].text.startswith("def first")


NAMESPACE = """\
namespace one {
static int calls = 0;
static int stops = 0;
}  // namespace one
void run() {
  ++one::calls;
  stop();
}
"""


def test_increments_are_no_lines_of_a_diff_and_what_a_block_begins_with_has_its_new_name() -> None:
    new = NAMESPACE.replace("one", "single")
    answer = f"Renamed at the definition:\n\n```cpp\n{new}```\n"
    assert read(NAMESPACE, answer, "run.cc", "call the namespace single").candidates[0].text == new


BOX = """\
class Box:
    def sise(self):
        return None

    def put(self, item):
        self.items.append(item)

    def take(self):
        return self.items.pop()
"""


def _with_put(new: str) -> str:
    put = "    def put(self, item):\n        self.items.append(item)\n"
    return read(BOX, f"```python\n{new}\n{put}```\n", "box.py").candidates[0].text


def test_a_new_method_with_the_one_line_of_another_does_not_take_its_place() -> None:
    assert "def sise" in _with_put("    def colour(self):\n        return None\n")
