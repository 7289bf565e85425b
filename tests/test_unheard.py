"""An order in words that no code shows and no change follows is refused, and named; words on code are none."""

import pytest

from redraft.apply import load
from redraft.edit.answer.answer import parse
from redraft.edit.guard.unheard import signs

FILE = """BAUD = 9600
MAX_ITEMS = 100


def load(path):
    return open(path).read()


def dump(path, text):
    open(path, "w").write(text)


def main():
    print(load("a"))
"""
BLOCK = '```python\ndef main():\n    print(load("a").strip())\n```\n'
RIGHT = FILE.replace('load("a")', 'load("a").strip()')
MISSED = pytest.mark.xfail(strict=True, reason="the regression takes it for the other kind of words")


@pytest.mark.parametrize(
    "words",
    [
        "I also set the baud rate to 115200.",
        "Please also bump `MAX_ITEMS` to 500.",
        "Do the same in `dump`.",
        "And `dump` now returns the number of characters.",
        "I also annotated `dump`, since it returns a number.",
        "Then `dump` gets a docstring.",
        "Also set `BAUD` to `115200`.",
        "Likewise, wrap the call of `open`.",
        "Needs `MAX_ITEMS = 500`, too.",  # a new version of a line
        pytest.param("`BAUD = 115200` for the new board.", marks=MISSED),
        "Same decorator on `dump`.",
        "Both `dump` and `save` should log what they do.",
    ],
)
@pytest.mark.parametrize("asked", ["", "strip what `main` prints"])
def test_an_order_that_nothing_follows_is_refused_and_named(words: str, asked: str) -> None:
    answer = f"`main` strips what it prints:\n\n{BLOCK}\n{words}\n"
    result = load(readers="merge").apply(FILE, answer, path="a.py", instruction=asked)
    assert (result.status, result.confidence) == ("needs_context", 0)
    assert result.message.startswith("no code shows what the words say: ")
    assert words[:20] in result.message


def test_what_it_is_that_goes_stands_in_the_sentence_before() -> None:
    answer = f"`main` strips what it prints:\n\n{BLOCK}\n`dump` is never called. Drop it.\n"
    result = load(readers="merge").apply(FILE, answer, path="a.py")
    assert result.status == "needs_context" or "def dump" not in (result.output or "")


def test_an_order_beside_code_that_the_file_has_already_is_refused_too() -> None:
    result = load(readers="merge").apply(RIGHT, f"{BLOCK}\nDo the same in `dump`.\n", path="a.py")
    assert (result.status, result.output) == ("needs_context", RIGHT)
    assert "Do the same in `dump`." in result.message


@pytest.mark.parametrize(
    "words",
    [
        "`dump` stays as it is.",
        "Want me to do the same for `dump`?",
        "Only this function needs to be updated.",
        "I left `dump` alone.",
        "If you like, I can change `dump`, too.",
        "`load` still returns the whole text.",
        pytest.param("In `setup.py`, set `version` to 1.20 as well.", marks=MISSED),
        "Now `main` prints no blank line at the end.",
        "You could later rename `dump`.",
        "That is 20 characters less.",
        "Make sure nothing else calls `dump`.",
        "Make sure `dump` finds its folder.",
        "Call it with `main(quiet=True)`.",
        "`main(quiet=True)` then prints nothing.",
        "Apply it with `git apply --index=main x.diff`.",
        "Add it to your `main.py`.",
        "In `setup.py`, add the new version.",
    ],
)
def test_words_that_order_nothing_here_stand_in_no_way(words: str) -> None:
    answer = f"`main` strips what it prints:\n\n{BLOCK}\n{words}\n"
    result = load(readers="merge").apply(FILE, answer, path="a.py", instruction="strip what `main` prints")
    assert not result.message.startswith("no code shows")
    assert result.weighed[0].candidate.text == RIGHT


def test_what_became_of_a_name_is_a_sign() -> None:
    answer = parse("`load` and `main` and `BAUD`:\n\n" + BLOCK, FILE.split("\n"), "a.py")
    ((_, found),) = signs(answer, FILE, RIGHT.replace("BAUD = 9600\n", ""))
    assert {"<changes>", "<around>", "<goes>"} <= found
