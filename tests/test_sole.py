"""The only line that an answer changes is what it is for; a longer file is written on that alone."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.answer.parsed import parsed
from redraft.edit.request import Request
from redraft.edit.sole import is_sole_line
from redraft.reading import merged

FILE = "".join(f"def f{number}(value):\n    return value + {number}\n\n\n" for number in range(20))
NEW = FILE.replace("return value + 7\n", "return value * 7\n")
SHOWN = "```python\ndef f7(value):\n    return value * 7\n```\n"


def is_sole(update: str, text: str = NEW, original: str = FILE) -> bool:
    return is_sole_line(original, parsed(original, update, "a.py"), text, "a.py")


@given(
    lines=st.lists(st.from_regex(r"[a-z]{4,8} = [a-z]{4,8}", fullmatch=True), min_size=4, max_size=30, unique=True),
    drawn=st.data(),
)
def test_one_line_of_a_stretch_is_sole_and_two_are_not(lines: list[str], drawn: st.DataObject) -> None:
    start = drawn.draw(st.integers(0, len(lines) - 3))
    end = drawn.draw(st.integers(start + 3, len(lines)))
    places = drawn.draw(st.permutations(range(start, end)))
    original = "\n".join(lines) + "\n"
    for count in (1, 2):
        new = [f"{line} + 1" if at in places[:count] else line for at, line in enumerate(lines)]
        update = "```python\n{}\n```\n".format("\n".join(new[start:end]))
        assert is_sole(update, "\n".join(new) + "\n", original) is (count == 1)


@pytest.mark.parametrize(
    "update",
    [
        SHOWN,
        "Make `f7` multiply:\n\n" + SHOWN,
        SHOWN.replace("```python\n", "```python\n# ... existing code ...\n\n"),
        SHOWN.replace("def f7", "# ... existing code ...\n\ndef f7").replace(
            "* 7\n", "* 7\n\n# ... existing code ...\n"
        ),
        SHOWN + "\nLeave this as it is:\n\n```python\ndef f3(value):\n    return value + 3\n```\n",
    ],
)
def test_such_an_answer_is_written_by_the_reader_alone(update: str) -> None:
    found = merged(Request(FILE, update, "", "a.py"))
    assert (found.status, found.output) == ("applied", NEW)
    assert (found.confidence or 0) >= 0.97


@pytest.mark.parametrize("words", ["Also delete the last function.", "And drop the function after it."])
def test_words_that_one_reader_hears_leave_it_in_doubt(words: str) -> None:
    found = merged(Request(FILE, f"{words}\n\n{SHOWN}", "", "a.py"))
    assert found.status not in ("applied", "no_change")


def also(words: str) -> Callable[[], bool]:
    return lambda: is_sole(f"{words}\n\n{SHOWN}")


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(also("Make f7 multiply, and drop f12."), id="words name another declaration"),
        pytest.param(also("Also set the `timeout` to 30 seconds."), id="words bid more"),
        pytest.param(lambda: is_sole("```python\n    return value * 7\n```\n"), id="nothing says where"),
        pytest.param(
            lambda: is_sole("```python\ndef f(x):\n    return 2\n```\n", "def g(x):\n    return 2\n" * 2, "g\n" * 40),
            id="another change than the one that is shown",
        ),
        pytest.param(
            lambda: is_sole(SHOWN, NEW, FILE.replace("f8(", "f7(").replace("value + 8", "value + 7")),
            id="two places",
        ),
        pytest.param(lambda: is_sole(SHOWN, NEW.replace("+ 9", "+ 90")), id="a second line differs"),
        pytest.param(lambda: is_sole(SHOWN, FILE.replace("    return value + 7\n", "")), id="a line goes"),
        pytest.param(
            lambda: is_sole("```diff\n def f7(value):\n-    return value + 7\n+    return value * 7\n```\n"),
            id="a diff",
        ),
    ],
)
def test_what_may_be_more_than_one_line_is_not_sole(found: Callable[[], bool]) -> None:
    assert not found()
