"""In: bytes from libFuzzer. Out: nothing, unless the reader, the guards or the plan of an answer raise.

python fuzz/reader.py CORPUS [libFuzzer options, such as -max_total_time=600]; the corpus begins with the test cases.
"""

import sys
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["redraft.edit", "redraft.changes"]):
    from redraft.edit.guard.check import check_merged, check_read
    from redraft.edit.guard.unheard import unheard
    from redraft.edit.merge.read import read as candidates
    from redraft.edit.named.reading import read
    from redraft.edit.request import Request
    from redraft.errors import RedraftError

SEPARATOR = "\x01"
PATHS = ("", "a.py", "a.ts", "a.md", "a.yaml", "a.rs", "a.html")
CASES = Path(__file__).parent.parent / "tests" / "conformance"


def one_input(data: bytes) -> None:
    text = data[1:].decode("utf-8", errors="replace")
    path = PATHS[data[0] % len(PATHS)] if data else ""
    original, _, update = text.partition(SEPARATOR)
    reading = candidates(original, update, path)
    assert bool(reading.candidates) != bool(reading.reason), (original, update)
    assert "\n" not in reading.reason
    for candidate in reading.candidates:
        merged = check_merged(original, reading.answer, candidate.text, path)
        read_by_model = check_read(Request(original, update, path=path), reading.answer, candidate.text)
        order = unheard(reading.answer, original, candidate.text)
        assert "\n" not in merged.message + read_by_model.message + (order or "")
    with suppress(RedraftError):
        read(update, lambda path: path == "a.py")


def write_corpus(folder: Path) -> None:
    """The conformance cases as inputs: which path, the original, and the update behind a separator."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in CASES.glob("*.txt"):
        for number, section in enumerate(file.read_text(encoding="utf-8").split("\n@@@ ")[1:]):
            original, _, rest = section.partition("\n")[2].partition("=== update\n")
            text = original + SEPARATOR + rest.partition("\n=== ")[0]
            (folder / f"{file.stem}-{number}").write_bytes(bytes([number % len(PATHS)]) + text.encode())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)  # an option taken for the folder would be made one
    write_corpus(Path(sys.argv[1]))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
