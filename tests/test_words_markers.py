"""Which lines stand for code of the file, and what they name."""

from pathlib import Path
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.words import Known, is_marker, named, shortened, split_inline

WORDS = Path(__file__).parent / "words"
KNOWN = Known(
    lines=frozenset({"#define CHECK(x) \\", "def stub(): ...", "# unchanged since the first release"}),
    declared=frozenset(
        [
            "open",
            "flush",
            "close",
            "main",
            "fetch_all",
            "parsePrice",
            "applyTax",
            "taxFor",
            "ping",
            "load",
            "Mode",
            "handler",
            "Store",
            "State",
            "count_lines",
            "size",
            "stub",
        ]
    ),
    words=frozenset(["services", "web", "db", "open", "flush", "retries", "thead", "tbody", "count", "lines"]),
)


def _lines(name: str) -> list[str]:
    return (WORDS / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", _lines("markers.txt"))
def test_markers_of_every_dialect_and_wording(line: str) -> None:
    assert is_marker(line, KNOWN)
    assert is_marker(f"\t  {line}  ", KNOWN)


@pytest.mark.parametrize("line", _lines("markers.txt"))
def test_what_stands_in_the_file_is_no_marker(line: str) -> None:
    assert not is_marker(line, Known(frozenset({line.strip()})))


@pytest.mark.parametrize("line", [*_lines("no_markers.txt"), ""])
def test_code_and_ordinary_comments_are_no_markers(line: str) -> None:
    assert not is_marker(line, KNOWN)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("// open, flush and close: nothing new", ("open", "flush", "close")),
        ("# rest of main() as you know it", ("main",)),
        ("# ... Store.close unchanged ...", ("Store.close",)),
        ("# ... existing code ...", ()),
        ("...", ()),
    ],
)
def test_a_marker_names_what_the_file_declares(line: str, names: tuple[str, ...]) -> None:
    assert is_marker(line, KNOWN)
    assert named(line, KNOWN) == names


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("int size() { /* as before */ }", ("int size() {", "/* as before */", "}")),
        ("    def load(self): ...", ("    def load(self):", "...", "")),
        ("fn main() { ... }", ("fn main() {", "...", "}")),
        ("fn main() { // unchanged", ("fn main() {", "// unchanged", "")),
        (
            "#define CHECK(x) /* print and abort, untouched */",
            ("#define CHECK(x)", "/* print and abort, untouched */", ""),
        ),
        ("void size() { /* all of it */ }", ("void size() {", "/* all of it */", "}")),
        ("void size() { /* empty on purpose */ }", None),
        ("call(x) /* unchanged */", None),
        ("<ul>...</ul>", ("<ul>", "...", "</ul>")),
        ("<nav>{/* unchanged */}</nav>", ("<nav>", "{/* unchanged */}", "</nav>")),
        ("def stub(): ...", None),
        ("def unknown(): ...", None),
        ("call(...args)", None),
        ("x = [...items]", None),
        ("const { a, ...rest } = props;", None),
        ("run(); // as before the merge", None),
        ('print("...")', None),
    ],
)
def test_a_marker_inside_a_line_is_cut_out(line: str, parts: tuple[str, str, str] | None) -> None:
    assert split_inline(line, KNOWN) == parts


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ('parser.add_argument("--out", ...)', 'parser.add_argument("--out", help="where")'),
        ("values = [... for x in rows]", "values = [one(x) for x in rows]"),
        ("value = …", ""),
        ("values = …", "values = [one(x) for x in rows]"),
        ("parser.add_argument(...)", ""),
        ("call(...args)", ""),
        ("...", ""),
    ],
)
def test_a_line_with_dots_inside_abbreviates_one_line_of_the_file(line: str, whole: str) -> None:
    lines = [
        'parser.add_argument("--out", help="where")',
        'parser.add_argument("--in")',
        "values = [one(x) for x in rows]",
    ]
    assert shortened(line, Known(frozenset(lines))) == whole


@given(st.text(max_size=300) | st.text(alphabet=".… #/*-{}()[]<>!existingrofcdu\t`" + printable, max_size=300))
def test_any_line_is_judged(line: str) -> None:
    assert is_marker(line, KNOWN) == is_marker(line.strip(), KNOWN)
    assert set(named(line, KNOWN)) <= KNOWN.declared or "." in "".join(named(line, KNOWN))
    split_inline(line, KNOWN)
    assert shortened(line, KNOWN) in {"", *KNOWN.lines}
