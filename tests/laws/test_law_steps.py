"""In: answers in steps, of which one has no code. Out: the law doubts them, and no list of all that a block shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)
marks = st.sampled_from([("1.", "2.", "3."), ("-", "-", "-"), ("*", "*", "*"), ("(1)", "(2)", "(3)")])


def of(names: list[str], update: list[str]) -> Small:
    one, new, _ = names
    return Small("a.py", [f"{one} = 0"], update, [f"{one} = 0", f"{new} = 1"], [])


def shown(line: str) -> list[str]:
    return ["", "```", line, "```", ""]


@given(names, marks, st.integers(0, 2))
def test_a_step_without_code_beside_steps_with_code_is_doubt(names: list[str], marks: list[str], at: int) -> None:
    keep, add = shown(f"{names[0]} = 0"), shown(f"{names[1]} = 1")
    steps = [[f"{marks[0]} Keep this:", *keep], [f"{marks[1]} Add that:", *add]]
    steps.insert(at, [f"{marks[2]} The old {names[2]} has to go.", ""])
    case = of(names, [line for step in steps for line in step])
    found = case.against(case.right, "steps")
    assert found is not None
    assert f"The old {names[2]}" in found.message


@given(names, marks)
def test_steps_that_all_have_code_are_none(names: list[str], marks: list[str]) -> None:
    update = [f"{marks[0]} Keep this:", *shown(f"{names[0]} = 0"), f"{marks[1]} Add that:", *shown(f"{names[1]} = 1")]
    case = of(names, [*update, "That is all."])
    assert case.against(case.right, "steps") is None


@pytest.mark.parametrize("end", [[], ["", "Here it is:"]])
def test_a_list_of_what_one_block_shows_is_no_step(end: list[str]) -> None:
    names = ["amber", "birch", "cobalt"]
    update = ["Two things:", "", "- a birch", "- not a cobalt", *end, *shown("birch = 1")]
    assert of(names, update).against(["amber = 0", "birch = 1"], "steps") is None


@given(names)
def test_what_is_reported_behind_code_is_no_step(names: list[str]) -> None:
    update = ["Here:", *shown(f"{names[1]} = 1"), "- It is new.", "- Nothing else moved.", "", "**Changes:** one line."]
    case = of(names, update)
    assert case.against(case.right, "steps") is None
