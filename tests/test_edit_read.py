"""What holds for every reading: it never raises, keeps what no block shows, and brings back what a sketch left out."""

from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redraft.apply import load
from redraft.edit.answer.answer import parse
from redraft.edit.decide import likeliest
from redraft.edit.merge.read import read

LINES = [
    "",
    "a = 1",
    "b = 2",
    "def f():",
    "    return a",
    "}",
    "# ... existing code ...",
    "...",
    "```",
    "@@",
    "-a = 1",
    "+b",
    "\tx;",
]
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(LINES), max_size=25).map("\n".join),
    st.lists(st.sampled_from(LINES), max_size=25).map("\r\n".join),
)


@dataclass(frozen=True)
class Edited:
    """A file, its new version, and a sketch that shows the changes with some lines around them."""

    before: list[str]
    after: list[str]
    sketch: str


@st.composite
def edits(draw: st.DrawFn) -> Edited:
    """Files of different lines in functions, with changes far enough apart to have context of their own."""
    before = [line for n in range(draw(st.integers(3, 9))) for line in _function(n, draw(st.integers(3, 8)))]
    starts = [n for n in range(4, len(before) - 12, 16) if draw(st.booleans())]
    context = draw(st.integers(2, 3))
    after: list[str] = []
    sketch: list[str] = []
    at = 0
    for start in starts or [4]:
        end = start + draw(st.integers(0, 2))
        new = [f"    fresh_{start}_{n} = made({n})" for n in range(draw(st.integers(0 if end > start else 1, 3)))]
        sketch += ["    # ... existing code ..." if draw(st.booleans()) else "# ..."]
        sketch += _written(before[:start][::-1], context)[::-1] + new + _written(before[end:], context)
        after += before[at:start] + new
        at = end
    return Edited(before, after + before[at:], "\n".join([*sketch, "# ... rest of the file ..."]))


def _written(lines: list[str], count: int) -> list[str]:
    """The first lines, as many as it takes to have `count` that are not blank."""
    size = next((n for n in range(len(lines) + 1) if sum(map(bool, lines[:n])) == count), len(lines))
    return lines[:size]


def _function(number: int, size: int) -> list[str]:
    body = [f"    value_{number}_{n} = call_{n}(arg_{number})" for n in range(size)]
    return [f"def function_{number}(arg_{number}):", *body, f"    return value_{number}_0", "", ""]


def best(original: str, update: str, path: str = "") -> str | None:
    """The likeliest text."""
    found = read(original, update, path).candidates
    return found[0].text if found else None


@given(edits())
def test_what_a_sketch_leaves_out_comes_back(edit: Edited) -> None:
    reading = read("\n".join(edit.before) + "\n", edit.sketch, "a.py")
    assert "\n".join(edit.after) + "\n" in {candidate.text for candidate in reading.candidates}, reading.reason


@given(edits())
def test_lines_that_no_sketch_shows_are_kept(edit: Edited) -> None:
    text = best("\n".join(edit.before), edit.sketch, "a.py")
    assert text is not None
    shown = set(edit.sketch.split("\n"))
    left = iter(text.split("\n"))
    assert all(line in left for line in edit.before if line in edit.after and line not in shown and line)


@given(edits(), st.booleans())
def test_a_file_ends_as_it_did(edit: Edited, ends: bool) -> None:
    text = best("\n".join(edit.before).rstrip("\n") + "\n" * ends, edit.sketch, "a.py")
    assert text is not None
    assert text.endswith("\n") == ends


@given(TEXTS, TEXTS, st.sampled_from(["", "a.py", "b.md", "c.ts"]))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(original: str, update: str, path: str) -> None:
    reading = read(original, update, path)
    assert bool(reading.candidates) != bool(reading.reason)
    assert "\n" not in reading.reason


@given(TEXTS)
@settings(deadline=None)
def test_a_file_as_its_own_sketch_changes_nothing_that_counts(text: str) -> None:
    text = text.replace("\r\n", "\n")
    assume(not any(block.explicit or block.has_markers for block in parse(text).blocks) and "```" not in text)
    found = best(text, text)
    assert found is None or found.split() == text.split()


def test_a_file_without_final_newline_stays_without() -> None:
    assert best("a = 1\nb = 2", "a = 1\nb = 3\n") == "a = 1\nb = 3"


def test_an_empty_file_takes_the_sketch() -> None:
    assert best("", "a = 1\nb = 2\n") == "a = 1\nb = 2\n"


@pytest.mark.slow
def test_long_files_and_long_sketches() -> None:
    lines = [f"line_{n} = {n % 97}" for n in range(10_000)]
    new = [line if n % 100 else line + "0" for n, line in enumerate(lines)]
    assert best("\n".join(lines), "\n".join(new)) == "\n".join(new)
    assert likeliest("x\n" * 10_000, "x\n" * 5_000) is None


TWICE = "def a():\n    x = 1\n    return x\n\n\n"


@pytest.mark.parametrize(
    ("original", "diff"),
    [
        ("def f(a):\n    log(a)\n    return a\n", "-    log(a, 3)\n     return a\n"),
        (f"{TWICE}s = 1\n{TWICE}s = 2\n{TWICE}", " def a():\n-    x = 1\n+    x = 5\n     return x\n"),
        ("a = 1\nb = 2\nc = 3\n", "+    z = 3\n"),
    ],
)
def test_a_hunk_that_has_no_place_or_several_is_refused(original: str, diff: str) -> None:
    update = f"```diff\n@@ -5,3 +5,3 @@\n{diff}```"
    assert load(readers="merge").apply(original, update=update, path="a.py").output is None
