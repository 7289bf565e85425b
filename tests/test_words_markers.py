"""Which lines stand for code of the file."""

from pathlib import Path
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.words import Known, is_marker, shortened

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
    assert shortened(line, KNOWN) in {"", *KNOWN.lines}
