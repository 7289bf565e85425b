"""In: answers that show only what the file has. Out: the law sees what they order all the same, or show anew."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS

from redraft.edit.answer.answer import parse
from redraft.edit.request import Request
from redraft.laws.change import Broken, Change
from redraft.laws.unchanged import undone
from redraft.reading import merged

names = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)


def file_of(names: list[str]) -> list[str]:
    return [line for name in names for line in (f"def {name}(rows):", f"    return {name}_of(rows)", "", "")][:-2]


def against(file: list[str], update: str) -> Broken | None:
    text = "".join(f"{line}\n" for line in file)
    return undone(Change.of(text, parse(update, file, "a.py"), text, "a.py"))


@given(names, st.sampled_from(["Use this:", "`{}` reads:", "Here's the updated `{}`:", ""]))
def test_what_is_there_already_is_no_change(names: list[str], words: str) -> None:
    file = file_of(names)
    update = "\n".join([words.format(names[1]), "", "```python", *file[4:6], "```"])
    assert against(file, update) is None
    assert merged(Request("\n".join(file) + "\n", update, "", "a.py")).status == "no_change"


@given(
    names,
    st.sampled_from(["Leave just the first:", "Move it up:", "Only this stays:", "That route must go:"]),
)
def test_words_of_what_goes_or_moves_are_in_doubt(names: list[str], words: str) -> None:
    file = file_of(names)
    update = "\n".join([words, "", "```python", *file[4:6], "```"])
    found = against(file, update)
    assert found is not None
    assert words[:8] in found.message
    assert merged(Request("\n".join(file) + "\n", update, "", "a.py")).status == "needs_context"


@given(names)
def test_a_line_that_the_file_has_not_is_in_doubt(names: list[str]) -> None:
    file = file_of(names)
    found = against(file, "\n".join(["```python", file[0], f"    return {names[0]}_of(rows, 1)", "```"]))
    assert found is not None
    assert f"return {names[0]}_of(rows, 1)" in found.message
