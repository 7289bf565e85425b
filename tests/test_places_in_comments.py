"""Comments within a block that tell where lines go: nothing is written at another place; the words above tell it."""

import pytest

from redraft.edit.merge.read import read
from redraft.edit.request import Request
from redraft.reading import merged

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


def test_of_lines_that_stand_twice_the_one_with_the_other_neighbour_is_meant() -> None:
    twice = SHOP.replace("    rows = list(rows)\n", "    start()\n    done = 1\n    start()\n    rows = list(rows)\n")
    found = best("Below `start()` and above `rows = list(rows)`:\n\n```python\n    check()\n```\n", twice)
    assert found == twice.replace("    rows = list(rows)\n", "    check()\n    rows = list(rows)\n")


def test_blank_lines_stand_around_new_lines_only_where_words_ask_for_them() -> None:
    apart = best(answer("import shop", before="Below `import json`, separated by an empty line:"))
    assert apart == SHOP.replace("import json\n", "import json\n\nimport shop\n")
    close = best(answer("import shop", before="Below `import json`, without an empty line:"))
    assert close == SHOP.replace("import json\n", "import json\nimport shop\n")


def test_a_comment_of_the_code_stays_where_it_names_a_place() -> None:
    new = SHOP.replace("    return rows\n", "    # after load the rows are plain\n    return rows\n")
    shown = new[new.index("def load") : new.index("\n\ndef total")].split("\n")
    assert best(answer(*shown, before="`load` gets a comment:")) == new


def test_a_capital_tells_the_name_of_a_neighbour() -> None:
    file = "Rate = 1\n\n\ndef load():\n    return Rate\n"
    found = best(answer("Limit = 2", before="Between the Rate constant and load():"), file)
    assert found.index("Rate = 1") < found.index("Limit = 2") < found.index("def load")


@pytest.mark.parametrize(
    "comment",
    [
        "# directly below `import io`:",
        '# >>> goes directly below "rows = json.load(file)"',
        "# put this between rows = json.load(file) and return rows:",
        "# between `load` and `total`",
        "# in load, above `return rows`:",
    ],
)
def test_where_a_comment_tells_a_place_it_is_asked_for(comment: str) -> None:
    result = merged(Request(SHOP, answer(comment, "    check(rows)"), "", "shop.py"))
    assert result.status == "needs_context"
