"""Reading by region: what is cut out comes back byte for byte, wherever the changes are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.text.window import near_changes, near_update, window
from redraft.errors import RedraftError

FILE = "".join(f"line {number}\n" for number in range(60))
texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "é\r\n"]), max_size=60).map("".join)


def test_lines_far_from_the_change_become_one_line() -> None:
    shown = window(FILE, {30}, 2)
    assert shown.text == (
        '<unchanged lines="28"/>\nline 28\nline 29\nline 30\nline 31\nline 32\n<unchanged lines="27"/>\n'
    )
    assert shown.restored(shown.text.replace("line 30", "LINE 30")) == FILE.replace("line 30", "LINE 30")


@given(texts, texts, st.integers(0, 3), st.sampled_from(["", "x"]))
def test_a_version_that_is_cut_comes_back(original: str, version: str, margin: int, last: str) -> None:
    original, version = original + last, version + last
    shown = window(original, near_changes(original, [version]), margin)
    cut = shown.cut(version)
    assert cut is not None
    assert shown.restored(cut) == version
    assert shown.restored(shown.text) == original


def test_several_changes_leave_gaps_between_them() -> None:
    new = FILE.replace("line 5\n", "").replace("line 50\n", "line 50\nmore\n")
    shown = window(FILE, near_changes(FILE, [new]), 3)
    assert len(shown.gaps) == 2
    assert shown.restored(str(shown.cut(new))) == new
    assert shown.cut(FILE.replace("line 20", "other")) is None


def test_what_an_update_shows_is_near() -> None:
    assert near_update(FILE, "# ...\n  line 7\n+ line 9\n}\n") == {7, 9}
    assert near_update("x\nx\n}\n", "x\n}\n") == set()


def test_a_file_that_spells_a_gap_is_left_whole() -> None:
    text = FILE + '<unchanged lines="3"/>\n'
    assert window(text, {1}, 1).text == text
    assert window(FILE, (), 1).text == FILE


def test_a_gap_that_was_lost_or_moved_is_refused() -> None:
    shown = window(FILE, {30}, 2)
    for written in ("line 30\n", shown.text + shown.text, shown.text.replace("28", "29")):
        with pytest.raises(RedraftError, match="lost the place"):
            shown.restored(written)
