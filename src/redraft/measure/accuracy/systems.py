"""In: the specs of systems under test. Out: what applies edits by them; systems on one engine run its model once."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import Protocol

from redraft.apply import Readers, Redraft
from redraft.calls.repair import repaired
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import Template, find_template
from redraft.edit.request import Request
from redraft.engines import GREEDY, Chunk, Engine, Ranker, Sampling, Tokenizing
from redraft.engines.spec import load_engine, size_of
from redraft.errors import RedraftError
from redraft.result import Result

REPAIR = "repair"  # the call of an agent, repaired
_WAYS = ("model", "auto", "vanilla", "search-replace", "full", "selected")
_NAMED = re.compile(r"([\w.+-]+)=(.+)")


class Remembering:
    """An engine that answers the prompt it was last asked from memory; `saved` is the seconds that this has saved.

    It ranks and tells its tokens where the engine does.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.template = engine.template
        if isinstance(engine, Ranker):
            self.rank = engine.rank
        if isinstance(engine, Tokenizing):
            self.encode, self.decode, self.parts = engine.encode, engine.decode, engine.parts
        self.saved = 0.0
        self._asked: tuple[Prompt, Sampling] | None = None
        self._chunks: list[Chunk] = []
        self._seconds = 0.0

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        if self._asked == (prompt, sampling):
            self.saved += self._seconds
        else:
            self._asked = None
            started = time.perf_counter()
            self._chunks = list(self.engine.generate(prompt, sampling))
            self._seconds = time.perf_counter() - started
            self._asked = prompt, sampling
        return iter(self._chunks)


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens."""

    prompt: float
    completion: float


class Editor(Protocol):
    """What applies edits."""

    def answer(self, request: Request) -> Result: ...


class Repairing:
    """Answers with what the repair of a call makes of the file."""

    def answer(self, request: Request) -> Result:
        return repaired(request)


@dataclass(frozen=True)
class System:
    """A system under test, and what applies edits by it."""

    name: str
    editor: Editor
    engine: Remembering | None = None
    template: Template | None = None
    price: Price | None = None

    def answer(self, request: Request, lines: tuple[int, int] | None = None) -> Result:
        """The result of an edit; its seconds are what it would have taken had no other system asked the engine.

        With `lines` a model rewrites these alone, as the instruction says. What fails, in whatever way, has the status
        "error".
        """
        before, started = self.engine.saved if self.engine else 0.0, time.perf_counter()
        try:
            result = self.editor.answer(request) if lines is None else self._edited(request, lines)
        except Exception as error:  # one system's fault on one edit must not end an evaluation of hours
            result = Result("error", None, None, "model", f"{type(error).__name__}: {error}")
        seconds = time.perf_counter() - started + (self.engine.saved - before if self.engine else 0.0)
        return replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)

    def _edited(self, request: Request, lines: tuple[int, int]) -> Result:
        if not isinstance(self.editor, Redraft):
            raise RedraftError(f"{self.name} edits no selected lines")
        return self.editor.edit(request.original, lines, request.instruction, path=request.path)

    def bits_per_byte(self, request: Request, expected: str) -> float | None:
        """Of the expected file, as this system's model would write it; None without a model that says its loss."""
        nats = getattr(self.engine.engine if self.engine else None, "nats", None)
        if nats is None or self.template is None or not expected:
            return None
        try:
            return float(nats(self.template.prompt(request, expected)) / log(2) / len(expected.encode()))
        except RedraftError:
            return None

    def cost(self, result: Result) -> float | None:
        """In dollars; None where the price of a token is not known."""
        if self.price is None:
            return None
        return (self.price.prompt * result.prompt_tokens + self.price.completion * result.completion_tokens) / 1e6


def read_systems(specs: str, dtype: str | None = None, prices: Mapping[str, Price] | None = None) -> list[System]:
    """The systems of a list such as `embedded,embedded+model,merge`; raises RedraftError for one that is unknown.

    An engine spec stands for the reader with a model that is asked in doubt; behind it `+model` has the model write
    the file, `+vanilla` without drafts or prediction, `+search-replace` as hunks, `+full` with the whole of a long file
    before it; with `+auto`, too, in doubt alone. With `+selected` a model is shown selected lines and nothing around
    them, as the embedded one always is but with `+full`. A system may have a name: `small=embedded`. `prices` are by
    engine spec.
    """
    engines: dict[str, Remembering] = {}
    systems: list[System] = []
    for given in dict.fromkeys(filter(None, map(str.strip, specs.split(",")))):
        named = _NAMED.fullmatch(given)
        name, asked = named.groups() if named else (given, given)
        if asked == "merge":
            systems.append(System(name, Redraft(None)))
            continue
        if asked == REPAIR:
            systems.append(System(name, Repairing()))
            continue
        spec, ways = _parsed(asked)
        if spec not in engines:
            engines[spec] = Remembering(load_engine(spec, dtype))
        template = find_template(engines[spec].template, "search-replace" if "search-replace" in ways else "whole")
        editor = Redraft.of(
            engines[spec],
            template,
            _readers(ways),
            "vanilla" not in ways,
            0 if "full" in ways else None,
            size="small" if "selected" in ways else size_of(spec),
        )
        systems.append(System(name, editor, engines[spec], template, (prices or {}).get(spec)))
    if not systems:
        raise RedraftError("no systems are named")
    return systems


def read_prices(given: Iterable[str]) -> dict[str, Price]:
    """The prices of a list of `SPEC=IN/OUT`; raises RedraftError for what is none."""
    prices = {}
    for price in given:
        spec, _, costs = price.rpartition("=")
        try:
            prompt, completion = map(float, costs.split("/"))
        except ValueError as error:
            raise RedraftError(f"no price: {price!r}; one is like openai:URL#MODEL=0.15/0.60") from error
        prices[spec] = Price(prompt, completion)
    return prices


def _parsed(name: str) -> tuple[str, frozenset[str]]:
    """An engine spec, and the ways of use named behind it."""
    ways: list[str] = []
    while (parts := name.rpartition("+"))[2] in _WAYS and parts[0]:
        name = parts[0]
        ways.append(parts[2])
    if "+" in name and ":" not in name:
        raise RedraftError(f"unknown system {name!r}: an engine, with +{', +'.join(_WAYS)} behind it, or merge")
    return name, frozenset(ways)


def _readers(ways: frozenset[str]) -> Readers:
    return "auto" if "auto" in ways or not ways else "model"
