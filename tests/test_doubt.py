"""A doubt names the lines of the file and of the answer that it is about, and what settles it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.doubt import doubt

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
            "'check(x)'; show the line above it",
        ),
        (
            (DOUBLED, DOUBLED_LOWER),
            "'return 2 * x' (line 4 of the answer) takes the place of line 3 of the file, 'return x', or of line 8, "
            "'return x'; show the lines above and below it",
        ),
        ((FILE, FILE.replace("    check(x)\n", "", 1)), "line 2 of the file, 'check(x)', stays or goes; show it"),
        ((FILE, DOUBLED), "line 3 of the file, 'return x', stays, or becomes 'return 2 * x' (line 4 of the answer)"),
        ((FILE, FILE.replace("    return x", "  return x", 1)), "'return x', stays, or becomes '  return x'"),
        ((INSERTED, INSERTED.replace("    log", "  log")), "a new line is '    log(x)' or '  log(x)'; indent"),
        (
            (INSERTED, INSERTED.replace("log", "tell")),
            "'log(x)' (line 3 of the answer) or 'tell(x)' comes below line 2",
        ),
        ((FILE, FILE.replace("\n\n\n", "\n\n")), "a blank line more or less below line 3 of the file, 'return x'"),
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
            "it is not clear whether line 2 of the file, 'check(x)', is to go: show",
        ),
        (FILE.replace("\n\n\n", "\n\n"), "the answer changes blank lines alone"),
        (FILE, "the file has all that the answer shows"),
        ("import os\n" + FILE, "'import os' may go at the top of the file"),
    ],
)
def test_a_text_alone_is_doubted_at_its_first_change(text: str, said: str) -> None:
    assert said in doubt(FILE, ANSWER, [text])


def test_without_a_text_the_answer_has_no_place() -> None:
    assert doubt(FILE, ANSWER, []).startswith("the answer has no place in the file")


LINES = st.lists(st.sampled_from(["a", "  b", "", "c", "    c", "}"]), max_size=8).map("\n".join)


@given(LINES, LINES, LINES, LINES)
def test_any_texts_are_doubted_in_one_line(original: str, update: str, one: str, other: str) -> None:
    for texts in ([], [one], [one, other], [one, one]):
        said = doubt(original, update, texts)
        assert said
        assert "\n" not in said
