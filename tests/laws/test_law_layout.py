"""In: texts with a new line where none of its kind may stand. Out: the law sees it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True)


@pytest.mark.parametrize(
    ("path", "head", "new"),
    [
        ("a.go", "package main", 'import "time"'),
        ("A.java", "package a.b;", "import a.C;"),
        ("a.php", "<?php", "use A;"),
        ("a.hpp", "#pragma once", "#include <string>"),
        ("a.sh", "#!/bin/sh", "set -e"),
    ],
)
def test_nothing_comes_above_what_a_file_begins_with(path: str, head: str, new: str) -> None:
    case = Small(path, [head, "", "x"], ["```", new, "```"], [], [])
    assert case.against([head, "", new, "", "x"], "layout") is None
    found = case.against([new, head, "", "x"], "layout")
    assert found is not None
    assert head in found.message


@given(names)
def test_new_lines_are_not_left_of_both_neighbours(names: list[str]) -> None:
    one, other, new = names
    old = ["{", f'    "{one}": 1,', f'    "{other}": 2', "}"]
    case = Small("a.json", old, ["```json", f'"{new}": {{', '    "x": 3', "},", "```"], [], [])
    inside = [f'    "{new}": {{', '        "x": 3', "    },"]
    assert case.against([*old[:2], *inside, *old[2:]], "layout") is None
    found = case.against([*old[:2], *(line[4:] for line in inside), *old[2:]], "layout")
    assert found is not None
    assert new in found.message


@given(names)
def test_a_function_may_be_cut_in_two(names: list[str]) -> None:
    one, other, new = names
    old = [f"fn {one}() {{", f"    {one};", f"    {other};", "}"]
    text = [*old[:2], "}", "", f"fn {new}() {{", *old[2:]]
    assert Small("a.rs", old, ["```", *text, "```"], [], []).against(text, "layout") is None


def test_a_method_of_java_comes_in_a_class() -> None:
    old, new = ["package a;", "", "class A {", "}"], ["int two() {", "    return 2;", "}"]
    case = Small("A.java", old, ["```java", *new, "```"], [], [])
    assert case.against([*old[:3], *(f"    {line}" for line in new), "}"], "layout") is None
    found = case.against([*old[:2], *new, "", *old[2:]], "layout")
    assert found is not None
    assert "two" in found.message


@given(names)
def test_a_closing_bracket_stays_under_the_line_that_opens_it(names: list[str]) -> None:
    one, other, new = names
    old = [f"const {one} = z.{other}({{", "  a: 1,", "});"]
    shown = [f"const {one} = z", f"  .{other}({{", "    a: 1,", f"    {new}: 2,", "  })", f"  .{new}();"]
    case = Small("a.ts", old, ["```ts", *shown, "```"], [], [])
    assert case.against(shown, "layout") is None
    torn = [old[0], *shown[2:]]
    found = case.against(torn, "layout")
    assert found is not None
    assert "})" in found.message
    elsewhere = [f"{one}(a, b({{", "    x: 1,", "}));"]  # as the file has it, so may the answer
    assert Small("a.ts", old, ["```ts", *elsewhere, "```"], [], []).against(elsewhere, "layout") is None
