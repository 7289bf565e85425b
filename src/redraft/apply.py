"""In: a request, an engine and who decides. Out: a `Result`: the new file, or why there is none."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypedDict, Unpack, get_args

from redraft.edit.guard import Status, check
from redraft.edit.merge import Merge, merge
from redraft.edit.request import Message, Request
from redraft.edit.template import Template, find_template
from redraft.engines import GREEDY, Chunk, Engine, Sampling
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError

Readers = Literal["model", "merge"]
EMBEDDED = Path(__file__).parent / "models" / "embedded"
_SPECS = "embedded, hf:NAME_OR_PATH, scripted:PATH"


@dataclass(frozen=True)
class Result:
    """One edit: `output` is what was produced, also when it is refused, None when nothing was.

    `status` is "applied", "no_change", a guard's refusal, or "error"; `message` says what to do about the last two.
    """

    status: Status
    output: str | None
    confidence: float | None
    decided_by: Readers
    message: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    drafted: int = 0
    accepted: int = 0
    forwards: int = 0
    seconds: float = 0.0
    chars_per_second: float = 0.0


class More(TypedDict, total=False):
    """What a request may say beside the file and its sketch."""

    instruction: str
    path: str
    conversation: tuple[Message, ...]
    prediction: str | None


class Redraft:
    """Applies edits with an engine, or without one by the deterministic merge alone.

    >>> Redraft(Scripted("a\\nB\\n"), find_template("chat")).apply("a\\nb\\n", update="B").output
    'a\\nB\\n'
    """

    def __init__(self, engine: Engine | None, prompts: Template | None = None, speculate: bool = True) -> None:
        self._engine = engine
        self._template = prompts
        self._speculate = speculate

    def apply(self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]) -> Result:
        """The edit's result; its status is "error" where `stream` raises."""
        started = time.perf_counter()
        try:
            result = self._result(Request(original, update, **more), sampling)
        except RedraftError as error:
            result = Result("error", None, None, self._decides, str(error))
        seconds = time.perf_counter() - started
        return replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)

    def stream(
        self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]
    ) -> Iterator[Chunk]:
        """The model's output as it comes. Raises RedraftError for a request that the model cannot take."""
        return self._chunks(Request(original, update, **more), sampling)

    @property
    def takes_instructions(self) -> bool:
        """Whether an instruction without an update is enough for this model."""
        return self._template is not None and self._template.name != "redraft"

    @property
    def _decides(self) -> Readers:
        return "merge" if self._engine is None else "model"

    def _chunks(self, request: Request, sampling: Sampling) -> Iterator[Chunk]:
        if self._engine is None or self._template is None:
            raise RedraftError("the merge alone has no model to stream from")
        if not request.update.strip() and not request.instruction.strip():
            raise RedraftError("nothing to do: the update is empty and there is no instruction")
        prompt = self._template.prompt(request, _prediction(request))
        return self._engine.generate(prompt, replace(sampling, speculate=self._speculate and sampling.speculate))

    def _result(self, request: Request, sampling: Sampling) -> Result:
        """Lines end in a newline alone on the way through the model, as the update's lines do."""
        lines = request.original.count("\n")
        if not lines or lines != request.original.count("\r\n"):
            return self._read(request, sampling)
        result = self._read(replace(request, original=request.original.replace("\r\n", "\n")), sampling)
        return replace(result, output=result.output and result.output.replace("\n", "\r\n"))

    def _read(self, request: Request, sampling: Sampling) -> Result:
        return self._merged(request) if self._engine is None else self._written(request, sampling)

    def _written(self, request: Request, sampling: Sampling) -> Result:
        chunks = list(self._chunks(request, sampling))
        output = _ending_like(request.original, "".join(chunk.text for chunk in chunks))
        finish = chunks[-1].finish if chunks else "length"
        verdict = check(request.original, request.update, output, finish, request.path)
        return Result(
            verdict.status,
            output,
            confidence=None,
            decided_by="model",
            message=verdict.message,
            prompt_tokens=chunks[-1].prompt_tokens if chunks else 0,
            completion_tokens=sum(len(chunk.ids) for chunk in chunks),
            drafted=sum(chunk.drafted for chunk in chunks),
            accepted=sum(chunk.accepted for chunk in chunks),
            forwards=sum(chunk.forwards for chunk in chunks),
        )

    def _merged(self, request: Request) -> Result:
        if not request.update.strip():
            raise RedraftError("the merge needs an update")
        merged = merge(request.original, request.update, request.path)
        if merged.text is None:
            return Result("needs_context", None, None, "merge", merged.reason)
        verdict = check(request.original, request.update, merged.text, path=request.path)
        return Result(verdict.status, merged.text, None, "merge", verdict.message)


def _prediction(request: Request) -> str | None:
    """The caller's own, else the update merged into the file."""
    if request.prediction is not None:
        return request.prediction
    merged = merge(request.original, request.update, request.path) if request.update.strip() else Merge(None)
    return merged.text


def _ending_like(original: str, text: str) -> str:
    """The text with a final newline where the original has one; how a file ends is not the model's to change."""
    if not original or not text:
        return text
    return text.removesuffix("\n") + ("\n" if original.endswith("\n") else "")


def load(
    spec: str = "embedded",
    *,
    dtype: str | None = None,
    device: str | None = None,
    readers: Readers = "model",
    template: str | None = None,
    speculate: bool = True,
) -> Redraft:
    """The engine of a spec, ready to apply edits; the reader "merge" needs none and loads none.

    `dtype` ("float32", "bfloat16"), `device` (as in torch) and `template` are chosen from the machine and the model
    when None. Raises RedraftError for a spec that is unknown or a model that cannot be loaded.
    """
    if readers not in get_args(Readers):
        raise RedraftError(f"unknown readers {readers!r}; there are {', '.join(get_args(Readers))}")
    if readers == "merge":
        return Redraft(None)
    engine = load_engine(spec, dtype, device)
    return Redraft(engine, find_template(template or engine.template), speculate)


def load_engine(spec: str, dtype: str | None = None, device: str | None = None) -> Engine:
    """The engine alone; raises RedraftError as `load` does."""
    kind, _, rest = spec.partition(":")
    if kind == "scripted" and rest:
        return Scripted.read(rest)
    if spec != "embedded" and not (kind == "hf" and rest):
        raise RedraftError(f"unknown engine {spec!r}; there are {_SPECS}")
    # Here, so that neither `import redraft` nor the merge imports torch.
    from redraft.engines.torch import TorchEngine

    return TorchEngine(str(EMBEDDED) if spec == "embedded" else rest, dtype, device)
