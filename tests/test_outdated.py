"""What an answer replaces and does not show goes; what it only does not show stays."""

from collections import Counter

import pytest

from redraft.edit.answer.answer import parse
from redraft.edit.merge.judge.outdated import without
from redraft.edit.merge.judge.remains import remains
from redraft.edit.merge.judge.staying import Staying
from redraft.edit.merge.read import read
from redraft.edit.outline import outline
from redraft.edit.words import Known

FILE = """\
import os
import sys

def first(value):
    if value:
        return 1
    return 2


@cached
def second(value):
    return value


def third(value):
    return value
"""
LINES = tuple(FILE.removesuffix("\n").split("\n"))


@pytest.mark.parametrize("path", ["a.py", "a.txt"])
@pytest.mark.parametrize("shown", [{0}, {1, 4}, {3, 10}, {0, 11, 15}, {14}, set(range(0, 16, 3))])
def test_a_stretch_lies_beside_a_line_that_is_shown_and_holds_none(shown: set[int], path: str) -> None:
    found = [*remains(outline(LINES, path), shown)]
    assert found
    for each in found:
        assert not any(at in shown for at in range(each.start, each.end) if LINES[at].strip())
        assert each.beside in shown
        assert each.top <= each.start < each.end <= each.bottom
        between = LINES[each.beside + 1 : each.start] if each.is_below else LINES[each.end : each.beside]
        assert not any(line.strip() for line in between)
        assert LINES[each.start].strip()
        assert LINES[each.end - 1].strip()


def test_a_stretch_may_be_a_whole_declaration_with_what_stands_above_it() -> None:
    found = {LINES[each.start : each.end] for each in remains(outline(LINES, "a.py"), {14})}
    assert LINES[9:12] in found
    assert LINES[11:12] in found


def test_nothing_lies_beside_lines_where_none_or_all_are_shown() -> None:
    assert not [*remains(outline(LINES, "a.py"), set())]
    assert not [*remains(outline(LINES, "a.py"), range(len(LINES)))]


def test_blank_lines_do_not_stay_on_both_sides_of_a_stretch_that_goes() -> None:
    for each in remains(outline(LINES, "a.py"), {3, 14}):
        left = without(LINES, each)
        assert [line for line in left if line.strip()] == [
            line for line in (*LINES[: each.start], *LINES[each.end :]) if line.strip()
        ]
        assert "\n\n\n\n" not in "\n".join(left)


SWITCH = (
    "".join(
        f"int step{n}(struct table *t)\n{{\n    t->count[{n}]++;\n    return t->count[{n}];\n}}\n\n" for n in range(8)
    )
    + """\
int build(enum kind kind, struct table *t)
{
    switch (kind) {
    case CODES:
        t->base = codes;
        t->match = 20;
        break;
    case LENS:
        t->base = lens;
        t->match = 257;
        break;
    default:            /* DISTS */
        t->base = dists;
        t->match = 0;
    }
    return 0;
}
"""
)
DISTS = "    case DISTS:\n        t->base = dists;\n        t->match = 0;\n    }\n"


def test_a_line_that_a_new_one_stands_for_goes_and_both_ways_are_weighed() -> None:
    update = f"```c\n{DISTS}```\n\n`enum kind` has only the three values, so all cases are covered.\n"
    asked = "the default case in that switch is obfuscating, use `case DISTS:` (then the comment can go)"
    found = read(SWITCH, update, "tables.c", asked)
    right = SWITCH.replace("default:            /* DISTS */", "case DISTS:")
    assert found.candidates[0].text == right
    assert any("default:" in each.text for each in found.candidates[1:])
    assert found.candidates[0].outdated < 0.5 < max(each.outdated for each in found.candidates[1:])


def test_the_neighbours_of_what_is_only_put_in_stay() -> None:
    update = "Add it below `second`:\n\n```python\ndef newer(value):\n    return value + 1\n```\n"
    found = read(FILE, update, "a.py", "I need a newer()")
    left = Counter(FILE.split("\n"))
    left.subtract(found.candidates[0].text.split("\n"))
    assert not +left


def test_a_head_does_not_go_without_its_body() -> None:
    before = "switch (a) {\n  case 1:\n    one();\n    break;\n  case 2:\n    two();\n    break;\n}\n"
    after = before.replace("  case 2:", "  case 3:\n    three();\n    break;\n  case 2:")
    lines = [text.split("\n") for text in (before, after)]
    shown = "```js\n  case 3:\n    three();\n    break;\n```\n"
    answer = parse(shown, tuple(lines[0]), "a.js", Known())
    heads = [
        each
        for each, _ in Staying(*lines, answer, "", Known(path="a.js")).found()
        if lines[1][each.end - 1][-1:] == ":"
    ]
    assert not heads
