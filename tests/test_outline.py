"""What outlines hold: declarations of every language, of whole files and of fragments, for any text."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.edit.outline import Outline, fragment, outline
from redraft.edit.outline.grammars import grammar

FOLDER = Path(__file__).parent / "outlines"
PATHS = sorted(path.name for path in FOLDER.iterdir() if path.name != "expected.txt")
LINES = {path: (FOLDER / path).read_text().split("\n") for path in PATHS}
# Without what stands around them these say something else, and say so in the same words.
AMBIGUOUS = {
    *("field SLOW", "variable Slow", "field Slow", "item B"),  # `SLOW(2);`, `Slow`, an object without a comma
    *("function Store", "field path", "key path", "field rows", "variable rows"),  # `Store();`, `path: string`
}


def shown(found: Outline) -> Iterator[str]:
    """A node a line: kind, `*` for a container, name, first line/head-last line, and the lines inside, from 1."""
    depths: list[int] = []
    for node in found.nodes:
        depths.append(0 if node.parent is None else depths[node.parent] + 1)
        first = f"{node.start + 1}" if node.start == node.head else f"{node.start + 1}/{node.head + 1}"
        inside = f" inside {node.body[0] + 1}-{node.body[1]}" if node.body else ""
        container = "*" if node.is_container else ""
        yield "  " * (depths[-1] + 1) + f"{node.kind}{container} {node.name} | {first}-{node.end}{inside}"


def expected() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (FOLDER / "expected.txt").read_text().splitlines():
        if not line.startswith(" "):
            found[line.split()[0]] = own = [line]
        else:
            own.append(line)
    return found


EXPECTED = expected()


@pytest.mark.parametrize("path", PATHS)
def test_a_file_has_its_declarations(path: str) -> None:
    found = outline(LINES[path], path)
    faults = ["faults", *(str(line + 1) for line in found.faults)] if found.faults else []
    assert [" ".join([path, found.language, *faults]), *shown(found)] == EXPECTED[path]


@pytest.mark.parametrize("path", PATHS)
def test_a_fragment_declares_what_the_file_does(path: str) -> None:
    for node in outline(LINES[path], path).nodes:
        if f"{node.kind} {node.name}" in AMBIGUOUS:
            continue
        found = fragment(LINES[path][node.start : node.end], path)
        first = found.nodes[found.top()[0]] if found.nodes else None
        assert first is not None, node
        assert (first.kind, first.name) == (node.kind, node.name)
        assert first.head == node.head - node.start


def check(found: Outline, count: int) -> None:
    """What is true of every outline."""
    assert len(found.lines) == count
    assert all(0 <= line < count for line in found.faults)
    for at, node in enumerate(found.nodes):
        assert 0 <= node.start <= node.head < node.end <= count
        assert node.body is None or node.head < node.body[0] <= node.body[1] <= node.end
        assert node.kind
        assert node.name
        for child in node.children:
            assert found.nodes[child].parent == at
        if node.parent is not None:
            around = found.nodes[node.parent]
            assert node.parent < at
            assert at in around.children
            assert around.start <= node.start
            assert node.end <= around.end
    assert [node.start for node in found.nodes] == sorted(node.start for node in found.nodes)
    assert len(found.scopes()) == count


ANY_LINE = st.sampled_from(sorted({line for lines in LINES.values() for line in lines})) | st.text(max_size=30).map(
    lambda line: line.replace("\n", "").replace("\r", "")
)


@settings(max_examples=200, deadline=None)
@given(st.lists(ANY_LINE, min_size=1, max_size=40), st.sampled_from([*PATHS, "a.unknown"]), st.data())
def test_any_text_is_read(lines: list[str], path: str, data: st.DataObject) -> None:
    check(outline(lines, path), len(lines))
    markers = data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=4))
    check(fragment(lines, path, markers), len(lines))


def test_a_declaration_that_is_missing_behind_its_comment_begins_in_a_line() -> None:
    lines = ["", "", "e T", "", "///t"]
    check(fragment(lines, "a.zig", {0, 3}), len(lines))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PATHS), st.integers(0, 60), st.integers(0, 60))
def test_any_part_of_a_file_is_read(path: str, first: int, last: int) -> None:
    lines = LINES[path][min(first, last) : max(first, last) + 1] or [""]
    check(outline(lines, path), len(lines))
    check(fragment(lines, path), len(lines))


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.json", "a.c", "a.html", "a.yaml", "a.md", "a.unknown"])
@pytest.mark.parametrize("opening", ["(", "[", "{", "if x:", "<div>", "- a:", ">", "> ", "- ", "1. "])
def test_deep_nesting_is_read(path: str, opening: str) -> None:
    check(outline([opening * 1000], path), 1)
    lines = ["  " * depth + opening for depth in range(300)]
    check(outline(lines, path), 300)
    check(fragment(lines, path), 300)


def tops(found: Outline) -> list[str]:
    return [f"{found.nodes[at].kind} {found.nodes[at].name}" for at in found.top()]


@pytest.mark.parametrize(
    ("path", "text", "markers", "declared"),
    [
        ("a.py", "    def f(self):\n        # kept\n        return 1", [1], ["function f"]),
        ("a.py", "import os\n\n    @property\n    def f(self):\n        pass", [], ["import os", "function f"]),
        ("a.py", "class A:\n    # ...\n    def f(self):\n        ...\n    # ...", [1, 4], ["class A"]),
        ("a.ts", "  // ...\n  flush(): void {\n    a();\n  }\n  // ...", [0, 4], ["function flush"]),
        ("a.ts", "name: string;\nage?: number;", [], ["field name", "field age"]),
        ("a.js", 'port: 80,\nhost: "a",', [], ["key port", "key host"]),
        ("a.go", "path string\nRows []Row", [], ["field path", "field Rows"]),
        ("A.java", "@Override\npublic void f() {\n    g();\n}", [], ["function f"]),
        ("a.json", '"b": {\n  "c": 1,\n  ...\n},', [2], ["key b"]),
        ("a.php", "public function f(): int\n{\n    return 1;\n}", [], ["function f"]),
        ("a.vue", "data() {\n  return { a: 1 };\n},", [], ["function data"]),
        ("a.vue", ".card {\n  color: red;\n}", [], ["rule .card"]),
        ("a.css", "color: red;\nmargin: 0;", [], ["field color", "field margin"]),
        ("a.yml", "    - name: Test\n      run: make\n      rest as before\n", [2], ["item Test"]),
        ("a.unknown", "func f() {\n  a\n}\n\nclass B {\n}", [], ["function f", "class B"]),
    ],
)
def test_a_fragment_is_read_without_what_stands_around_it(
    path: str, text: str, markers: list[int], declared: list[str]
) -> None:
    assert tops(fragment(text.split("\n"), path, markers)) == declared


def test_lines_know_what_they_lie_in() -> None:
    lines = ["class A:", "    x = 1", "", "    def f(self):", "        y = 1", "        return y", "", "z = 1"]
    found = outline(lines, "a.py")
    assert found.scopes() == ("", "A", "A", "A", "f", "f", "", "")
    assert [found.at(line) for line in (0, 1, 4, 6, 7, 8)] == [0, 1, 2, None, 3, None]
    assert list(found.named("f")) == [2]
    assert found.nodes[2].parent == 0


def test_a_name_is_found_by_its_last_part() -> None:
    found = outline(LINES["store.lua"], "store.lua")
    assert [found.nodes[at].name for at in found.named("flush")] == ["Store:flush"]
    assert found.named("nowhere") == []


def test_overloads_have_signatures_of_their_own() -> None:
    found = outline(LINES["store.ts"], "store.ts")
    both = [found.nodes[at].signature for at in found.named("open")]
    assert both == [
        "export function open(path: string): Store;",
        "export function open(path: string, mode?: Mode): Store",
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/Makefile", "make"),
        ("Dockerfile.dev", "dockerfile"),
        ("CMakeLists.txt", "cmake"),
        ("C:\\a\\b.PY", "python"),
        ("a.tf", "hcl"),
        ("config.yml.example", "yaml"),
        ("notes", ""),
        ("", ""),
        (".", ""),
    ],
)
def test_the_grammar_is_told_by_the_name(path: str, name: str) -> None:
    assert grammar(path) == name


def test_a_test_of_bats_is_one_declaration() -> None:
    found = outline(["@test \"adds 'ö' up\" {", "  run add", "}", "", "@test 'stops' {", "  run stop", "}"], "add.bats")
    assert [(node.kind, node.name, node.start, node.end) for node in found.nodes] == [
        ("test", "adds 'ö' up", 0, 3),
        ("test", "stops", 4, 7),
    ]


def test_underlined_headings_begin_sections() -> None:
    lines = ["Title", "=====", "", "Part", "---", "text", "", "* item", "---", "", "```", "", "No", "===", "```"]
    found = [(node.name, node.start, node.end) for node in outline(lines, "a.md").nodes if node.kind == "section"]
    assert found == [("Title", 0, 15), ("Part", 3, 15)]


def test_an_attribute_on_the_line_of_a_declaration_is_its_own() -> None:
    lines = ["impl A {", "    #[inline] fn one(&self) {}", "    #[inline] fn two(&self) {}", "}"]
    found = [(node.name, node.start, node.head, node.parent) for node in outline(lines, "a.rs").nodes]
    assert found == [("impl A", 0, 0, None), ("one", 1, 1, 0), ("two", 2, 2, 0)]


def test_a_comment_between_keys_is_none_of_the_one_above() -> None:
    lines = ("a:", "  b: 1", "", "  # below b", "# of c", "c: 2")
    found = [(node.name, node.start, node.end) for node in outline(lines, "a.yaml").nodes]
    assert found == [("a", 0, 4), ("b", 1, 2), ("c", 4, 6)]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lines", [[], [""], ["<a"]])
def test_faults_are_lines_that_the_file_has(path: str, lines: list[str]) -> None:
    assert all(0 <= line < len(lines) for line in outline(lines, path).faults)
