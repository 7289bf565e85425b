"""In: the name of a classic demonstration. Out: its file, a sketch for the embedded model, an instruction for any."""

from dataclasses import dataclass
from pathlib import Path

from redraft.errors import RedraftError

_FOLDER = Path(__file__).parent
_FILES = {"type-hints": "type-hints/calculate_average.py", "comment": "comment/TemperatureCard.tsx"}
NAMES = tuple(_FILES)


@dataclass(frozen=True)
class Example:
    """One demonstration, with both ways to ask for it."""

    path: str
    original: str
    update: str
    instruction: str


def find_example(name: str) -> Example:
    """Raises RedraftError for a name that is not one of `NAMES`."""
    if name not in _FILES:
        raise RedraftError(f"unknown example {name!r}; there are {', '.join(NAMES)}")
    file = _FOLDER / _FILES[name]
    update, instruction = (file.parent / beside for beside in ("update.md", "instruction.txt"))
    texts = (path.read_text(encoding="utf-8") for path in (file, update, instruction))
    return Example(file.name, *texts)
