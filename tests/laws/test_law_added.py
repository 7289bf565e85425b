"""In: words that place something new beside what is there. Out: the law sees what would go for it."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

pairs = st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True)
SECTION = ["[[bin]]", 'name = "{0}"', 'path = "src/{0}.rs"']


def section(name: str) -> list[str]:
    return [line.format(name) for line in SECTION]


@given(
    pairs, st.sampled_from(["Add a second `bin` section:", "Put it after the existing section:", "Add another one:"])
)
def test_a_second_one_does_not_replace_the_first(names: list[str], words: str) -> None:
    old, new = map(section, names)
    case = Small("Cargo.toml", ["[package]", "", *old], [words, "", "```toml", *new, "```"], [], [])
    assert case.against(["[package]", "", *old, "", *new], "added") is None
    found = case.against(["[package]", "", *new], "added")
    assert found is not None
    assert names[0] in found.message


@given(pairs)
def test_a_line_may_become_longer(names: list[str]) -> None:
    one, other = names
    update = ["Add another argument after the existing one:", "", "```python", f"call({one}, {other})", "```"]
    case = Small("a.py", [f"call({one})"], update, [], [])
    assert case.against([f"call({one}, {other})"], "added") is None


@given(pairs)
def test_words_that_add_replace_no_line_that_is_quite_another(names: list[str]) -> None:
    one, other = names
    update = [f"Add a call of `{other}`:", "", "```python", f"{other}(9)", "```"]
    case = Small("a.py", ["begin()", f"x = {one}[0]", "end()"], update, [], [])
    assert case.against(["begin()", f"x = {one}[0]", f"{other}(9)", "end()"], "added") is None
    assert case.against(["begin()", f"{other}(9)", "end()"], "added") is not None
