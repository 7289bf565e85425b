"""In: answers with a block for another file. Out: the law keeps it out of this one."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)


@given(names, st.sampled_from(["other.py", "config.yaml", "src/other.go"]))
def test_what_is_of_another_file_stays_out_of_this_one(names: list[str], file: str) -> None:
    one, new, other = names
    update = [f"`{new}` is new:", "```", f"{new} = 1", "```", f"And in `{file}`:", "```", f"{other} = 2", "```"]
    case = Small("a.py", [f"{one} = 0"], update, [], [])
    assert case.against([f"{one} = 0", f"{new} = 1"], "foreign") is None
    found = case.against([f"{one} = 0", f"{new} = 1", f"{other} = 2"], "foreign")
    assert found is not None
    assert f"'{other} = 2'" in found.message


@given(names, st.sampled_from(["a.py", "response.ok", "math.max"]))
def test_this_file_and_members_are_no_other_file(names: list[str], named: str) -> None:
    one, _, new = names
    update = [f"It takes `{named}`:", "```", f"{new} = 1", "```"]
    assert Small("a.py", [f"{one} = 0"], update, [], []).against([f"{one} = 0", f"{new} = 1"], "foreign") is None
