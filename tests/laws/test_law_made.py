"""In: texts as a model writes them. Out: laws see what it leaves out and what it makes up."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small, additions, replacements, without

OLD = ["def load(path):", "    return read(path)"]


@given(additions() | replacements())
def test_what_the_answer_shows_is_written_and_nothing_else(case: Small) -> None:
    assert case.against(case.right, "unwritten") is None
    assert case.against(case.right, "invented") is None
    (new,) = [line for line in case.right if line not in case.original]
    lacking = [*without(case.right, new), ""]
    assert case.against(lacking, "unwritten") or case.against(lacking, "passed over")


@given(additions() | replacements(), st.sampled_from(WORDS), st.data())
def test_a_line_of_nobody_is_made_up(case: Small, word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(case.right)))
    made = [*case.right[:at], f"    {word}_{word}_{word}()", *case.right[at:]]
    assert case.against(made, "invented") is not None


def test_a_comment_may_be_made_up_too() -> None:
    new = [OLD[0], "    check(path)", OLD[1]]
    case = Small("a.py", OLD, ["```python", *new, "```"], new, OLD)
    assert case.against(new, "invented") is None
    assert case.against([new[0], "    check(path)  # for safety", new[2]], "invented") is not None


def test_a_line_may_come_from_the_words() -> None:
    new = ["import os", *OLD]
    case = Small("a.py", OLD, ["And add `import os` at the top:", "```python", "def load(path):", "```"], new, OLD)
    assert case.against(new, "invented") is None


def test_who_paraphrases_less_than_a_line_says_nothing_new() -> None:
    shown = ["def load(path)", "    check(path)", "    return read(path)"]
    case = Small("a.py", OLD, ["```python", *shown, "```"], [OLD[0], shown[1], OLD[1]], OLD)
    assert case.against(case.right, "unwritten") is None
    assert case.against([OLD[0], shown[1], "    return read()"], "unwritten") is not None


def test_a_line_like_one_of_the_file_may_be_a_slip_that_a_model_passes_over() -> None:
    shown = [OLD[0], "    check(path)", "    return read(paths)"]
    case = Small("a.py", OLD, ["```python", *shown, "```"], shown, OLD)
    kept = [OLD[0], shown[1], OLD[1]]
    assert case.against(kept, "unwritten") is None
    assert case.against(kept, "passed over") is not None
    assert case.against(case.right, "passed over") is None
    unlike = Small("a.py", OLD, ["```python", *shown[:2], "    close(everything)", "```"], shown, OLD)
    assert unlike.against(kept, "unwritten") is not None


@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True))
def test_a_block_of_which_nothing_is_in_the_text_is_left_out(names: list[str]) -> None:
    first, second = ([f"def {name}():", f"    return {name!r}"] for name in names[1:])
    update = ["```python", *first, "```", "", "And below it:", "", "```python", *second, "```"]
    case = Small("a.py", OLD, update, [*OLD, "", "", *first, "", "", *second], OLD)
    assert case.against(case.right, "left out") is None
    assert case.against([*OLD, "", "", *first], "left out") is not None
