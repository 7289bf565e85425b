"""Where a block shows a change, and which lines stand beside it between two markers."""

from redraft.edit.answer.block import Line
from redraft.edit.merge.judge.showing import Showing, showings
from redraft.edit.text.changes import line_changes

BEFORE = ["def a():", "    one()", "", "def b():", "    two()", "", "def c():", "    three()"]
BLOCK = [
    *(Line(text, "code") for text in ("def a():", "    uno()")),
    Line("# ...", "marker"),
    *(Line(text, "code") for text in ("def c():", "    tres()")),
]


def test_changes_are_told_apart_by_the_markers_between_them() -> None:
    after = ["def a():", "    uno()", "", "def b():", "    two()", "", "def c():", "    tres()"]
    assert showings([BLOCK], after, line_changes(BEFORE, after)) == [Showing(0, 1, 1, 0), Showing(0, 4, 4, 3)]


def test_lines_that_are_gone_are_missed_where_the_lines_beside_them_are_shown() -> None:
    after = [line for line in BEFORE if line != "    one()"]
    assert showings([BLOCK], after, line_changes(BEFORE, after)) == [Showing(0, 0, 0, 0)]


def test_what_no_block_shows_has_no_showing() -> None:
    assert showings([BLOCK[3:4]], ["x"], line_changes(BEFORE, ["x"])) == [None]
