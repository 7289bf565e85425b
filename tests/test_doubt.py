"""A doubt names the lines of the file and of the answer that it is about, and what settles it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import load
from redraft.edit.doubt import doubt, located
from redraft.edit.guard.check import WRITTEN

FILE = "def one(x):\n    check(x)\n    return x\n\n\ndef two(x):\n    check(x)\n    return x\n"
ANSWER = "```python\n    check(x)\n    log(x)\n    return 2 * x\n```\n"
INSERTED = FILE.replace("check(x)\n", "check(x)\n    log(x)\n", 1)
LOWER = FILE[:40] + FILE[40:].replace("check(x)\n", "check(x)\n    log(x)\n")
DOUBLED = FILE.replace("return x", "return 2 * x", 1)
DOUBLED_LOWER = FILE[:60] + FILE[60:].replace("return x", "return 2 * x")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            (INSERTED, LOWER),
            "'log(x)' (line 3 of the answer) comes below line 2 of the file, 'check(x)', or below line 7 of the file, "
            "'check(x)'; show more of the lines around it",
        ),
        (
            (DOUBLED, DOUBLED_LOWER),
            "'return 2 * x' (line 4 of the answer) takes the place of line 3 of the file, 'return x', or of line 8, "
            "'return x'; give the change as SEARCH/REPLACE",
        ),
        (
            (FILE, FILE.replace("    check(x)\n", "", 1)),
            "line 2 of the file, 'check(x)', stays or goes; give the change",
        ),
        ((FILE, DOUBLED), "line 3 of the file, 'return x', stays, or becomes 'return 2 * x' (line 4 of the answer)"),
        ((FILE, FILE.replace("    return x", "  return x", 1)), "'return x', stays, or becomes '  return x'"),
        (
            (INSERTED, INSERTED.replace("    log", "  log")),
            "a new line (line 3 of the answer) is '    log(x)' or '  log(x)'; indent",
        ),
        (
            (INSERTED, INSERTED.replace("log", "tell")),
            "'log(x)' (line 3 of the answer) or 'tell(x)' comes below line 2",
        ),
        ((FILE, FILE.replace("\n\n\n", "\n\n")), "with or without a blank line below line 3 of the file, 'return x'"),
    ],
)
def test_two_texts_differ_in_a_line_of_the_file_or_in_the_place_of_a_new_one(texts: tuple[str, str], said: str) -> None:
    found = doubt(FILE, ANSWER, texts)
    assert found.startswith("the answer can be read in several ways: ")
    assert said in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            INSERTED,
            "it is not sure enough that 'log(x)' (line 3 of the answer) goes below line 2 of the file, 'check(x)'",
        ),
        (
            DOUBLED,
            "it is not clear whether line 3 of the file, 'return x', becomes 'return 2 * x' (line 4 of the answer)",
        ),
        (
            FILE.replace("    check(x)\n", "", 1),
            "it is not clear whether line 2 of the file, 'check(x)', is to go: give the change",
        ),
        (FILE.replace("\n\n\n", "\n\n"), "it is not clear whether a blank line goes below line 3 of the file"),
        (FILE, "the file has no 'log(x)' (line 3 of the answer), and it is not clear what is to change: give the"),
        ("import os\n" + FILE, "'import os' may go at the top of the file"),
    ],
)
def test_a_text_alone_is_doubted_at_its_first_change(text: str, said: str) -> None:
    assert said in doubt(FILE, ANSWER, [text])


def test_without_a_text_the_answer_has_no_place() -> None:
    assert doubt(FILE, ANSWER, []).startswith("the answer has no place in the file")


LEFT_OUT = "def one(x):\n    # with care\n    return x\n"


@pytest.mark.parametrize(
    ("original", "answer", "texts", "said"),
    [
        (  # the comment that is left out, and not the head above it
            LEFT_OUT,
            "```python\ndef one(x, y):\n    return x * y\n```\n",
            ["def one(x, y):\n    return x * y\n"],
            "line 2 of the file, '# with care', is to go: show it if it stays, or with a '-' in a diff if it goes",
        ),
        (  # lines that are not alike are no versions of each other
            "total = 0\n",
            "```\nfor each in rows:\n```\n",
            ["for each in rows:\n"],
            "'for each in rows:' (line 2 of the answer) takes the place of line 1 of the file, 'total = 0': give",
        ),
        (  # a new version is named where there is one
            "set -eu\nrun\n",
            "```sh\nset -euo pipefail\n```\n",
            ["set -euo pipefail\nrun\n", "set -eu\nset -euo pipefail\nrun\n"],
            "line 1 of the file, 'set -eu', stays, or becomes 'set -euo pipefail' (line 2 of the answer); give",
        ),
        (  # a line that the answer shows cannot be shown once more
            "a = 1\nb = 2\n",
            "```\na = 1\n```\n",
            ["b = 2\n", "a = 1\nb = 2\n"],
            "line 1 of the file, 'a = 1', stays or goes; give the change as SEARCH/REPLACE",
        ),
        (  # a bracket that goes before a line with a new version
            "if (a) {\n} else\n  b = 1;\n}\n",
            "```\n  b = 2;\n```\n",
            ["if (a) {\n  b = 2;\n}\n"],
            "line 2 of the file, '} else', is to go: show it if it stays",
        ),
        (  # in one text, and not in the other at all
            "a = 1\nb = 2\n",
            "```\nc = 3\n```\n",
            ["a = 1\nc = 3\nb = 2\n", "a = 1\nb = 2\n"],
            "'c = 3' (line 2 of the answer) comes below line 1 of the file, 'a = 1', or is left out; give",
        ),
        (  # below the end of what stands above, though texts may be compared otherwise
            "fn a() {\n}\n",
            "```\nfn b() {\n}\n```\n",
            ["fn a() {\n}\nfn b() {\n}\n"],
            "'fn b() {' (line 2 of the answer) may go below line 2 of the file, '}'",
        ),
    ],
)
def test_the_line_that_matters_is_named_with_what_settles_it(
    original: str, answer: str, texts: list[str], said: str
) -> None:
    assert said in doubt(original, answer, texts)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("'log(x)' is not in the file", "'log(x)' (line 3 of the answer) is not in the file"),
        ("line 2 of the file, 'log(x)', would go", "line 2 of the file, 'log(x)', would go"),
        ("line 9 of the new file would be 'log(x)', no", "would be 'log(x)' (line 3 of the answer), no"),
        ("'tell(x)' is not in the file", "'tell(x)' is not in the file"),
    ],
)
def test_a_message_that_quotes_the_answer_says_where(message: str, said: str) -> None:
    assert located(message, ANSWER).endswith(said)


LINES = st.lists(st.sampled_from(["a", "  b", "", "c", "    c", "}"]), max_size=8).map("\n".join)


@given(LINES, LINES, LINES, LINES)
def test_any_texts_are_doubted_in_one_line(original: str, update: str, one: str, other: str) -> None:
    for texts in ([], [one], [one, other], [one, one]):
        said = doubt(original, update, texts)
        assert said
        assert "\n" not in said
        assert "becomes ''" not in said


@given(st.integers(2, 12))
def test_a_new_version_of_lines_that_read_the_same_is_asked_for_by_their_numbers(count: int) -> None:
    file = "".join(f"def f{number}(x):\n    notify(x, 0)\n    return {number}\n\n\n" for number in range(count))
    answer = "Change it like this:\n\n```python\n    notify(x, 0, 1)\n```\n"
    result = load(readers="merge").apply(file, answer, path="a.py")
    assert result.status == "needs_context"
    new = "say which line becomes 'notify(x, 0, 1)' (line 4 of the answer)"
    assert result.message.startswith(f"{new}: 'notify(x, 0)' stands {count} times in the file, at lines 2")
    shown = re.findall(r"^def f\d+\(x\):\n    notify\(x, 0\)$", result.ask_again, re.MULTILINE)
    assert len(shown) == min(count, 6)
    assert "Please say which place is meant" in result.ask_again


def test_the_file_has_all_is_said_only_where_it_has() -> None:
    assert "all that the answer shows" in doubt(FILE, "```python\n    check(x)\n    return x\n```\n", [FILE])


@pytest.mark.parametrize("empty", ["", "\n", " \n\n"])
def test_an_empty_file_takes_a_block_that_leaves_nothing_out(empty: str) -> None:
    editor = load(readers="merge")
    result = editor.apply(empty, f"Here it is:\n\n```python\n{FILE}```\n", path="a.py")
    assert (result.status, result.output, result.decided_by) == ("applied", FILE, "format")
    block = f"```python\n{FILE}```\n"
    for answer in (
        block + block.replace("one", "three"),
        f"```python\n{FILE}# ... existing code ...\n```\n",
        f"```python\n{FILE}",
        "Run it like this:\n\n```bash\npython a.py\n```\n",
        f"### `b.py`\n\n{block}",
        "```diff\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n```\n",
    ):
        assert editor.apply(empty, answer, path="a.py").status not in WRITTEN
