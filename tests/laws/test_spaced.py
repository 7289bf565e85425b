"""In: texts whose blank lines, commas or columns are not those that the answer shows. Out: the text that has these."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS

from redraft.edit.answer.answer import parse
from redraft.laws.spaced import spaced

names = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)


def of(old: Sequence[str], shown: Sequence[str], text: Sequence[str], path: str = "a.py") -> list[str]:
    original, written = ("".join(f"{line}\n" for line in lines) for lines in (old, text))
    answer = parse("\n".join(["Do it:", "", "```", *shown, "```"]), list(old), path)
    return spaced(original, answer, written, path).removesuffix("\n").split("\n")


@given(names)
def test_what_is_shown_side_by_side_stands_side_by_side(names: list[str]) -> None:
    one, new, other = names
    old, right = [f"{one}()", "", f"{other}()"], [f"{one}()", f"{new}()", "", f"{other}()"]
    for shown in ([f"{one}()", f"{new}()", "", f"{other}()"], [f"{one}()", f"{new}()"], ["# ...", f"{new}()"]):
        assert of(old, shown, [f"{one}()", "", f"{new}()", "", f"{other}()"]) == right
        assert of(old, shown, right) == right


@given(names)
def test_who_shows_no_blank_lines_at_all_says_nothing_of_them(names: list[str]) -> None:
    one, new, other = names
    old = [f"{one}()", "", f"{other}()", f"{other}(1)"]
    text = [f"{one}()", "", f"{new}()", "", f"{other}()", f"{other}(2)"]
    careless = [f"{one}()", f"{other}()", f"{new}()"]
    assert of(old, careless, text) == text


@given(names, st.booleans())
def test_a_blank_line_that_is_shown_stays_above_what_is_new(names: list[str], is_marked: bool) -> None:
    one, new, other = names
    old = [f"def {one}():", f"    {one}", "", f"def {other}():", f"    {other}"]
    function = [f"def {new}():", f"    {new}"]
    shown = ["# ...", "", *function] if is_marked else function
    assert of(old, shown, [*old[:2], *function, *old[2:]]) == [*old[:2], "", *function, *old[2:]]


@given(names)
def test_the_last_of_several_gets_its_comma(names: list[str]) -> None:
    one, other, new = names
    old = ["x = [", f"    ({one}),", f"    ({other})", "]"]
    text = [*old[:3], f"    ({new})", "]"]
    right = [*old[:2], f"    ({other}),", f"    ({new})", "]"]
    assert of(old, right, text) == right
    assert of(old, [*old[:3], f"    ({new})", "]"], text) == text


@given(names)
def test_the_file_itself_is_left_alone(names: list[str]) -> None:
    old = [f"{name}()" for name in names]
    assert of(old, ["# ...", *old], old) == old


@given(names, st.integers(1, 9), st.sampled_from(("=", ":")))
def test_columns_are_those_of_the_new_line(names: list[str], more: int, sign: str) -> None:
    one, other, new = (*names[:2], names[2] + "x" * (more + max(map(len, names))))
    old = ["tags = {", f"  {one} {sign} 1", f"  {other} {sign} 2", "}"]
    width = len(new)
    shown = [old[0], *(f"  {name:{width}} {sign} {at}" for at, name in enumerate((one, other, new), 1)), old[-1]]
    text = [*old[:3], shown[3], old[-1]]
    assert of(old, shown, text, "a.tf") == shown
    assert of(old, [old[0], "  # ...", *shown[2:]], text, "a.tf") == text  # the column would be torn


@given(names, st.sampled_from([(2, 4), (4, 2), (4, 8), (2, 8)]))
def test_what_comes_is_indented_by_the_unit_of_the_file(names: list[str], units: tuple[int, int]) -> None:
    one, new, other = names
    own, theirs = (" " * unit for unit in units)
    old = [f"function {one}() {{", f"{own}if ({one}) {{", f"{own * 2}{one}()", f"{own}}}", "}"]
    block = [f"{own}if ({new}) {{", f"{own}{theirs}{other}()", f"{own}}}"]
    right = [block[0], f"{own * 2}{other}()", block[2]]
    assert of(old, block, [*old[:4], *block, old[4]], "a.js") == [*old[:4], *right, old[4]]
    assert of(old, right, [*old[:4], *right, old[4]], "a.js") == [*old[:4], *right, old[4]]


@given(names)
def test_lines_that_go_on_are_no_unit(names: list[str]) -> None:
    one, new, other = names
    old = [f"function {one}() {{", f"  {one}()", "}"]
    text = [*old[:2], f"  {new}({one},", f"      {other})", old[2]]
    assert of(old, text, text, "a.js") == text


@given(names, st.integers(0, 2), st.integers(0, 2))
def test_what_goes_leaves_as_many_blank_lines_as_were_on_one_side_of_it(
    names: list[str], over: int, under: int
) -> None:
    one, gone, other = names
    old = [f"{one}()", *[""] * over, f"{gone}()", *[""] * under, f"{other}()"]
    text = [old[0], *[""] * (over + under), old[-1]]
    assert of(old, [old[0], old[-1]], text) == [old[0], *[""] * max(over, under), old[-1]]


@given(names)
def test_what_goes_first_or_last_in_a_block_takes_its_blank_line_along(names: list[str]) -> None:
    one, gone, other = names
    first, last, around = f"    {one}()", f"    {gone}()", ["{", "}", f"{other}()"]
    old = [around[0], first, "", last, *around[1:]]
    assert of(old, ["{", first, "}"], [around[0], first, "", *around[1:]]) == [around[0], first, *around[1:]]
    assert of(old, ["{", last, "}"], [around[0], "", last, *around[1:]]) == [around[0], last, *around[1:]]


@given(names)
def test_a_blank_line_that_is_shown_beside_a_changed_line_stays(names: list[str]) -> None:
    one, other, new = names
    old = [f"import {one}", f"import {other}", "", f"{new} = 1"]
    right = [f"import {one}", "", f"{new} = 2"]
    assert of(old, right, [right[0], right[-1]]) == right


@given(names)
def test_a_new_line_that_is_shown_as_a_paragraph_is_one(names: list[str]) -> None:
    one, new, other = names
    old, right = [f"{one}()", "", f"{other}()"], [f"{one}()", "", f"{new}()", "", f"{other}()"]
    assert of(old, [f"{new}()", "", f"{other}()"], [f"{one}()", f"{new}()", "", f"{other}()"]) == right
