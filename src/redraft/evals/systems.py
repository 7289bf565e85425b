"""In: the specs of systems under test. Out: the editors that they name; systems on one engine run its model once."""

from collections.abc import Iterator
from dataclasses import dataclass

from redraft.apply import Readers, Redraft, load_engine
from redraft.edit.prompt import Prompt
from redraft.edit.template import find_template
from redraft.engines import GREEDY, Chunk, Engine, Sampling
from redraft.errors import RedraftError

_WAYS: dict[str, Readers] = {"": "both", "model": "model", "vanilla": "both"}


@dataclass(frozen=True)
class System:
    """A system under test, and what applies edits by it."""

    name: str
    editor: Redraft


class Remembering:
    """An engine that answers the prompt it was last asked from memory."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.template = engine.template
        self._asked: tuple[Prompt, Sampling] | None = None
        self._chunks: list[Chunk] = []

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        if self._asked != (prompt, sampling):
            self._asked = None
            self._chunks = list(self._engine.generate(prompt, sampling))
            self._asked = prompt, sampling
        return iter(self._chunks)


def read_systems(specs: str, dtype: str | None = None) -> list[System]:
    """The systems of a list such as `embedded,embedded+model,merge`; raises RedraftError for one that is unknown.

    An engine spec stands for both readers, `+model` for its output alone, `+vanilla` for both without drafts.
    """
    engines: dict[str, Engine] = {}
    systems: list[System] = []
    for name in filter(None, map(str.strip, specs.split(","))):
        if name == "merge":
            systems.append(System(name, Redraft(None)))
            continue
        spec, _, way = name.partition("+")
        if way not in _WAYS:
            raise RedraftError(f"unknown system {name!r}: an engine, with +model or +vanilla behind it, or merge")
        engine = engines.setdefault(spec, Remembering(load_engine(spec, dtype)))
        editor = Redraft(engine, find_template(engine.template), way != "vanilla", _WAYS[way])
        systems.append(System(name, editor))
    if not systems:
        raise RedraftError("no systems are named")
    return systems
