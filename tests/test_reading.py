"""A chat answer in the file's own spelling: what is careless is put right, and what is meant stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.prompts.places import NumberedEdit
from redraft.edit.reading import SketchLine, read

FILE = """\
import os

class Shelf:
    def load(self, name):
        path = 'shelf/' + name  # where it is
        with open(path) as file:
            return file.read()

    def drop(self, name):
        os.remove(name)
        return None
"""
PIECES = (
    "a", "b", "}", "x = 'y'", 'x = "y"', "x = 1  # one", "x = 1", "# 2 lines removed", "# removed: a", "...",
    "# ... existing code ...", "```", "```diff", "@@ -1 +1 @@", "--- a/x", "+++ b/x", "\x0b", "\x85z", "\u2028",
)  # fmt: skip
LINE = st.builds(str.__add__, st.sampled_from(["", " ", "-", "+", "  ", "    ", "\t", "-\t"]), st.sampled_from(PIECES))
LINES = st.lists(LINE | st.just("") | st.text(max_size=5), max_size=16)
KNOWN = st.lists(st.sampled_from(["a", "b", "c", "", "}", "    a", "        a", "  b"]), max_size=12)


def texts(original: str, update: str) -> list[str]:
    """The lines as they are read, without markers, cuts and the file's end."""
    return [
        line.text.removesuffix("\n") for line in read(original.split("\n"), update) if line.text and not line.marker
    ]


def writes(original: str, update: str, expected: str) -> bool:
    return NumberedEdit(original, update).is_plain(expected)


def fenced(*blocks: str, info: str = "") -> str:
    return "\n".join(f"Then:\n```{info}\n{block}```\n" for block in blocks)


@given(LINES, LINES)
def test_any_text_is_read_and_every_line_ends(original: list[str], update: list[str]) -> None:
    for line in read(original, "\n".join(update)):
        assert line.text.endswith("\n") == bool(line.text)
        assert "\n" not in line.text[:-1]


@given(st.text(), st.text())
def test_any_characters_are_read(original: str, update: str) -> None:
    read(original.split("\n"), update)


@pytest.mark.parametrize(
    "line", ["{-" * 3000 + "-}" * 3000, '"' * 9000, "x" + " # a" * 30_000 + '"'], ids=["nested", "quotes", "comments"]
)
def test_long_lines_are_read(line: str) -> None:
    assert texts(line, f"{line}\nnew\n") == [line, "new"]


@pytest.mark.parametrize("line", ["}", "    a", "x = 'y'  # z"])
@pytest.mark.parametrize("update", ["{line}\n# ...\n", "```\n{line}\n```\n", "```diff\n@@ @@\n-{line}\n+x\n```\n"])
def test_a_long_file_of_one_line_is_read(line: str, update: str) -> None:
    assert read([line] * 10_000, update.format(line=line) * 2000)


@given(st.lists(st.integers(0, 30), unique=True, min_size=1), st.data())
def test_an_exact_sketch_is_read_as_it_is(chosen: list[int], data: st.DataObject) -> None:
    original = [f"{'    ' * (number % 4)}line {number}" for number in range(31)]
    sketch = ["# ... existing code ..."]
    for number in sorted(chosen):
        new = data.draw(st.sampled_from([[], ["new"], ["    if new:", "        new()"]]))
        sketch += [original[number], *new, *sketch[:1]]
    found = read(original, "\n".join(sketch))
    assert found == [*(SketchLine(f"{line}\n", line == sketch[0]) for line in sketch), SketchLine("", marker=True)]


def test_a_dedented_snippet_gets_the_indentation_of_the_file() -> None:
    update = fenced("def drop(self, name):\n    os.unlink(name)\n    return None\n")
    assert texts(FILE, update) == ["    def drop(self, name):", "        os.unlink(name)", "        return None"]
    assert writes(FILE, update, FILE.replace("remove", "unlink"))


@pytest.mark.parametrize(
    ("unit", "other"), [("    ", "\t"), ("    ", "  "), ("  ", "    "), ("  ", "\t"), ("\t", "  "), ("\t", "    ")]
)
def test_another_unit_of_indentation_becomes_that_of_the_file(unit: str, other: str) -> None:
    file = FILE.replace("    ", unit)
    update = "# ...\n    def drop(self, name):\n        if name:\n            os.remove(name)\n        return None\n"
    expected = file.replace(f"{unit * 2}os.remove", f"{unit * 2}if name:\n{unit * 3}os.remove")
    assert writes(file, update.replace("    ", other), expected)


@pytest.mark.parametrize("unit", ["  ", "    ", "\t"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def a():\n\tb()\n\tc()\n", "def a():\n\tif x:\n\t\tb()\n\t\tc()\n"),
        ("def a():\n\tif x:\n\t\tb()\n\t\tc()\n", "def a():\n\tb()\n\tc()\n"),
        ("def a():\n\tb()\n\tc()\n\treturn 1\n", "def a():\n\tif x:\n\t\tb()\n\t\tc()\n\treturn 1\n"),
        ("def a():\n\tif x:\n\t\tb()\n\t\tc()\n\treturn 1\n", "def a():\n\tb()\n\tc()\n\treturn 1\n"),
    ],
)
def test_code_that_is_wrapped_or_no_longer_stays_so(unit: str, before: str, after: str) -> None:
    before, after = before.replace("\t", unit), after.replace("\t", unit)
    rest = f"def d():\n{unit}return 2\n"
    assert texts(before + rest, f"{after}# ...\n") == after.splitlines()
    assert writes(before + rest, f"{after}def d():\n# ...\n", after + rest)


def test_a_new_function_is_not_moved_to_a_line_that_it_happens_to_share() -> None:
    new = "def empty():\n    return None\n"
    assert texts(FILE, f"# ...\n\n{new}\n# ...\n") == ["", *new.split("\n")]
    assert texts(FILE, fenced(new)) == new.splitlines()


CARELESS = """\
    def load(self, name):
        path = "shelf/" + name
        with open(path) as file:
"""


def test_context_gets_the_quotes_and_the_comment_of_the_file_where_something_else_changes() -> None:
    exact = FILE.splitlines()[3:6]
    changed = "            return file.read().strip()"
    assert texts(FILE, f"# ...\n{CARELESS}{changed}\n# ...\n") == [*exact, changed]
    assert writes(FILE, f"# ...\n{CARELESS}{changed}\n# ...\n", FILE.replace("read()", "read().strip()"))


def test_where_only_quotes_or_a_comment_change_they_are_the_change() -> None:
    assert texts(FILE, f"# ...\n{CARELESS}# ...\n") == CARELESS.splitlines()
    expected = FILE.replace("'", '"').replace("  # where it is", "")
    assert writes(FILE, f"# ...\n{CARELESS}# ...\n", expected)


def test_a_new_line_that_stands_elsewhere_with_a_comment_stays_without() -> None:
    original = "a\nb\nc\nd  # for c\ne\n"
    sketch = ["a", "d", "b", "new", "c"]
    assert texts(original, "\n".join([*sketch, "# ..."])) == sketch


@pytest.mark.parametrize(
    "note", ["# (2 lines removed)", "// 1 line deleted here", "/* removed */", "# removed: b", "# (Deleted b)"]
)
def test_a_note_that_lines_are_gone_is_dropped(note: str) -> None:
    assert texts("a\nb\nc", f"a\n{note}\nc\n") == ["a", "c"]
    assert writes("a\nb\nc\n", f"a\n{note}\nc\n", "a\nc\n")


@pytest.mark.parametrize(
    "line", ["# removed: z", "# removed b, for it is slow", "!deleted", "*removed)", "# 2 lines", "removed"]
)
def test_a_line_that_is_no_such_note_stays(line: str) -> None:
    assert texts("a\nb\nc", f"a\n{line}\nc\n") == ["a", line, "c"]


def test_a_note_that_stands_in_the_file_stays() -> None:
    assert texts("a\n# removed\nc", "a\n# removed\nnew\nc\n") == ["a", "# removed", "new", "c"]


def test_blocks_before_and_after_become_a_hunk() -> None:
    update = fenced("os.remove(name)\nreturn None\n", "os.unlink(name)\nreturn None\n")
    assert texts(FILE, update)[-2:] == ["        os.unlink(name)", "        return None"]
    assert writes(FILE, update, FILE.replace("remove", "unlink"))


def test_each_of_several_pairs_becomes_a_hunk() -> None:
    original = "".join(f"line {number}\n" for number in range(20))
    update = fenced("line 3\n", "new 3\n", "line 15\nline 16\n", "line 15\n\nline 16\n")
    expected = original.replace("line 3", "new 3").replace("line 15\n", "line 15\n\n")
    assert writes(original, update, expected)


@pytest.mark.parametrize(
    "blocks",
    [("a\n", "b\n"), ("new\n", "a\n"), ("a\n",), ("a\n", "x\n", "b\n"), ("a\n# ...\n", "x\n"), ("a\nc\n", "x\n")],
)
def test_blocks_that_are_no_pairs_stay(blocks: tuple[str, ...]) -> None:
    shown = [line for block in blocks for line in block.splitlines() if line != "# ..."]
    assert texts("a\nb\nc", fenced(*blocks)) == shown


def test_a_hunk_that_begins_or_ends_with_what_goes_gets_context() -> None:
    original = "".join(f"line {number}\n" for number in range(20))
    update = fenced("@@ -9,2 +9 @@\n-line 8\n-line 9\n", info="diff")
    assert texts(original, update) == ["line 7", "line 10"]
    assert writes(original, update, original.replace("line 8\nline 9\n", ""))


def test_context_goes_on_to_a_line_that_tells_its_place() -> None:
    original = "a\n\nb\n}\nc\n}\n"
    update = fenced("@@ @@\n-b\n+x\n", info="diff")
    assert texts(original, update) == ["a", "", "x", "}", "c"]
    assert writes(original, update, original.replace("b", "x"))


@pytest.mark.parametrize(
    ("hunk", "expected"),
    [
        ("-a\n+x\n", "x\nb\nc\nd\n"),
        ("+x\n a\n", "x\na\nb\nc\nd\n"),
        ("-d\n+x\n", "a\nb\nc\nx\n"),
        (" d\n+x\n", "a\nb\nc\nd\nx\n"),
        ("-c\n-d\n", "a\nb\n"),
        ("-a\n-b\n", "c\nd\n"),
        ("-a\n b\n", "b\nc\nd\n"),
        ("-a\n-b\n-c\n-d\n+x\n", "x\n"),
    ],
)
def test_a_diff_reaches_both_ends_of_the_file(hunk: str, expected: str) -> None:
    assert writes("a\nb\nc\nd\n", fenced(f"@@ -1 +1 @@\n{hunk}", info="diff"), expected)


@given(st.sets(st.integers(0, 19), min_size=1), st.integers(0, 2))
def test_hunks_may_be_as_close_as_they_like(changed: set[int], context: int) -> None:
    original = [f"line {number}\n" for number in range(20)]
    hunks = ""
    for number in sorted(changed):
        above = (f" {line}" for line in original[max(0, number - context) : number])
        hunks += "".join(["@@ @@\n", *above, f"-line {number}\n+new {number}\n"])
    expected = "".join(line.replace("line", "new") if n in changed else line for n, line in enumerate(original))
    assert writes("".join(original), fenced(hunks, info="diff"), expected)


@given(KNOWN, KNOWN)
def test_what_a_diff_adds_is_read_and_what_it_removes_is_not(kept: list[str], added: list[str]) -> None:
    original = ["top", *kept, "gone", "bottom"]
    shown = [f" {line}" for line in original[:-2]] + ["-gone"] + [f"+{line}" for line in added] + [" bottom"]
    update = fenced("\n".join(["@@ @@", *shown, ""]), info="diff")
    assert texts("\n".join(original), update) == ["top", *kept, *added, "bottom"]
