"""In: bytes from libFuzzer. Out: nothing, unless a law raises, or says what it may not.

python fuzz/laws.py CORPUS [libFuzzer options, such as -max_total_time=600]; the corpus begins with the test cases. An
input is a path, a file, an answer and a text, whoever made it: the laws know nothing of the reader.
"""

import json
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["redraft.laws"]):
    from redraft.edit.answer.answer import parse
    from redraft.laws import broken, broken_text
    from redraft.laws.change import Change
    from redraft.laws.laws import LAWS

SEPARATOR = "\x01"
PATHS = ("", "a.py", "a.ts", "a.md", "a.yaml", "a.rs", "a.html", "a.css", "a.sql", "a.ini")
CASES = Path(__file__).parent.parent / "tests" / "cases"


def one_input(data: bytes) -> None:
    path = PATHS[data[0] % len(PATHS)] if data else ""
    original, update, text = (data[1:].decode("utf-8", errors="replace") + SEPARATOR * 2).split(SEPARATOR)[:3]
    answer = parse(update, original.split("\n"), path)
    change = Change.of(original, answer, text, path)
    found = [law(change) for law in LAWS.values()]
    assert all("\n" not in each.message for each in found if each is not None)
    assert broken(original, answer, original, path) is None, "a file that stays as it is breaks no law"
    assert broken_text(original, original, path) is None
    assert all(at < len(change.after) and not change.after[at].isspace() for at in change.shown)


def write_corpus(folder: Path) -> None:
    """The cases as inputs: which path, the original, the update and the right text behind separators."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("short", "edits", "kinds"):
        file = CASES / f"{name}.jsonl"
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            case = json.loads(line)
            text = SEPARATOR.join((case["original"], case["update"], *case["right"][:1]))
            (folder / f"{name}-{number}").write_bytes(bytes([number % len(PATHS)]) + text.encode())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)  # an option taken for the folder would be made one
    write_corpus(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
