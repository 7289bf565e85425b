"""What holds for every merge: it never raises, keeps what no hunk covers, and brings back what a sketch left out."""

from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redraft.edit.align.merge import Merge, merge
from redraft.edit.answer.answer import parse

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


def outside(merged: Merge, original: list[str]) -> list[str]:
    """The original's lines that no hunk covers."""
    covered = {line for hunk in merged.hunks for line in range(*hunk.original)}
    return [line for number, line in enumerate(original) if number not in covered]


@given(edits())
def test_what_a_sketch_leaves_out_comes_back(edit: Edited) -> None:
    before = "\n".join(edit.before) + "\n"
    merged = merge(before, edit.sketch, "a.py")
    assert merged.text == "\n".join(edit.after) + "\n", merged.reason
    assert all(0.0 <= hunk.certainty <= 1.0 for hunk in merged.hunks)


@given(edits())
def test_blocks_in_any_order(edit: Edited) -> None:
    hunks = edit.sketch.split("# ...")
    answer = "\n".join(
        f"```python\n# ...{hunk.rstrip()}\n# ...\n```" for hunk in reversed(hunks) if hunk.count("\n") > 2
    )
    assert merge("\n".join(edit.before), answer).text == "\n".join(edit.after)


@given(edits(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_lines_outside_of_hunks_are_kept(edit: Edited, newline: str, ends: bool) -> None:
    before = newline.join(edit.before) + newline * ends
    merged = merge(before, edit.sketch)
    assert merged.text is not None
    assert merged.text.endswith(newline) == (ends or edit.after[-1] == "")
    left = iter(merged.text.split(newline))
    assert all(line in left for line in outside(merged, edit.before))


@given(TEXTS, TEXTS, st.sampled_from(["", "a.py", "b.md", "c.ts"]))
@settings(max_examples=300)
def test_any_text_is_merged_or_refused(original: str, update: str, path: str) -> None:
    merged = merge(original, update, path)
    assert (merged.text is None) == bool(merged.reason)
    assert "\n" not in merged.reason


@given(TEXTS)
def test_a_file_as_its_own_sketch_changes_nothing_that_counts(text: str) -> None:
    assume(not any(block.explicit for block in parse(text).blocks) and "```" not in text)
    merged = merge(text, text)
    assert merged.text is None or merged.text.split() == text.split()


def test_a_file_without_final_newline_stays_without() -> None:
    assert merge("a = 1\nb = 2", "a = 1\nb = 3\n").text == "a = 1\nb = 3"


def test_an_empty_file_takes_the_sketch() -> None:
    assert merge("", "a = 1\nb = 2\n").text == "a = 1\nb = 2\n"


def test_hunks_say_where_they_lie() -> None:
    original = "".join(f"line_{n} = {n}\n" for n in range(20))
    merged = merge(
        original, "# ...\nline_4 = 4\nline_5 = 55\nline_6 = 6\n# ...\nline_12 = 12\nnew = 0\nline_13 = 13\n# ...\n"
    )
    assert [(hunk.sketch, hunk.original) for hunk in merged.hunks] == [((1, 4), (4, 7)), ((5, 8), (12, 14))]


@pytest.mark.slow
def test_long_files_and_long_sketches() -> None:
    lines = [f"line_{n} = {n % 97}" for n in range(10_000)]
    new = [line if n % 100 else line + "0" for n, line in enumerate(lines)]
    assert merge("\n".join(lines), "\n".join(new)).text == "\n".join(new)
    assert merge("x\n" * 10_000, "x\n" * 5_000).text is None


TWICE = "def a():\n    x = 1\n    return x\n\n\n"


@pytest.mark.parametrize(
    ("original", "diff", "reason"),
    [
        ("def f(a):\n    log(a)\n    return a\n", "-    log(a, 3)\n     return a\n", "'log(a, 3)' is not in the file"),
        (f"{TWICE}s = 1\n{TWICE}s = 2\n{TWICE}", " def a():\n-    x = 1\n+    x = 5\n     return x\n", "equally well"),
        ("a = 1\nb = 2\nc = 3\n", "+    z = 3\n", "no line of 'z = 3'"),
    ],
)
def test_a_hunk_that_has_no_place_or_several_is_refused(original: str, diff: str, reason: str) -> None:
    merged = merge(original, f"```diff\n@@ -7,3 +7,3 @@\n{diff}```", "a.py")
    assert merged.text is None
    assert reason in merged.reason
