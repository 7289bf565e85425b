"""Most orders in words that no code shows and no change follows are refused, and named; most words on code are none.

A regression hears them, so what it says of one sentence is no promise: floors hold for all together.
"""

from collections.abc import Iterable

from redraft.apply import load
from redraft.edit.answer.answer import parse
from redraft.edit.guard.unheard import signs
from redraft.result import Result

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


ORDERS = (
    "I also set the baud rate to 115200.",
    "Please also bump `MAX_ITEMS` to 500.",
    "Do the same in `dump`.",
    "And `dump` now returns the number of characters.",
    "I also annotated `dump`, since it returns a number.",
    "Then `dump` gets a docstring.",
    "Also set `BAUD` to `115200`.",
    "Likewise, wrap the call of `open`.",
    "Needs `MAX_ITEMS = 500`, too.",  # a new version of a line
    "`BAUD = 115200` for the new board.",
    "Same decorator on `dump`.",
    "Both `dump` and `save` should log what they do.",
)
NONE = (
    "`dump` stays as it is.",
    "Want me to do the same for `dump`?",
    "Only this function needs to be updated.",
    "I left `dump` alone.",
    "If you like, I can change `dump`, too.",
    "`load` still returns the whole text.",
    "In `setup.py`, set `version` to 1.20 as well.",
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
)
HEARD, HARMLESS = 11, 15  # of these many; raise them where weights that are fitted anew make it possible


def answered(words: str) -> Result:
    answer = f"Blanks around the text are not printed:\n\n{BLOCK}\n{words}\n"
    return load(readers="merge").apply(FILE, answer, path="a.py")


def are_named(words: Iterable[str]) -> list[bool]:
    """Whether each is refused as an order, and named."""
    named = []
    for each in words:
        result = answered(each)
        named.append(result.message.startswith("no code shows what the words say: ") and each[:20] in result.message)
        assert not (named[-1] and result.status == "applied")
    return named


def test_most_orders_that_nothing_follows_are_refused_and_named() -> None:
    assert sum(are_named(ORDERS)) >= HEARD


def test_most_words_that_order_nothing_here_stand_in_no_way() -> None:
    assert len(NONE) - sum(are_named(NONE)) >= HARMLESS


def test_an_order_beside_code_that_the_file_has_already_is_refused_too() -> None:
    result = load(readers="merge").apply(RIGHT, f"{BLOCK}\nPlease also bump `MAX_ITEMS` to 500.\n", path="a.py")
    assert (result.status, result.output) == ("needs_context", RIGHT)
    assert "bump `MAX_ITEMS` to 500." in result.message


def test_what_became_of_a_name_is_a_sign() -> None:
    answer = parse("`load` and `main` and `BAUD`:\n\n" + BLOCK, FILE.split("\n"), "a.py")
    ((_, found),) = signs(answer, FILE, RIGHT.replace("BAUD = 9600\n", ""))
    assert {"<changes>", "<around>", "<goes>"} <= found
