"""What the grammars see, and what they leave alone."""

import pytest

from redraft.edit.guard.faults import new_faults
from redraft.edit.outline import outline
from redraft.edit.syntax import faults, parse

GOOD = {
    "a.py": "def f():\n    return 1\n",
    "a.js": "const f = () => 1;\n",
    "a.ts": "const f = (): number => 1;\n",
    "a.tsx": "const f = () => <p>one</p>;\n",
    "a.go": "package a\n\nfunc f() int { return 1 }\n",
    "a.rs": "fn f() -> i32 { 1 }\n",
    "A.java": "class A { int f() { return 1; } }\n",
    "a.c": "int f(void) { return 1; }\n",
    "a.cpp": "int f() { return 1; }\n",
    "a.cs": "class A { int F() { return 1; } }\n",
    "a.rb": "def f\n  1\nend\n",
    "a.kt": "fun f(): Int { return 1 }\n",
    "a.php": "<?php\nfunction f() { return 1; }\n",
    "a.css": "a { color: red; }\n",
    "a.html": "<p>one</p>\n",
    "a.json": '{"a": [1, 2]}\n',
    "a.toml": "a = 1\n",
    "a.sql": "SELECT f(a) FROM b;\n",
    "a.sh": "if true; then echo a; fi\n",
}


def broken(before: str, after: str, path: str) -> list[int]:
    """The lines, from 1, that an edit made unreadable."""
    return [line + 1 for line in new_faults(outline(before.split("\n"), path), outline(after.split("\n"), path), path)]


@pytest.mark.parametrize("path", GOOD)
def test_a_bracket_too_many_or_too_few_is_seen(path: str) -> None:
    good = GOOD[path]
    assert faults(good, path) == []
    damaged = [good.replace(part, "", 1) for part in (*")}]>", "end\n", "fi", "SELECT", "a = ") if part in good]
    assert any(broken(good, bad, path) for bad in damaged), damaged


def test_markdown_and_yaml_are_read() -> None:
    assert parse("# a\n", "a.md") is not None
    assert broken("a: 1\n", "a: [1\n", "a.yaml") != []


@pytest.mark.parametrize("path", GOOD)
def test_a_file_of_which_nothing_is_left_has_no_line_at_fault(path: str) -> None:
    assert new_faults(outline(GOOD[path].split("\n"), path), outline([], path), path) == []


def test_a_file_that_was_broken_before_is_left_alone() -> None:
    assert broken("def f(:\n", "def f(::\n", "a.py") == []


def test_without_a_grammar_nothing_is_said() -> None:
    assert broken("(", "((", "a.unknown") == []
    assert faults("(", "") == []


def test_macros_alone_break_no_c() -> None:
    header = "int f(void);\n"
    assert broken(header, "API(int) f(void);\n", "a.h") == []
    assert broken(header, header + "int g(void) {\n", "a.h") != []


def test_the_line_of_the_fault_is_named() -> None:
    assert broken("a = 1\nb = 2\n", "a = 1\nb = (2\n", "a.py") == [2]
