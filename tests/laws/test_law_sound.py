"""In: texts with a torn string or a doubled property. Out: the law sees them, and no string that may go on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

STRINGS = {
    "a.js": 'const s = "{}";',
    "a.ts": "const s: string = '{}';",
    "a.go": 'var s = "{}"',
    "a.c": 'char *s = "{}";',
    "a.kt": 'val s = "{}"',
    "A.java": 'class A {{ String s = "{}"; }}',
    "A.cs": 'class A {{ string s = "{}"; }}',
    "a.swift": 'let s = "{}"',
}


@given(st.sampled_from(sorted(STRINGS)), st.lists(st.sampled_from(WORDS), min_size=2, max_size=4), st.data())
def test_a_line_break_within_quotes(path: str, words: list[str], data: st.DataObject) -> None:
    head = ["package a", ""] if path == "a.go" else []
    old = [*head, STRINGS[path].format("old")]
    line = STRINGS[path].format(r"\n".join(words))
    case = Small(path, old, ["```", line, "```"], [*head, line], [])
    assert case.against(case.right, "sound") is None
    torn = STRINGS[path].format("\n".join(words)).split("\n")
    found = case.against([*head, *torn], "sound")
    assert found is not None
    assert "of the new file breaks off inside a string" in found.message


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("a.js", ["const s = `one", "two`;"]),
        ("a.kt", ['val s = """one', 'two"""']),
        ("a.c", ['char *s = "one \\', 'two";']),
        ("a.tsx", ['const s = <a title="one', 'two" />;']),
        ("a.rb", ['s = "one', 'two"']),
    ],
)
def test_a_string_of_several_lines(path: str, lines: list[str]) -> None:
    assert Small(path, ["x"], ["```", *lines, "```"], [], []).against(lines, "sound") is None


@given(st.sampled_from(WORDS), st.sampled_from(("a.css", "a.scss")))
def test_a_property_twice_in_a_rule(name: str, path: str) -> None:
    old = [f".{name} {{", "  color: red;", "}", ".other {", "  color: red;", "}"]
    case = Small(path, old, ["```", f".{name} {{", "  color: blue;", "}", "```"], [], [])
    assert case.against([old[0], "  color: blue;", *old[2:]], "sound") is None
    assert case.against([*old[:2], "  color: blue;", *old[2:]], "sound") is not None


@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True), st.booleans())
def test_a_return_below_a_return_is_what_is_left_of_an_old_version(words: list[str], is_below: bool) -> None:
    name, old, new = words
    file = [f"def {name}():", f"    return {old}", "", f"x = {name}"]
    case = Small(
        "a.py", file, ["```", file[0], f"    return {new}", "```"], [file[0], f"    return {new}", *file[2:]], []
    )
    assert case.against(case.right, "sound") is None
    both = [f"    return {new}", f"    return {old}"]
    found = case.against([file[0], *(both if is_below else reversed(both)), *file[2:]], "sound")
    assert found is not None
    assert "is never reached" in found.message
    deeper = [file[0], f"    if {new}:", f"        return {new}", f"    return {old}", *file[2:]]
    assert case.against(deeper, "sound") is None
