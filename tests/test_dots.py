"""Dots in code that the file does not have are text; between lines that the file has they stand for its lines."""

import pytest

from redraft.apply import Redraft
from redraft.edit.text.strings import in_strings, stands_for_lines

DOC = '    """Adds.\n\n    First one line,\n    then another.\n    """\n'
FILE = f"def a():\n{DOC}    x = 1\n    y = 2\n    return x + y\n"
DOCTEST = [
    "def b():",
    '    """Shows a prompt.',
    "",
    "    >>> for i in range(2):",
    "    ...     print(i)",
    "    ...",
    "    0",
    '    """',
    "    return 3",
]
STUBS = ["class P(Protocol):", "    def one(self) -> int:", "        ...", "", "    def two(self) -> int: ..."]
TALK = ["def c():", '    return """', "    # ... existing code ...", "    ...", '    """']


def shown(*lines: str) -> str:
    return "\n".join(("```python", *lines, "```", ""))


def block(old: str, new: str) -> str:
    return shown("<<<<<<< SEARCH", *old.split("\n"), "=======", *new.split("\n"), ">>>>>>> REPLACE")


@pytest.mark.parametrize("new", [DOCTEST, STUBS, TALK], ids=["doctest", "stubs", "string"])
@pytest.mark.parametrize("way", ["behind a marker", "whole file", "SEARCH/REPLACE"])
def test_dots_in_new_code_are_text(new: list[str], way: str) -> None:
    wanted = FILE + "\n\n" + "".join(f"{line}\n" for line in new)
    update = {
        "behind a marker": shown("# ... existing code ...", "", "", *new),
        "whole file": shown(*wanted.rstrip("\n").split("\n")),
        "SEARCH/REPLACE": block("    return x + y", "\n".join(("    return x + y", "", "", *new))),
    }[way]
    done = Redraft().apply(FILE, update, path="a.py")
    assert (done.status, done.output) == ("applied", wanted), done.message


@pytest.mark.parametrize(
    "update",
    [
        block("    x = 1\n    y = 2", "    x = 5\n    # ... rest of the code ..."),
        block("    x = 1\n    y = 2", "    x = 5\n    ..."),
    ],
)
def test_dots_that_leave_lines_out_are_refused_by_exact_formats(update: str) -> None:
    assert Redraft().apply(FILE, update, path="a.py").output is None


@pytest.mark.parametrize("dots", ["    ...", "    # ... existing code ..."])
def test_dots_in_a_string_of_the_file_stand_for_its_lines(dots: str) -> None:
    update = shown("def a():", '    """Adds.', dots, '    """', "    x = 5", "    y = 2", "    return x + y")
    done = Redraft().apply(FILE, update, path="a.py")
    assert done.status == "needs_context" or done.output == FILE.replace("x = 1", "x = 5")


def test_lines_within_strings() -> None:
    lines = ['x = """one', "two", '""" + \'"""\'', '# it\'s """', "`a", "b`", "y = '''", "'''"]
    assert in_strings(lines, "python") == {1, 2, 7}
    assert in_strings(lines, "javascript") == {1, 2, 5, 7}
    assert in_strings(['x = """'], "python") == set()
    assert stands_for_lines(["a", "...", "c"], 1, ["a", "b", "c"])
    assert not stands_for_lines(["a", "...", "c"], 1, ["a", "...", "c"])
    assert not stands_for_lines(["a", "...", "c"], 1, ["a", "c"])
