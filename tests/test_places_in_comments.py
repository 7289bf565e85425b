"""Comments within a block that tell where lines go: by names, lines, parts of lines, headings, two neighbours."""

import pytest

from redraft.edit.merge.read import known_of, read
from redraft.edit.outline import outline
from redraft.edit.words import quoting

SHOP = """\
import io
import json

# Prices
TAX = 0.2


def load(path):
    with open(path) as file:
        rows = json.load(file)
    return rows


def total(rows):
    rows = list(rows)
    return sum(row.price for row in rows)
"""


def best(answer: str, original: str = SHOP, path: str = "shop.py") -> str:
    return read(original, answer, path).candidates[0].text


def answer(*lines: str, before: str = "Some small insertions:") -> str:
    return "\n".join((before, "", "```python", *lines, "```", ""))


def test_lines_go_where_the_comments_above_them_tell_and_the_comments_go_nowhere() -> None:
    found = best(answer("# directly below `import io`:", "import re", "", "# below TAX = 0.2", "LIMIT = 9"))
    assert found == SHOP.replace("import io\n", "import io\nimport re\n").replace("0.2\n", "0.2\nLIMIT = 9\n")


@pytest.mark.parametrize(
    "comment",
    [
        '# >>> goes directly below "rows = json.load(file)"',
        "# --- in load(), below rows = json.load(file) ---",
        "# put this between rows = json.load(file) and return rows:",
        "# below `rows = json.load(file)`,\n# above `return rows`:",
    ],
)
def test_a_place_is_told_by_a_quoted_line_with_or_without_ticks(comment: str) -> None:
    found = best(answer(*comment.split("\n"), "    check(rows)"))
    assert found == SHOP.replace("load(file)\n", "load(file)\n    check(rows)\n")


def test_of_lines_that_stand_twice_the_one_with_the_other_neighbour_is_meant() -> None:
    twice = SHOP.replace("    rows = list(rows)\n", "    start()\n    done = 1\n    start()\n    rows = list(rows)\n")
    found = best("Below `start()` and above `rows = list(rows)`:\n\n```python\n    check()\n```\n", twice)
    assert found == twice.replace("    rows = list(rows)\n", "    check()\n    rows = list(rows)\n")


def test_a_line_that_stands_twice_is_looked_for_below_the_heading_that_is_named() -> None:
    script = "echo 'First part'\nrun << END\n  open\nEND\n\necho 'Second part'\nrun << END\n  open\nEND\n"
    text = 'Two lines:\n\n```sh\n# in "Second part", below open:\n  close\n```\n'
    assert best(text, script, "run.sh") == script[:-4] + "  close\nEND\n"


def test_blank_lines_stand_around_new_lines_only_where_words_ask_for_them() -> None:
    apart = best(answer("# below `import json`, separated by an empty line:", "import shop"))
    assert apart == SHOP.replace("import json\n", "import json\n\nimport shop\n")
    close = best(answer("# below `import json`, without an empty line:", "import shop"))
    assert close == SHOP.replace("import json\n", "import json\nimport shop\n")


def test_a_comment_of_the_code_stays_where_it_names_a_place() -> None:
    new = SHOP.replace("    return rows\n", "    # after load the rows are plain\n    return rows\n")
    shown = new[new.index("def load") : new.index("\n\ndef total")].split("\n")
    assert best(answer(*shown, before="`load` gets a comment:")) == new


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("below json.load(file) and above return", "below `json.load(file)` and above return"),
        ('under "Prices"', "under `Prices`"),
        (">>> below the tax line", "below the tax line"),
        ("after TAX = 0.2:", "after `TAX = 0.2`:"),
        ("below the loading line", "below the loading line"),
    ],
)
def test_the_code_of_the_file_is_quoted_in_a_comment(words: str, expected: str) -> None:
    assert quoting(words, known_of(outline(tuple(SHOP.split("\n")), "shop.py"), "shop.py")) == expected


RULES = """\
{
  "web": {
    "ports": [
      {
        "from": 80
      }
    ],
    "hosts": {
      "alpha": 1
    }
  },
  "mail": {
    "ports": [
      {
        "from": 25
      }
    ],
    "hosts": {
      "alpha": 1
    }
  }
}
"""


@pytest.mark.parametrize(
    "note",
    [
        '// mail > hosts, above "alpha":',
        '// mail.hosts: directly above "alpha"',
        "// mail \u2192 hosts: at the start",
        '// mail > hosts: put this above "alpha"',
    ],
)
def test_what_is_named_in_front_of_a_note_is_where_its_place_is_looked_for(note: str) -> None:
    found = best(f'Here:\n\n```jsonc\n{note}\n      "aleph": 0,\n```\n', RULES, "rules.json")
    start = RULES.index('      "alpha": 1', RULES.index('"mail"'))
    assert found == f'{RULES[:start]}      "aleph": 0,\n{RULES[start:]}'


def test_a_note_that_tells_no_place_cuts_a_block_where_one_like_it_does() -> None:
    new = "    rows = list(filter(None, rows))"
    text = answer("# in load, above `return rows`:", "    rows.sort()", "# and then, once more:", new)
    sorted_first = SHOP.replace("    return rows", "    rows.sort()\n    return rows")
    assert best(text) == sorted_first.replace("    rows = list(rows)", new)


def test_the_bracket_that_closes_something_is_its_end() -> None:
    told = 'directly below the "}" that closes `load`, no blank line between'
    text = f"Two more:\n\n```js\n// {told}:\nfunction two() {{}}\n```\n"
    file = "function load() {\n  return 1\n}\n\nfunction store() {\n  return 2\n}\n"
    assert best(text, file, "shop.js") == file.replace("}\n\n", "}\nfunction two() {}\n\n", 1)
    inside = "One more:\n\n```js\n// before the closing brace of `store`:\n  done()\n```\n"
    assert best(inside, file, "shop.js") == file.replace("return 2\n", "return 2\n  done()\n")


def test_lines_go_instead_of_the_one_that_a_note_names() -> None:
    found = best(answer("# below `rows = json.load(file)`, instead of `return rows`:", "    return tuple(rows)"))
    assert found == SHOP.replace("    return rows\n", "    return tuple(rows)\n")


def test_a_capital_tells_the_name_of_a_neighbour() -> None:
    file = "Rate = 1\n\n\ndef load():\n    return Rate\n"
    found = best(answer("# between the Rate constant and load():", "Limit = 2"), file)
    assert found.index("Rate = 1") < found.index("Limit = 2") < found.index("def load")
