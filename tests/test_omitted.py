"""In: answers that do not show all lines of the file. Out: lines of which nothing is said stay."""

import pytest

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
    assert "log" not in first("Each `price` is multiplied by the rate in `total`; the debug log is gone.")


def test_a_line_may_go_where_a_removal_is_asked_for() -> None:
    asked = "Remove the output, and multiply each price by a rate."
    found = read(FILE, f"`total` takes a rate.\n\n{SHOWN}", "shop.py", asked).candidates
    assert {"log" in each.text for each in found} == {True, False}


def test_a_line_goes_where_nobody_says_a_word() -> None:
    assert "log" not in first("")


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


COMMENTED = """\
function area(shape) {
  // Circles have no corners.
  const round = shape.kind === 'circle';

  // Empty shapes are skipped.
  if (!shape.points) return 0;
  return shape.width * shape.height;
}
"""
WITHOUT = """\
```js
function area(shape) {
  const round = shape.kind === 'circle';

  if (!shape.points) return 0;
  // Widths are given in millimetres.
  return shape.width * shape.height / 100;
}
```
"""


def of_comments(prose: str, instruction: str) -> str:
    return read(COMMENTED, f"{prose}\n\n{WITHOUT}", "shapes.js", instruction).candidates[0].text


def test_comments_that_are_not_shown_stay_where_another_one_is_asked_for() -> None:
    text = of_comments("The `area` is in square centimetres.", "Divide area by 100, and say why in a comment.")
    assert all(word in text for word in ("Circles", "Empty", "millimetres"))


def test_comments_that_are_not_shown_go_where_a_sentence_removes_comments() -> None:
    text = of_comments("The `area` is divided, and the other comments are removed.", "Divide it, drop stale comments.")
    assert not any(word in text for word in ("Circles", "Empty"))


def test_a_number_that_is_written_otherwise_is_the_files() -> None:
    file = "const LIMIT = 1_000_000;\nconst MASK = 0x00ff;\nconst STEP = 4;\n"
    answer = "`STEP` is 8 now:\n\n```js\nconst LIMIT = 1000000;\nconst MASK = 0xFF;\nconst STEP = 8;\n```\n"
    assert read(file, answer, "a.js").candidates[0].text == file.replace("4;", "8;")


def test_an_import_of_a_name_that_is_still_used_stays() -> None:
    imports = 'import (\n\t"os"\n\n\t"example.org/acme/queue"\n)\n'
    file = f"package a\n\n{imports}\nfunc Run() {{\n\tqueue.Push(os.Args)\n}}\n"
    answer = (
        "The `go` keyword starts it, and `queue` waits:\n\n"
        '```go\nimport (\n\t"fmt"\n\t"os"\n)\n\n// ...\n\nfunc Stop() {\n\tfmt.Print(1)\n}\n```\n'
    )
    found = read(file, answer, "a.go", "Add a Stop that ends the process.").candidates[0].text
    assert '"example.org/acme/queue"' in found


def test_an_import_goes_of_which_a_sentence_says_so() -> None:
    file = "import { one, two } from './a';\nimport { three } from './b';\n\nthree(one, two);\n// three things\n"
    answer = (
        "I removed the import of `three`, which nobody needs:\n\n"
        "```js\nimport { one, two } from './a';\n\nrun(one, two);\n// three things\n```\n"
    )
    assert "./b" not in read(file, answer, "a.js").candidates[0].text


def test_the_last_line_of_a_construct_stays_where_another_construct_is_shown_behind_it() -> None:
    top = 'it "adds" do\n    expect(1 + 1).to eq 2\n'
    file = f'describe "sums" do\n  {top}    expect(2 + 2).to eq 4\n  end\nend\n'
    new = '\n  it "subtracts" do\n    expect(3 - 1).to eq 2\n  end\n'
    answer = f"Added a spec for differences:\n\n```ruby\n  {top}  end\n{new}end\n```\n"
    found = read(file, answer, "sums_spec.rb", "Add a spec for differences.").candidates[0].text
    assert found == file.replace("4\n  end\n", f"4\n  end\n{new}")


MOVED = """\
async function load(key) {
  try {
    if (known.has(key)) {
      return known.get(key);
    }

    throw new LoadError({
      reason: `nobody knows ${key}`,
    });
  } catch (error) {
    report(error);
  }
}
"""


def test_what_moves_is_not_kept_where_it_was_though_words_tell_of_no_removal() -> None:
    thrown = "\n    throw new LoadError({\n      reason: `nobody knows ${key}`,\n    });\n"
    new = MOVED.replace(thrown, "").replace("(error);\n  }\n", f"(error);\n  }}\n{thrown}".replace("\n  ", "\n"))
    said = "The throw can be added after the `try`, all known keys return before that."
    assert read(MOVED, f"{said}\n\n```js\n{new}```\n", "load.js", "It is caught twice.").candidates[0].text == new


LISTED = """\
class Store {
    void open() {
        rows = read();
    }
    int size() {
        return rows.length;
    }
    int sizeOf(Legacy store) {
        return store.rows.length;
    }
    void close() {
        rows = null;
    }
}
"""


@pytest.mark.parametrize(
    ("said", "goes"),
    [
        ("So these are gone:\n\n- `int sizeOf(Legacy store)`\n- nothing else", True),
        ("Gone now:\n\n1. `sizeOf(Legacy store)`, which nobody calls.", True),
        ("Beside it stand:\n\n- `int sizeOf(Legacy store)`", False),
    ],
)
def test_what_a_list_below_words_of_a_removal_names_goes(said: str, goes: bool) -> None:
    legacy = "    int sizeOf(Legacy store) {\n        return store.rows.length;\n    }\n"
    new = LISTED.replace("return rows", "return rows == null ? 0 : rows")
    shown = "\n".join(new.replace(legacy, "").split("\n")[4:-2])
    answer = f"Rows may be missing.\n\n```java\n    // ...\n{shown}\n```\n\n{said}\n"
    found = read(LISTED, answer, "Store.java", "Do not fail on a closed store.").candidates[0]
    assert found.text == (new.replace(legacy, "") if goes else new)


def test_an_assignment_goes_whose_value_a_new_line_has_taken_over() -> None:
    head = "def get(url, values):\n    send = opened()\n"
    file = f"{head}    if values:\n        url = url + encoded(values)\n    return send(url)\n"
    new = f"{head}    return send(url + encoded(values), None)\n"
    said = "`get` hands `None` on, and the unused `io` import is removed."
    assert read(file, f"{said}\n\n```python\n{new}```\n", "net.py", "Send no body.").candidates[0].text == new


def test_separators_are_meant_where_words_speak_of_them() -> None:
    file = "let colours = [\n  'red',\n  'blue',\n]\nlet sizes = [\n  1,\n  2,\n]\n"
    answer = "```js\nlet colours = [\n  'red',\n  'green'\n]\nlet sizes = [\n  1,\n  2\n]\n```\n"
    new = file.replace("'blue',", "'green'")
    assert read(file, f"`green` comes.\n\n{answer}", "a.js", "Use green").candidates[0].text != new.replace("2,", "2")
    said = "`green` comes, and no trailing commas."
    assert read(file, f"{said}\n\n{answer}", "a.js", "Use green").candidates[0].text == new.replace("2,", "2")
