"""A sketch says its edit: whoever knows the file can put it back together, and there is one way only."""

import re
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_repository import program
from redraft.data.anchors import Places
from redraft.data.enclosing import block, headers, is_header
from redraft.data.languages import LANGUAGES, comment, language
from redraft.data.lazy import is_marker
from redraft.data.markers import _FIRST, _LAST, _WORDINGS, Markers
from redraft.data.sketch import STYLES, sketch
from redraft.edit.answer.answer import parse
from redraft.edit.text.changes import LineChange, changed_lines, line_changes, split_lines

MARKED = ("hunks", "headers", "function")
WORDS = ("alpha", "beta", "gamma", "delta", "x = 1", "y = 2", "}", "", "return x", "    call()", "def f():", "class A:")


def numbered(lines: list[str]) -> list[str]:
    """Most lines become unique, so that most edits have one place."""
    return [line if n % 3 == 0 else f"{line} {n}" for n, line in enumerate(lines)]


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str]:
    before = numbered(draw(st.lists(st.sampled_from(WORDS), min_size=8, max_size=60)))
    after = list(before)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(after)))
        after[at : at + draw(st.integers(0, 4))] = draw(st.lists(st.sampled_from(WORDS), max_size=4))
    end = draw(st.sampled_from(("\n", "")))
    return "\n".join(before) + end, "\n".join(after) + end


def rebuilt(before: str, update: str) -> str:
    """The plainest merge: every stretch between markers replaces what its first and last known lines enclose."""
    old, result, at = split_lines(before), list[str](), 0
    parts = stretches(split_lines(update))
    for part, (after_marker, before_marker) in parts:
        start = only_place(old, part, range(len(part), 0, -1), head=True) if after_marker else at
        end = only_place(old, part, range(len(part), 0, -1), head=False) if before_marker else len(old)
        result += old[at:start] + part
        at = end
    if not parts or parts[-1][1][1]:
        result += old[at:]
    return "\n".join(result) + ("\n" if before.endswith("\n") else "")


def stretches(lines: list[str]) -> list[tuple[list[str], tuple[bool, bool]]]:
    marks = [-1, *(n for n, line in enumerate(lines) if is_marker(line)), len(lines)]
    spans = [(a + 1, b) for a, b in pairwise(marks) if b > a + 1]
    return [(lines[a:b], (a > 0, b < len(lines))) for a, b in spans]


def only_place(old: list[str], part: list[str], sizes: range, head: bool) -> int:
    for size in sizes:
        run = part[:size] if head else part[-size:]
        found = [n for n in range(len(old) - size + 1) if old[n : n + size] == run]
        if found:
            (place,) = found
            return place if head else place + size
    raise AssertionError(f"no line of {part} is in the file")


@given(edits(), st.sampled_from(MARKED), st.integers(0, 99))
def test_the_file_after_can_be_rebuilt(edit: tuple[str, str], style: str, seed: int) -> None:
    before, after = edit
    update = sketch(before, after, style, seed, "a.py")
    if update is not None:
        assert rebuilt(before, update) == after


@given(edits(), st.integers(0, 99))
def test_a_diff_says_every_line(edit: tuple[str, str], seed: int) -> None:
    before, after = edit
    update = sketch(before, after, "diff", seed, "a.py")
    if update is not None:
        found = line_changes(split_lines(before), split_lines(after))
        body = update.split("```")[1].split("\n")
        signs = [line[0] for line in body if line[:1] in "+-" and line and not line.startswith(("+++ ", "--- "))]
        assert len(signs) == changed_lines(found)


@given(edits(), st.sampled_from(STYLES), st.integers(0, 99))
def test_sketches_are_deterministic_and_end_with_a_newline(edit: tuple[str, str], style: str, seed: int) -> None:
    update = sketch(*edit, style, seed, "a.py")
    assert update == sketch(*edit, style, seed, "a.py")
    blank_end = split_lines(edit[1])[-2:] == ["", ""]
    assert update is None or (update.endswith("\n") and (blank_end or not update.endswith("\n\n\n")))


@pytest.mark.parametrize("style", STYLES)
def test_lines_far_from_the_change_are_left_out(style: str) -> None:
    lines = ["class A:", *(f"    def f_{n}(self):\n        return {n}\n" for n in range(40))]
    before = "\n".join(lines) + "\n"
    after = before.replace("return 20\n", "return -20\n        # done\n")
    for seed in range(20):
        update = sketch(before, after, style, seed, "a.py")
        assert update is not None
        assert "return -20" in update
        assert not any(f"f_{n}(" in update for n in range(40) if abs(n - 20) > 3)


@pytest.mark.parametrize("style", STYLES)
def test_an_edit_with_two_places_is_refused(style: str) -> None:
    before = "start here\n" + "    first()\n    second()\n" * 30 + "stop here\n"
    lines = before.split("\n")
    after = "\n".join([*lines[:31], "    third()", *lines[31:]])
    assert all(sketch(before, after, style, seed, "a.py") is None for seed in range(10))


@pytest.mark.parametrize("style", STYLES)
def test_what_no_sketch_can_say_is_refused(style: str) -> None:
    same = program(20)
    assert sketch(same, same, style, 0, "a.py") is None
    assert sketch("", same, style, 0, "a.py") is None
    assert sketch(same, program(20, 4)[:-1], style, 0, "a.py") is None
    fence = same.replace("value_5 = compute(25)", "```")
    assert sketch(fence, fence.replace("value_6", "number_6"), style, 0, "a.md") is None


@pytest.mark.parametrize("style", [*MARKED, "blocks", "plain"])
def test_code_that_reads_like_a_marker_is_not_shown(style: str) -> None:
    before = program(20).replace("value_9 = compute(81)", "# ... existing code ...")
    assert sketch(before, before.replace("value_10", "number_10"), style, 0, "a.py") is None


@pytest.mark.parametrize("style", ["plain", "blocks"])
def test_without_edge_markers_a_deletion_at_the_edge_is_refused(style: str) -> None:
    before = program(20)
    head, tail = before.split("\n", 1)[1], before[: before[:-1].rindex("\n") + 1]
    assert sketch(before, head, style, 0, "a.py") is None
    assert sketch(before, tail, style, 0, "a.py") is None
    assert sketch(before, "import os\n" + before, style, 0, "a.py") is not None


@pytest.mark.parametrize("seed", range(10))
def test_a_file_without_a_final_newline(seed: int) -> None:
    before, after = program(30)[:-1], program(30, 29)[:-1]
    update = sketch(before, after, "hunks", seed, "a.py")
    assert update is not None
    assert rebuilt(before, update) == after


def test_headers_keep_what_encloses_the_change() -> None:
    body = "".join(f"        step_{n}()\n" for n in range(20))
    before = f"import os\nimport sys\n\n\nclass Runner:\n    name = 'x'\n    size = 3\n\n    def run(self):\n{body}"
    update = sketch(before, before.replace("step_10()", "leap()"), "headers", 0, "a.py")
    assert update is not None
    shown = [line for line in update.split("\n") if line and not is_marker(line)]
    assert shown[:2] == ["class Runner:", "    def run(self):"]


def test_function_shows_the_whole_function_and_nothing_else() -> None:
    functions = [f"def f{n}():\n    first({n})\n    second({n})\n    third({n})\n\n\n" for n in range(9)]
    before = "".join(functions)
    update = sketch(before, before.replace("second(4)", "other(4)"), "function", 0, "a.py")
    assert update is not None
    shown = [line for line in update.split("\n") if line.strip() and not is_marker(line)]
    assert shown == ["def f4():", "    first(4)", "    other(4)", "    third(4)"]


def test_blocks_give_one_fence_a_hunk_in_order() -> None:
    before = program(60)
    after = before.replace("value_10 ", "ten ").replace("value_40 ", "forty ")
    for seed in range(20):
        update = sketch(before, after, "blocks", seed, "a.py")
        assert update is not None
        first, second = parse(update, path="a.py").blocks
        assert [
            any("ten " in line.text for line in first.lines),
            any("forty " in line.text for line in first.lines),
        ] == [1, 0]
        assert any("forty " in line.text for line in second.lines)


def test_right_line_numbers_are_right() -> None:
    before, after = (
        program(60),
        program(60).replace("value_10 =", "added = 1\nvalue_10 =").replace("value_40 ", "forty "),
    )
    headers = {tuple(re.findall(r"@@ .*@@", sketch(before, after, "diff", seed, "a.py") or "")) for seed in range(200)}
    assert ("@@ -10,2 +10,3 @@", "@@ -40,3 +41,3 @@") in headers
    assert len(headers) > 5


def test_marker_wordings_are_markers_in_every_dialect() -> None:
    for extension in LANGUAGES:
        opening, closing = comment("a." + extension)
        for words in (*_WORDINGS, *_FIRST, *_LAST):
            assert is_marker(f"    {opening} {words} {closing}"), (opening, words)


@pytest.mark.parametrize(
    ("path", "line", "opening"),
    [
        ("a.tsx", "  <p>", "{/*"),
        ("a.tsx", "  const x = 1", "//"),
        ("a.css", "  color: red;", "/*"),
        ("a.sql", "x", "--"),
        ("a.vue", "<p>", "<!--"),
        ("a.rb", "x = 1", "#"),
        ("a.unknown", "x = 1", "//"),
    ],
)
def test_markers_speak_the_language_around_them(path: str, line: str, opening: str) -> None:
    written = [Markers(Random(seed), path).write(["one", "two", line], 0, 2) for seed in range(50)]
    assert sum(marker.strip().startswith(opening) for marker in written) > 45


def test_markers_in_a_vue_script_are_javascript() -> None:
    lines = ["<script>", "a()", "b()", "c()", "</script>"]
    assert any(Markers(Random(seed), "a.vue").write(lines, 1, 3).strip().startswith("//") for seed in range(3))


@given(st.lists(st.sampled_from("abcd"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
def test_hunks_turn_one_file_into_the_other(before: list[str], after: list[str]) -> None:
    result, at = list[str](), 0
    for hunk in line_changes(before, after):
        assert at == 0 or hunk.start > at
        result += before[at : hunk.start] + after[hunk.after_start : hunk.after_end]
        at = hunk.end
    assert result + before[at:] == after


def test_places_ignore_indentation_and_lines_that_say_nothing() -> None:
    places = Places(["a()", "bb()", "}", "  bb()", "}", "cc()", "}"])
    assert places.is_unique(5, 6)
    assert not places.is_unique(1, 2)
    assert places.is_unique(0, 2)
    assert not places.is_unique(1, 3)
    assert not places.is_unique(6, 7)


@pytest.mark.parametrize(
    "line",
    [
        "def f(x):",
        "  async def f(x):",
        "class A(B):",
        "export default function App() {",
        "func (s *S) Run() error {",
        "    pub(crate) fn go<T>(x: T) -> u8 {",
        "  public static void main(String[] a) {",
        "static int add(int a) {",
    ],
)
def test_header(line: str) -> None:
    assert is_header(line)


@pytest.mark.parametrize("line", ["if (x) {", "} else {", "x = f(y)", "return f(x);", "const x = {", "for (;;) {"])
def test_no_header(line: str) -> None:
    assert not is_header(line)


def test_a_signature_over_several_lines_is_one_header() -> None:
    lines = ["function first(", "  a,", "  b,", ") {", "  go(a);", "  stop(b);", "}", "", "go();"]
    hunk = LineChange(4, 5, 4, 5)
    assert block(lines, hunk) == range(7)
    assert headers(lines, hunk) == [0]


def test_language_is_known_by_extension() -> None:
    assert [language(p) for p in ("a/B.PY", "x.tsx", "x.lock", "Makefile")] == ["python", "typescript", "", "make"]
