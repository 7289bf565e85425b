"""In: answers that say what goes. Out: the law sees what stays all the same, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

pairs = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)


def told(words: str, keep: str, goes: str, other: str) -> Small:
    old = [f"def {keep}():", "    return 1", "", "", f"def {goes}():", "    return 2", "", "", f"{other} = 3"]
    return Small("a.py", old, [words, "", "```python", f"def {keep}():", "    return 4", "```"], [], old)


@given(
    pairs, st.sampled_from(["Removed `{}`.", "`{}` is gone.", "Gone:\n\n- `{}`", "I deleted `{}`, which was unused."])
)
def test_what_is_said_to_go_goes(names: list[str], words: str) -> None:
    case = told(words.format(names[1]), *names)
    new = [case.original[0], "    return 4", *case.original[2:]]
    assert case.against([*new[:4], new[-1]], "orders") is None
    found = case.against(new, "orders")
    assert found is not None
    assert f"'{names[1]}' goes" in found.message


@given(pairs, st.sampled_from(["Removed the old value from `{}`.", "`{}` is not removed.", "Do not drop `{}`."]))
def test_where_something_goes_from_and_what_is_kept_may_stay(names: list[str], words: str) -> None:
    case = told(words.format(names[1]), *names)
    assert case.against([case.original[0], "    return 4", *case.original[2:]], "orders") is None


@given(pairs, st.sampled_from(["Delete the function:", "Now remove this:", "And then you can drop it:"]))
def test_a_block_that_words_take_out_goes(names: list[str], words: str) -> None:
    old = told("", *names).original
    case = Small("a.py", old, ["Nothing calls it. " + words, "", "```python", *old[4:6], "```"], [], [])
    assert case.against([*old[:4], "x = 4"], "orders") is None
    found = case.against([*old[:8], "x = 4"], "orders")
    assert found is not None
    assert names[1] in found.message


@given(pairs, st.sampled_from(["# {} removed", "# removed: {}", "# {}() is gone", "# deleted the function {}"]))
def test_what_a_comment_of_the_answer_says_is_gone_goes(names: list[str], words: str) -> None:
    old = told("", *names).original
    shown = [old[0], "    return 4", words.format(names[1]), old[-1]]
    case = Small("a.py", old, ["```python", *shown, "```"], [], [])
    assert case.against([old[0], "    return 4", *old[2:4], old[-1]], "orders") is None
    found = case.against([old[0], "    return 4", *old[2:]], "orders")
    assert found is not None
    assert f"'{names[1]}' goes" in found.message
