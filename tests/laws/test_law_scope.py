"""In: answers that show a new line inside of another one. Out: the law sees where it lies in something else."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=4, max_size=4, unique=True)


@given(names, st.booleans())
def test_a_new_line_lies_in_what_it_is_shown_in(names: list[str], is_marked: bool) -> None:
    one, other, key, new = names
    parts = {name: [f"{name}:", f"  {key}: 1"] for name in (one, other)}
    marker = ["  # ... existing keys ..."] if is_marked else []
    update = ["```yaml", f"{one}:", *marker, f"  {new}: 2", "```"]
    case = Small("a.yaml", [*parts[one], *parts[other]], update, [], [])
    assert case.against([*parts[one], f"  {new}: 2", *parts[other]], "scope") is None
    found = case.against([*parts[one], *parts[other], f"  {new}: 2"], "scope")
    assert found is not None
    assert f"'{other}:'" in found.message


@given(names)
def test_below_a_marker_at_the_margin_nothing_says_what_it_lies_in(names: list[str]) -> None:
    one, other, key, new = names
    old = [f"def {one}():", f"    {key} = 1", "", f"def {other}():", f"    {key} = 1"]
    update = ["```python", f"def {one}():", "# ...", f"    {new} = 2", "```"]
    assert Small("a.py", old, update, [], []).against([*old, f"    {new} = 2"], "scope") is None
