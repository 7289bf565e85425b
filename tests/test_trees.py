"""Boosted trees as they are stored, and what they learn from: the signs of each change."""

from math import exp

import pytest
from boosted import boosted
from logistic import Example

from redraft.edit.answer.answer import parse
from redraft.edit.merge.judge.signs import Signs, signs
from redraft.edit.merge.read import known_of
from redraft.edit.outline import outline
from redraft.edit.trees import chance

FILE = """\
import os


def load(path):
    # the whole file
    text = open(path).read()
    return parse(text)


def save(path, rows):
    write(path, rows)
"""
RIGHT = FILE.replace("write(path, rows)", "write(path, rows, atomic=True)")
BOTH = RIGHT.replace("open(path).read()", "Path(path).read_text()")
ANSWER = "`save` is atomic now:\n\n```python\ndef save(path, rows):\n    write(path, rows, atomic=True)\n```\n"


def noticed(text: str, asked: str = "make the writing atomic") -> list[Signs]:
    return of(FILE, text, asked)


def of(original: str, text: str, asked: str) -> list[Signs]:
    before, after = (each.split("\n") for each in (original, text))
    known = known_of(outline(tuple(before), "a.py"), "a.py")
    return [its for _, its in signs(before, after, parse(ANSWER, tuple(before), "a.py", known), asked, known)]


def test_a_tree_is_followed_to_a_leaf() -> None:
    tree = ["cost", 0.5, 1.0, ["margin", 2.0, -1.0, 3.0]]
    for features, total in (({}, 2.0), ({"cost": 1.0}, 0.0), ({"cost": 0.6, "margin": 2.5}, 4.0), ({"cost": 0.5}, 2.0)):
        assert chance([tree, 1.0], features) == pytest.approx(1 / (1 + exp(-total)))
    assert chance([], {"cost": 1.0}) == 0.5


def test_trees_learn_what_no_sum_of_weights_says() -> None:
    examples = [Example({"a": n % 10 / 10, "b": float(n % 3)}, 3 <= n % 10 < 7, str(n)) for n in range(400)]
    found = boosted(examples)
    assert next(iter(found.gains)) == "a"
    for each, held in zip(examples, found.held, strict=True):
        assert (chance(found.trees, each.features) > 0.8, held > 0.8) == (each.right, each.right)


def test_each_change_has_signs() -> None:
    first, second = noticed(BOTH)
    assert ("unspoken" in first, "unspoken" in second) == (True, False)
    assert (first["changes"], first["has request"], first["new shown"]) == (2.0, 1.0, 0.0)
    assert (second["new shown"], second["changes"]) == (1.0, 2.0)


def test_what_differs_is_known_by_what_is_told_as_it_is_spelled() -> None:
    asked = "take a `Path`, and wait for 30"
    (code,) = of(FILE, FILE.replace("open(path).read()", "Path(path).read_text()"), asked)
    assert ("gone told" in code, code["come told"], code["come quoted"]) == (False, 0.5, 0.5)
    (number,) = of("wait = 30\n", "wait = 45\n", asked)
    assert (number["gone told"], "come told" in number, "gone quoted" in number) == (1.0, False, False)
    assert ("number told" in number, "number told" in code) == (True, False)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (RIGHT, (True, True)),
        (FILE.replace("    # the whole file\n", ""), (True, False)),
        (FILE.replace("    text =", "    check(path)\n    text ="), (False, True)),
        (FILE.replace("import os\n\n", "import os\n"), (False, False)),
    ],
)
def test_changes_of_every_shape_have_signs(text: str, shape: tuple[bool, bool]) -> None:
    (found,) = noticed(text)
    assert (found["lines go"] > 0, found["lines come"] > 0) == shape
    assert noticed(text, "")[0]["has request"] == 0


def test_nothing_is_seen_of_no_change_and_of_too_many() -> None:
    assert noticed(FILE) == []
    lines = "".join(f"line {number}\n\n" for number in range(70))
    assert of(lines, lines.replace("line", "row"), "") == []
