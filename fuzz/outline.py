"""In: bytes from libFuzzer. Out: nothing, unless an outline, or a guard on two of them, raises or breaks its word.

python fuzz/outline.py CORPUS [libFuzzer options, such as -max_total_time=600]; the corpus begins with the test files.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["redraft.edit"]):
    from redraft.edit.guard.declared import changed, duplicates, lost
    from redraft.edit.guard.faults import new_faults
    from redraft.edit.guard.leaks import leaked
    from redraft.edit.outline import Outline, fragment, outline

SEPARATOR = "\x01"
FILES = sorted(
    file for file in (Path(__file__).parent.parent / "tests" / "outlines").iterdir() if file.name != "expected.txt"
)


def one_input(data: bytes) -> None:
    path = FILES[data[0] % len(FILES)].name if data else ""
    old, _, new = data[1:].decode("utf-8", errors="replace").partition(SEPARATOR)
    before, after = outline(old.split("\n"), path), outline(new.split("\n"), path)
    for found in (before, after, fragment(new.split("\n"), path, {0, 3})):
        hold(found)
    for places, of in ((duplicates(before, after), after), (lost(before, after), before)):
        assert all(0 <= at < len(of.nodes) for at in places)
    changed(before, after)
    leaked(before, after)
    assert all(0 <= line < len(after.lines) for line in new_faults(before, after, path))


def hold(found: Outline) -> None:
    """Nodes own lines, and lie in their parents."""
    for at, node in enumerate(found.nodes):
        assert 0 <= node.start <= node.head < node.end <= len(found.lines)
        assert node.body is None or node.head < node.body[0] <= node.body[1] <= node.end
        around = None if node.parent is None else found.nodes[node.parent]
        assert around is None or (around.start <= node.start and node.end <= around.end and at in around.children)


def write_corpus(folder: Path) -> None:
    """The test files as inputs: which one, its text, and its text again behind a separator."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(FILES):
        text = file.read_text(encoding="utf-8")
        (folder / file.name).write_bytes(bytes([number]) + (text + SEPARATOR + text).encode())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)  # an option taken for the folder would be made one
    write_corpus(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
