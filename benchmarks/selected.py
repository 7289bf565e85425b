"""In: an engine that follows instructions. Out: how many of 16 small instructed edits of Python it gets right.

    python benchmarks/selected.py [ENGINE [WINDOW]]

Each asks for new lines in a file of 27 lines; what counts is not the text but what the new file does when it runs.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from redraft.apply import load
from redraft.engines import Sampling

FILE = '''"""A basket of things that are bought."""

import json


class Basket:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)

    def add(self, item):
        self.items.append(item)

    def clear(self):
        self.items = []


def greet(name):
    print("Hello", name)
    return name


def load(path):
    data = open(path).read()
    return json.loads(data)
'''
# The lines, what to do with them, and a check of the new file, in which `said` is what was printed.
CASES = (
    ((10, 11), "Multiply the result by 2", "assert Basket([1, 2]).total() == 6"),
    ((10, 11), "Return 0 if there are no items", "assert Basket([]).total() == 0 and Basket([2]).total() == 2"),
    ((10, 11), "Rename the method to amount", "assert Basket([1, 2]).amount() == 3 and not hasattr(Basket, 'total')"),
    ((10, 11), "Add a docstring", "assert Basket.total.__doc__ and Basket([1, 2]).total() == 3"),
    ((10, 11), "Add type hints", "assert Basket.total.__annotations__ and Basket([1]).total() == 1"),
    ((10, 11), "Return the average of the items", "assert Basket([1, 3]).total() == 2"),
    ((13, 14), "Print the item before adding it", "b = Basket([]); b.add(7); assert said == ['7'] and b.items == [7]"),
    ((13, 14), "Raise ValueError if item is None", "b = Basket([]); b.add(1); fails(lambda: b.add(None), ValueError)"),
    ((13, 14), "Return self", "b = Basket([]); assert b.add(1) is b and b.items == [1]"),
    ((13, 14), "Insert the item at the beginning", "b = Basket([1]); b.add(2); assert b.items == [2, 1]"),
    (
        (16, 17),
        "Use the clear method of the list",
        "i = [1]; b = Basket(i); b.clear(); assert i == [] and b.items == []",
    ),
    ((20, 22), "Say Good morning instead of Hello", "greet('Ann'); assert said == ['Good morning Ann']"),
    ((20, 22), "Do not print anything", "assert greet('Ann') == 'Ann' and said == []"),
    ((20, 22), "Return the name in upper case", "assert greet('Ann') == 'ANN'"),
    ((20, 22), "Give name the default value world", "greet(); assert said == ['Hello world']"),
    ((25, 27), "Use a with statement to open the file", "assert 'with open(' in new; assert load(made) == [1]"),
)


def is_right(new: str, check: str, made: str) -> bool:
    """Whether the new file runs and does what it should; `made` is a file that holds [1]."""
    said: list[str] = []

    def fails(call: object, kind: type[Exception]) -> None:
        try:
            call()  # type: ignore[operator]
        except kind:
            return
        raise AssertionError

    names = {"print": lambda *words: said.append(" ".join(map(str, words))), "__name__": "basket"}
    try:
        exec(new, names)
        exec(check, names | {"said": said, "fails": fails, "new": new, "made": made})
    except Exception:
        return False
    return True


def main(engine: str = "embedded", window: str = "") -> None:
    editor = load(engine, window=int(window) if window else None)
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        made = Path(folder) / "made.json"
        made.write_text("[1]")
        for lines, instruction, check in CASES:
            result = editor.edit(FILE, lines, instruction, path="basket.py", sampling=Sampling(max_tokens=200))
            right = result.status == "applied" and is_right(result.output or "", check, str(made))
            counts["right" if right else "wrong" if result.status == "applied" else "refused or unchanged"] += 1
            print(f"{right}\t{result.status}\t{result.forwards} forwards\t{instruction}", file=sys.stderr, flush=True)
    print(f"{engine} {window}: {dict(counts)} of {len(CASES)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
