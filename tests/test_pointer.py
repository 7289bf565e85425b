"""The rules that the embedded model is built with: which line of file or sketch comes after which."""

from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.prompts.pointer import Pointer

FILE = ["import os", "import re", "", "def a():", "    x = 1", "    return x", "", "def b():", "    return 2"]
LINES = st.lists(st.sampled_from(["", "}", "x = 1", "x = 2", "y", "    y", "..."]), max_size=10)


def pointer(sketch: list[str], original: list[str] = FILE) -> Pointer:
    return Pointer([f"{line}\n" for line in original], [f"{line}\n" for line in sketch], [s == "..." for s in sketch])


def written(sketch: list[str], original: list[str] = FILE) -> list[str]:
    """What the rules write; stops after twice as many lines as there are."""
    rules, place, output = pointer(sketch, original), 0, []
    while len(output) <= 2 * (len(original) + len(sketch)):
        place = rules.next(place)
        if place > len(original):
            break
        output.append(original[place - 1] if place > 0 else sketch[-place - 1])
    return output


def test_a_marker_alone_is_the_file() -> None:
    assert written(["..."]) == FILE


def test_new_lines_come_after_the_line_they_follow() -> None:
    sketch = ["...", "def a():", "    log()", "    x = 1", "..."]
    assert written(sketch) == [*FILE[:4], "    log()", *FILE[4:]]


def test_lines_between_two_that_stay_are_replaced() -> None:
    sketch = ["...", "def a():", "    return 0", "", "def b():", "..."]
    assert written(sketch) == [*FILE[:4], "    return 0", *FILE[6:]]


def test_a_new_first_line_comes_first() -> None:
    assert written(["# new", "import os", "..."]) == ["# new", *FILE]
    assert written(["# new", "..."]) == ["# new", *FILE]


def test_a_line_before_a_marker_replaces_the_one_that_begins_like_it() -> None:
    assert written(["...", "def a():", "    x = 5", "..."]) == [*FILE[:4], "    x = 5", *FILE[5:]]
    assert written(["import os", "import json", "..."]) == ["import os", "import json", *FILE[1:]]


def test_a_line_that_stands_several_times_belongs_where_the_line_before_it_does() -> None:
    original = ["a", "}", "b", "}", "c", "}"]
    assert written(["...", "b", "}", "new", "..."], original) == ["a", "}", "b", "}", "new", "c", "}"]


def test_a_known_line_out_of_order_is_new_text() -> None:
    original = ["a", "b", "c", "d"]
    assert written(["...", "c", "a", "d"], original) == ["a", "b", "c", "a", "d"]


def test_a_marker_leads_on_from_the_last_home_that_is_kept() -> None:
    original = ["a", "b", "c", "d"]
    assert written(["...", "c", "a", "..."], original) == ["a", "b", "c", "a", "d"]


def test_brackets_alone_tell_no_place() -> None:
    original = ["a", "b", "({", "c", "d"]
    assert written(["a", "new", "({", "b", "..."], original) == ["a", "new", "({", *original[1:]]


def test_a_line_without_text_is_the_end_of_the_file() -> None:
    original = ["a\n", "b\n", "c\n"]
    rules = Pointer(original, ["a\n", "new\n", ""], [False, False, False])
    assert [rules.next(1), rules.next(-2)] == [-2, 4]


def test_an_unchanged_file_is_labelled_line_by_line() -> None:
    assert pointer(["..."]).labels([f"{line}\n" for line in FILE]) == list(range(1, len(FILE) + 1))


@given(LINES, LINES, LINES)
def test_every_label_of_a_known_line_shows_it(original: list[str], sketch: list[str], result: list[str]) -> None:
    labels = pointer(sketch, original).labels([f"{line}\n" for line in result])
    known = {*original, *(line for line in sketch if line != "...")}
    for label, line in zip(labels, result, strict=True):
        if line in known:
            assert (original[label - 1] if label > 0 else sketch[-label - 1]) == line


@given(LINES, LINES)
def test_the_rules_label_what_they_write_as_they_write_it(original: list[str], sketch: list[str]) -> None:
    output = written(sketch, original)
    if len(output) <= 2 * (len(original) + len(sketch)):
        rules, place = pointer(sketch, original), 0
        for label in rules.labels([f"{line}\n" for line in output]):
            place = rules.next(place)
            assert label == place
