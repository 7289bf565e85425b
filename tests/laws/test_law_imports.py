"""In: texts that lose or double an import. Out: the law sees it where the name is needed, or brought twice."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True)
FORMS = {"a.py": "from lib import {}", "A.java": "import lib.{};", "a.kt": "import lib.{}", "a.rs": "use lib::{};"}


@given(names, st.sampled_from(sorted(FORMS)))
def test_an_import_that_is_needed_stays(names: list[str], path: str) -> None:
    old, new = (FORMS[path].format(name) for name in names)
    use = f"{names[0]}(1)"
    case = Small(path, [old, "", use], ["```", new, "```"], [], [])
    assert case.against([old, new, "", use], "needed") is None
    found = case.against([new, "", use], "needed")
    assert found is not None
    assert old in found.message
    assert case.against([new, "", f"{names[1]}(1)"], "needed") is None


@given(names, st.sampled_from(["a.ts", "a.tsx", "a.vue"]))
def test_a_name_is_brought_once(names: list[str], path: str) -> None:
    one, other = names
    around = ["<script setup>", "</script>"] if path == "a.vue" else ["// first", "// last"]
    old, new = f"import {{ {one} }} from 'lib'", f"import {{ {one}, {other} }} from 'lib'"
    case = Small(path, [around[0], old, around[1]], ["```", new, "```"], [], [])
    assert case.against([around[0], new, around[1]], "imports") is None
    found = case.against([around[0], old, new, around[1]], "imports")
    assert found is not None
    assert found.message.startswith(f"line 3 of the new file, '{new}', would bring {one}")


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True))
def test_an_import_that_words_move_does_not_stay(names: list[str]) -> None:
    module, name = names
    old = [f"import {module}", "", "", f"def {name}():", f"    return {module}.load()"]
    moved = [f"def {name}():", f"    import {module}", "", f"    return {module}.load()"]
    case = Small("a.py", old, [f"Move the import into `{name}`:", "", "```python", *moved, "```"], [], old)
    assert case.against(moved, "imports") is None or case.against(moved, "moved import") is None
    assert case.against([*old[:3], *moved], "moved import") is not None
