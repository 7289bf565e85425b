"""In: bytes from libFuzzer. Out: nothing, unless a reader of exact formats raises, or writes what it does not explain.

python fuzz/exact.py CORPUS [libFuzzer options, such as -max_total_time=600]; the corpus begins with an edit in each
format.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
with atheris.instrument_imports(include=["redraft.edit.exact"]):
    from exact.rendering import NUMBERS, PLACED, Edit
    from redraft.edit.exact.read import files_of, read_exact

SEPARATOR = "\x01"
PATHS = ("", "a.txt", "a.py", "a.ts", "a.md", "a.yaml", "*.py")
EDIT = Edit(("def one():", "    return 1", "", "def two():", "    return 2"), 3, 5, ("def two():", "    return 3"))


def one_input(data: bytes) -> None:
    text = data[1:].decode("utf-8", errors="replace").replace("\r", "")
    original, _, update = text.partition(SEPARATOR)
    path = PATHS[data[0] % len(PATHS)] if data else ""
    found = read_exact(original, update, path)
    files_of(update)
    if found is None:
        return
    assert "\n" not in found.message, (original, update)
    assert bool(found.message) == (found.text is None), (original, update)
    assert all(found.healed), (original, update)


def write_corpus(folder: Path) -> None:
    """An edit in each format: which path, the original, and the answer behind a separator."""
    folder.mkdir(parents=True, exist_ok=True)
    for render in (*PLACED, *NUMBERS):
        text = EDIT.original + SEPARATOR + render(EDIT)
        (folder / render.__name__).write_bytes(bytes([1]) + text.encode())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)  # an option taken for the folder would be made one
    write_corpus(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
