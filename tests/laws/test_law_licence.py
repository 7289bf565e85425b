"""In: texts that lose a line of the file. Out: the law sees each that nothing shows or says to go, and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import Small, additions, replacements, without

ROUTES = ["Routes.draw do", "  resources :posts", "  resources :users", "end"]
SUMS = ["def add(a, b):", "    return a + b", "", "", "def sub(a, b):", "    return a - b"]


@given(additions(), st.data())
def test_a_member_that_a_marker_stands_for_stays(case: Small, data: st.DataObject) -> None:
    assert case.against(case.right) is None
    lost = data.draw(st.sampled_from(case.members))
    assert case.against(without(case.right, lost), "licence") is not None


@given(replacements(), st.data())
def test_a_new_version_is_a_licence_for_one_line(case: Small, data: st.DataObject) -> None:
    assert case.against(case.right) is None
    shown = {line for line in case.update if line in case.members}
    lost = data.draw(st.sampled_from([line for line in case.right if line in case.members]))
    found = case.against(without(case.right, lost))
    assert found is not None or lost in shown


@pytest.mark.parametrize("kept", ["posts", "users"])
def test_a_sibling_is_no_new_version(kept: str) -> None:
    update = ["```ruby", ROUTES[0], "  # ... existing routes ...", "  resources :comments", ROUTES[-1], "```"]
    case = Small("routes.rb", ROUTES, update, [*ROUTES[:-1], "  resources :comments", "end"], ROUTES[1:-1])
    assert case.against(case.right) is None
    found = case.against([ROUTES[0], f"  resources :{kept}", "  resources :comments", "end"])
    assert found is not None
    assert found.message.startswith(f"line {3 if kept == 'posts' else 2} of the file would go, 'resources :")


@pytest.mark.parametrize("said", ["Add the import:", "Add this function:", "Here's a new `mul` function:"])
def test_what_comes_in_replaces_nothing_of_another_name(said: str) -> None:
    new = ["def mul(a, b):", "    return a * b"]
    case = Small("calc.py", SUMS, [said, "", "```python", *new, "```"], [*SUMS, "", "", *new], SUMS)
    assert case.against(case.right) is None
    assert case.against([*SUMS[:4], *new]) is not None


def test_an_import_beside_an_import_stays() -> None:
    old = ["import os", "", "print(os.name)"]
    case = Small("a.py", old, ["Add the import:", "", "```python", "import sys", "```"], ["import os", *old], old)
    assert case.against(["import os", "import sys", *old[1:]]) is None
    assert case.against(["import sys", *old[1:]]) is not None


def test_a_declaration_shown_from_head_to_end_is_whole() -> None:
    new = ["def sub(a, b):", "    return -(b - a)"]
    case = Small("calc.py", SUMS, ["```python", *new, "```"], [*SUMS[:4], *new], SUMS)
    assert case.against(case.right) is None


def test_what_stands_between_two_shown_lines_is_replaced() -> None:
    old = ["begin()", "one()", "two()", "three()", "finish()"]
    case = Small("a.js", old, ["```js", "begin()", "all()", "finish()", "```"], ["begin()", "all()", "finish()"], old)
    assert case.against(case.right) is None


@pytest.mark.parametrize("said", ["`two` is no longer needed, remove it:", "Drop the call of `two`:"])
def test_an_order_in_words_is_a_licence(said: str) -> None:
    old = ["begin()", "one()", "two()", "finish()"]
    update = [said, "", "```js", "// ... existing code ...", "finish()", "```"]
    case = Small("a.js", old, update, ["begin()", "one()", "finish()"], old)
    assert case.against(case.right) is None
    assert case.against(["begin()", "two()", "finish()"]) is not None
