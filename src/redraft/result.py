"""In: an edit that was tried. Out: `Result`: what came of it, who decided, how sure that is, what it took."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeVar

from redraft.edit.decide import Weighed
from redraft.edit.guard.check import WRITTEN, Status
from redraft.edit.guard.vanished import Vanished
from redraft.engines.spec import OTHERWISE
from redraft.errors import MissingError, RedraftError

Reader = Literal["format", "merge", "model", "ranking"]

R = TypeVar("R", "Result", "Result | None")


@dataclass(frozen=True)
class Result:
    """One edit: `output` is what was produced, also when it is refused, None when nothing was.

    `status` is "applied", "no_change", a guard's refusal, or "error"; `message` says what to do about the last two.
    `decided_by`: the rules of the answer's own format ("format"), the deterministic reader ("merge"), it and a model
    that ranked its candidates ("ranking"), or a model that wrote the file ("model"). `confidence` is the chance that it
    is right, counted on answers by chat models; 0 for what is refused, None for an error and for selected lines.
    `added` and `removed` are how many lines `output` has that the file has not, and the other way.
    `weighed` are the candidates, the one taken first; `features` is what the confidence comes from. `healed` are the
    slips of an answer in an exact format that were mended. `vanished` are the lines of the file that go though the
    answer does not show them, and `ask_again` is what to send back to the chat model where the edit is refused.
    `way_on` says how to have a model decide where one could, and none was asked.
    """

    status: Status
    output: str | None = field(repr=False)
    confidence: float | None
    decided_by: Reader = field(repr=False)
    message: str
    healed: tuple[str, ...] = field(default=(), repr=False)
    vanished: tuple[Vanished, ...] = field(default=(), repr=False)
    ask_again: str = field(default="", repr=False)
    way_on: str = field(default="", repr=False)
    added: int = 0
    removed: int = 0
    prompt_tokens: int = field(default=0, repr=False)
    completion_tokens: int = field(default=0, repr=False)
    drafted: int = field(default=0, repr=False)
    accepted: int = field(default=0, repr=False)
    forwards: int = field(default=0, repr=False)
    seconds: float = field(default=0.0, repr=False)
    chars_per_second: float = field(default=0.0, repr=False)
    weighed: tuple[Weighed, ...] = field(default=(), repr=False)
    features: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def margin(self) -> float | None:
        """How many nats the model gives the candidate taken above the next best; None where it was not asked."""
        found = [each.log_probability for each in self.weighed if each.log_probability is not None]
        return found[0] - max(found[1:]) if len(found) > 1 else None

    def record(self) -> dict[str, Any]:
        """The fields that a line of `redraft batch` holds."""
        kept = asdict(replace(self, weighed=()))
        del kept["weighed"], kept["features"]
        gone = [{"line": each.line, "text": each.text} for each in self.vanished]
        return kept | {"healed": list(self.healed), "vanished": gone}


def unasked(found: Result, error: RedraftError) -> Result:
    """What the reader says alone of an edit that a model could decide, and how to have one that can be asked."""
    if found.status in (*WRITTEN, "error"):
        return found
    if not isinstance(error, MissingError):
        return replace(found, way_on=f"the model could not be asked: {error}")
    return replace(found, way_on=f"a model could decide: {error.commands or error}{OTHERWISE}")


def timed(work: Callable[[], R], by: Reader) -> R | Result:
    """The result with the time that it took; an error is a result, too."""
    started = time.perf_counter()
    try:
        result: R | Result = work()
    except RedraftError as error:
        result = Result("error", None, None, by, str(error))
    if result is None:
        return result
    seconds = time.perf_counter() - started
    return replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)
