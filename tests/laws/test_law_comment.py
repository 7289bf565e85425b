"""In: answers that leave out a comment. Out: the law keeps it where all code around it stays."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=4, max_size=4, unique=True)


def case_of(names: list[str], words: str, *shown: str) -> Small:
    one, other, word, _ = names
    old = [f"def {one}():", f"    {one} = 1", f"    # {word} first", f"    {other} = 2", f"    return {one}"]
    return Small("a.py", old, [words, "", "```python", *(shown or (*old[:2], old[3])), "    return 0", "```"], [], old)


@given(names)
def test_a_comment_that_is_left_out_stays(names: list[str]) -> None:
    case = case_of(names, "Return 0:")
    *kept, _ = case.original
    assert case.against([*kept, "    return 0"], "comment") is None
    found = case.against([kept[0], kept[1], kept[3], "    return 0"], "comment")
    assert found is not None
    assert f"# {names[2]} first" in found.message


@given(names, st.sampled_from(["Return 0, without the comment:", "The `{}` line is gone, return 0:"]))
def test_words_may_say_that_it_goes(names: list[str], words: str) -> None:
    case = case_of(names, words.format(names[2]))
    old = case.original
    assert case.against([old[0], old[1], old[3], "    return 0"], "comment") is None


@given(names)
def test_it_goes_with_its_code(names: list[str]) -> None:
    old = case_of(names, "").original
    case = case_of(names, "Return 0:", *old[:2])
    assert case.against([*old[:2], "    return 0"], "comment") is None


@given(names)
def test_a_new_line_does_not_take_its_place(names: list[str]) -> None:
    one, other, word, new = names
    old = [f"{one} = 1", f"# {word} first", f"{other} = 2"]
    case = Small("a.toml", old, ["Add it:", "", "```", old[0], f"{new} = 3", old[2], "```"], [], [])
    assert case.against([old[0], f"{new} = 3", *old[1:]], "comment") is None
    assert case.against([old[0], f"{new} = 3", old[2]], "comment") is not None
