"""In: answers whose words put a block beside its like, or take it out. Out: both are done where there is one place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.request import Request
from redraft.reading import merged

NAMES = st.lists(st.sampled_from(["amber", "birch", "cobalt", "dune", "ember"]), min_size=3, max_size=3, unique=True)
SECTION = '[[bin]]\nname = "{0}"\npath = "src/{0}.rs"\n'


@given(NAMES, st.sampled_from(["Add a second binary after the existing one:", "Put another section below the first:"]))
def test_a_further_section_comes_below_its_like(names: list[str], words: str) -> None:
    one, other, package = names
    head, end = f'[package]\nname = "{package}"\n\n', "\n[profile.release]\nlto = true\n"
    update = f"{words}\n\n```toml\n{SECTION.format(other)}```\n"
    result = merged(Request(head + SECTION.format(one) + end, update, "", "Cargo.toml"))
    assert result.output == f"{head}{SECTION.format(one)}\n{SECTION.format(other)}{end}"


@given(NAMES, st.sampled_from(["Nothing uses it, so you can delete this function:", "Remove this:"]))
def test_what_words_take_out_goes_with_its_blank_lines(names: list[str], words: str) -> None:
    functions = [f"def {name}():\n    return '{name}'\n" for name in names]
    update = f"{words}\n\n```python\n{functions[1]}```\n"
    result = merged(Request("\n\n".join(functions), update, "", "a.py"))
    assert result.output == "\n\n".join((functions[0], functions[2]))


@pytest.mark.parametrize("words", ["Streamlit runs the whole script again, so cache it:", "The full file is slow:"])
def test_words_about_the_whole_file_do_not_make_a_part_the_whole(words: str) -> None:
    original = (
        "import pandas as pd\n\n\ndef load():\n    return pd.read_csv('big.csv')\n\n\nrows = load()\nprint(rows)\n"
    )
    update = f"{words}\n\n```python\n@cache\ndef load():\n    return pd.read_csv('big.csv')\n```\n"
    result = merged(Request(original, update, "", "a.py"))
    assert result.output is None or result.output == original.replace("def load", "@cache\ndef load")


@pytest.mark.parametrize(
    ("original", "shown"),
    [
        ('{\n  "a": 1,\n  "b": 2\n}\n', '{\n  // ... existing settings ...\n  "c": 3\n}'),
        ('{\n  "a": 1,\n  "b": {\n    "x": 2\n  }\n}\n', '{\n  // ...\n  "c": 3\n}'),
    ],
)
def test_members_of_json_get_their_commas(original: str, shown: str) -> None:
    result = merged(Request(original, f"Add `c`:\n\n```json\n{shown}\n```\n", "", "a.json"))
    assert result.output == original.removesuffix("\n}\n") + ',\n  "c": 3\n}\n'


def test_who_presents_code_without_a_fence_says_nothing_of_it() -> None:
    table = "| a | b |\n| - | - |\n| 1 | 2 |\n"
    result = merged(Request(f"# T\n\n{table}", f"Here's the updated table:\n\n{table}| 3 | 4 |\n", "", "a.md"))
    assert result.output == f"# T\n\n{table}| 3 | 4 |\n"
