"""In: texts with nothing left where a marker stands. Out: the law sees them, and no others."""

from hypothesis import given
from law_cases import Small, additions


@given(additions())
def test_a_marker_stands_for_a_line_of_the_file(case: Small) -> None:
    assert case.against(case.right, "marker") is None
    found = case.against([line for line in case.right if line not in case.members], "marker")
    assert found is not None
    assert "would stand for nothing below line 1" in found.message


def test_an_element_that_lands_above_the_component() -> None:
    old = ["export function List() {", "  return (", "    <ul>", "      <li>One</li>", "    </ul>", "  );", "}"]
    new = ["    <ul>", "      {/* ... existing items ... */}", "      <li>Three</li>", "    </ul>"]
    case = Small("List.tsx", old, ["```tsx", *new, "```"], [*old[:4], "      <li>Three</li>", *old[4:]], old)
    assert case.against(case.right) is None
    assert case.against([new[0], *new[2:], *old], "marker") is not None


def test_a_new_import_stands_behind_those_that_a_marker_stands_for() -> None:
    old = ["import uuid", "", "class Cart:", "    pass"]
    update = ["```python", "import sys", "# ... existing code ...", "class Cart:", "    total = 0", "```"]
    case = Small("a.py", old, update, [], old)
    assert case.against(["import uuid", "import sys", *old[1:3], "    total = 0"], "marker") is None
