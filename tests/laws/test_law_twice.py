"""In: answers that a file has already. Out: nothing comes a second time, and applying again changes nothing."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small, additions

from redraft.edit.request import Request
from redraft.reading import merged

SHORT = Path(__file__).parent.parent / "cases" / "short.jsonl"
AGAIN = ("short-063",)  # a part of a file that reads as the whole once it is in it


@given(additions())
def test_a_member_that_is_there_does_not_come_again(case: Small) -> None:
    (new,) = [line for line in case.right if line not in case.original]
    at = case.right.index(new)
    applied = Small(case.path, case.right, case.update, [], case.members)
    assert applied.against([*case.right[:at], new, *case.right[at:]], "twice") is not None


@given(additions())
def test_a_new_member_comes_once(case: Small) -> None:
    assert case.against(case.right, "twice") is None


def test_an_old_version_does_not_stay_beside_the_new_one() -> None:
    old = ["timeout = 30", "", "run(timeout)"]
    case = Small("a.py", old, ["```python", "timeout = 60", "```"], ["timeout = 60", *old[1:]], old)
    assert case.against(case.right, "twice") is None
    assert case.against(["timeout = 60", *old], "twice") is not None


@pytest.mark.parametrize(
    "line", SHORT.read_text(encoding="utf-8").splitlines(), ids=lambda line: json.loads(line)["id"]
)
def test_an_answer_applied_again_changes_nothing_or_is_refused(line: str) -> None:
    case = json.loads(line)
    once = merged(Request(case["original"], case["update"], path=case["path"]))
    if once.status != "applied" or case["id"] in AGAIN:
        return
    again = merged(Request(once.output or "", case["update"], path=case["path"]))
    assert again.status not in ("applied",) or again.output == once.output


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True), st.booleans())
def test_a_function_that_gets_another_name_does_not_stay(names: list[str], is_told: bool) -> None:
    one, other = names
    old, new = ([f"def {name}(a):", "    return a * 2"] for name in names)
    words = f"I would rename `{one}` to `{other}`:" if is_told else f"Add `{other}`:"
    case = Small("a.py", old, [words, "", "```python", *new, "```"], [], [])
    assert case.against(new, "renamed") is None
    assert (case.against([*old, "", "", *new], "renamed") is None) == (not is_told)


@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True))
def test_a_value_is_not_set_twice_under_other_names(names: list[str]) -> None:
    one, other, last = names
    old, new = f"{one}, _ := read({last})", f"{one}, {other} := read({last})"
    case = Small("a.go", [old, f"use({one})"], ["```go", new, "check()", f"use({one})", "```"], [], [])
    assert case.against([new, "check()", f"use({one})"], "twice") is None
    found = case.against([old, new, "check()", f"use({one})"], "twice")
    assert found is not None
    assert "new version" in found.message


@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True))
def test_lines_that_are_shown_in_something_new_do_not_stay_outside_of_it(names: list[str]) -> None:
    one, other, group = names
    inner, head = [f"get('/{one}', {one});", f"get('/{other}', {other});"], "get('/', home);"
    wrapped = [f"{group}(() => {{", *(f"  {line}" for line in inner), "});"]
    case = Small("a.ts", [head, *inner], ["Group them:", "", "```ts", *wrapped, "```"], [], [])
    assert case.against([head, *wrapped], "repeated") is None
    found = case.against([*wrapped, head, *inner], "repeated")
    assert found is not None
    assert one in found.message


@given(st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True))
def test_a_new_function_may_say_what_another_one_does(names: list[str]) -> None:
    old, new = ([f"def {name}(key):", "    row = load(key)", "    check(row)", "    return row"] for name in names)
    case = Small("a.py", old, ["```python", *new, "```"], [], [])
    assert case.against([*old, "", "", *new], "repeated") is None


CALLS = {"a.js": "app.use({});", "a.py": "steps.run({})", "Dockerfile": "RUN make {}", "a.rb": "step {}"}


@given(st.sampled_from(sorted(CALLS)), st.lists(st.sampled_from(WORDS), min_size=4, max_size=4, unique=True))
def test_a_line_that_is_moved_and_changed_does_not_stay(path: str, names: list[str]) -> None:
    first, old, last = (CALLS[path].format(name) for name in names[:3])
    new = CALLS[path].format(f"{names[1]}, {names[3]}")
    case = Small(path, [first, old, last], ["It has to come first:", "", "```", new, first, "```"], [], [])
    assert case.against([new, first, last], "left behind") is None
    found = case.against([new, first, old, last], "left behind")
    assert found is not None
    assert old in found.message
    added = Small(path, [first, old, last], ["Add one more:", "", "```", new, first, "```"], [], [])
    assert added.against([new, first, old, last], "left behind") is None


@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=4, unique=True))
def test_a_member_comes_into_its_list_once(names: list[str]) -> None:
    one, other, last, new = (f"    {name}," for name in names)
    old, right = ["suites = [", one, other, last, "]"], ["suites = [", one, other, last, new, "]"]
    case = Small("a.py", old, ["```python", other, one, last, new, "]", "```"], [], [])
    assert case.against(right, "listed twice") is None
    found = case.against(["suites = [", one, other, one, last, new, "]"], "listed twice")
    assert found is not None
    assert names[0] in found.message


@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=4, unique=True))
def test_an_entry_does_not_stay_below_its_new_version(names: list[str]) -> None:
    stage, script, other, label = names
    head, old = f"  - stage: {stage}", f"    script: {script}"
    new = [head, f"    name: {label}", old]
    case = Small("ci.yml", ["jobs:", head, old], ["The last one:", "", "```yaml", *new, "```"], [], [])
    assert case.against(["jobs:", *new], "entry left") is None
    found = case.against(["jobs:", *new, head, old], "entry left")
    assert found is not None
    assert stage in found.message
    beside = [f"  - stage: {other}", f"    script: {other}"]
    assert case.against(["jobs:", *new, *beside], "entry left") is None
