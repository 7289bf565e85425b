"""In: a request, an engine and who decides. Out: a `Result`: the new file, or why there is none."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack, get_args

from redraft.edit.align.merge import Merge, merge
from redraft.edit.decide import CONFIDENCE, LEAST_CERTAINTY, Decision, Ground, Reader, Written, certainty, decide
from redraft.edit.guard.check import WRITTEN, Status, check
from redraft.edit.align.plan import apply as search_replace
from redraft.edit.hunks.apply import HunkError
from redraft.edit.prompts.asked import ApplyTemplate
from redraft.edit.prompts.prompt import Format
from redraft.edit.prompts.template import Template, find_template
from redraft.edit.request import Message, Request
from redraft.edit.text.endings import Endings
from redraft.edit.text.window import GapError, Window, near_changes, near_update, window
from redraft.engines import GREEDY, Chunk, Engine, Finish, Sampling
from redraft.engines.openai import OpenAIEngine
from redraft.engines.scripted import Scripted
from redraft.errors import RedraftError, TooLongError

Readers = Literal["both", "model", "merge"]
# A file of more lines is read and written by region by models that were trained for that, with so many lines around.
LONG, MARGIN = 150, 20
EMBEDDED = Path(__file__).parent / "models" / "embedded"
_SPECS = "embedded, hf:NAME_OR_PATH, openai:URL#MODEL, scripted:PATH"


@dataclass(frozen=True)
class Result:
    """One edit: `output` is what was produced, also when it is refused, None when nothing was.

    `status` is "applied", "no_change", a guard's refusal, or "error"; `message` says what to do about the last two, and
    which lines were in doubt where the two readers differed. `confidence` is the share of edits decided on the same
    `ground` that were right, 0 for what is refused; both are None for an error.
    """

    status: Status
    output: str | None
    confidence: float | None
    decided_by: Reader
    message: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    drafted: int = 0
    accepted: int = 0
    forwards: int = 0
    seconds: float = 0.0
    chars_per_second: float = 0.0
    ground: Ground | None = None

    def record(self) -> dict[str, Any]:
        """The fields that a line of `redraft batch` holds."""
        kept = asdict(self)
        del kept["ground"]
        return kept


class More(TypedDict, total=False):
    """What a request may say beside the file and its sketch."""

    instruction: str
    path: str
    conversation: tuple[Message, ...]
    prediction: str | None


class Redraft:
    """Applies edits with an engine and the deterministic merge, or without an engine by the merge alone.

    `readers` says who decides: the model's own output alone, or both together. `window` is how many lines around what
    an edit touches the model reads and writes, 0 for the whole file; None chooses by the file's length.

    >>> Redraft(Scripted("a\\nB\\n"), find_template("chat")).apply("a\\nb\\n", update="B").output
    'a\\nB\\n'
    """

    def __init__(
        self,
        engine: Engine | None,
        prompts: Template | None = None,
        speculate: bool = True,
        readers: Readers = "model",
        window: int | None = None,
    ) -> None:
        self._engine = engine
        self._template = prompts
        self._speculate = speculate
        self._readers = readers if engine else "merge"
        self._window = window

    def apply(self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]) -> Result:
        """The edit's result; its status is "error" where `stream` raises."""
        return self.answer(Request(original, update, **more), sampling)

    def answer(self, request: Request, sampling: Sampling = GREEDY) -> Result:
        """The same for a request that is at hand."""
        started = time.perf_counter()
        try:
            result = self._result(request, sampling)
        except RedraftError as error:
            result = Result("error", None, None, self._readers, str(error))
        seconds = time.perf_counter() - started
        return replace(result, seconds=seconds, chars_per_second=len(result.output or "") / seconds)

    def stream(
        self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]
    ) -> Iterator[Chunk]:
        """The model's output as it comes. Raises RedraftError for a request that the model cannot take."""
        request = Request(original, update, **more)
        return self._chunks(request, window(request.original, (), 0), sampling)

    @property
    def takes_instructions(self) -> bool:
        """Whether an instruction without an update is enough for this model."""
        return self._template is not None and self._template.name != "redraft"

    def _chunks(
        self, request: Request, shown: Window, sampling: Sampling, merged: Merge | None = None
    ) -> Iterator[Chunk]:
        if self._engine is None or self._template is None:
            raise RedraftError("the merge alone has no model to stream from")
        if not request.update.strip() and not request.instruction.strip():
            raise RedraftError("nothing to do: the update is empty and there is no instruction")
        expected = request.prediction if request.prediction is not None else (merged or _merge(request)).text
        cut = None if expected is None else shown.cut(expected)
        prompt = self._template.prompt(replace(request, original=shown.text), cut)
        return self._engine.generate(prompt, replace(sampling, speculate=self._speculate and sampling.speculate))

    def _shown(self, request: Request, merged: Merge) -> Window:
        """What the model reads and writes: the file, or of a long one the lines around what the edit touches."""
        margin = self._window
        if margin is None:
            known = self._template is not None and self._template.name == ApplyTemplate.name
            margin = MARGIN if known and request.original.count("\n") > LONG else 0
        if not margin or not request.update.strip():
            return window(request.original, (), 0)
        expected = [text for text in (request.prediction, merged.text) if text is not None]
        near = near_update(request.original, request.update) | near_changes(request.original, expected)
        return window(request.original, near, margin)

    def _result(self, request: Request, sampling: Sampling) -> Result:
        """Lines end in a newline alone on the way through the readers, as the update's lines do."""
        endings = Endings.of(request.original)
        result = self._read(replace(request, original=endings.text), sampling)
        return replace(result, output=None if result.output is None else endings.restored(result.output))

    def _read(self, request: Request, sampling: Sampling) -> Result:
        if self._readers == "merge":
            return _merged(request, _merge(request))
        merged = _merge(request)
        shown = self._shown(request, merged)
        if self._readers == "model" or not request.update.strip():
            return self._model_alone(request, shown, list(self._chunks(request, shown, sampling, merged)))
        try:
            chunks = list(self._chunks(request, shown, sampling, merged))
        except TooLongError as error:
            result = _merged(request, merged)
            return replace(result, message=result.message or f"decided by the merge alone: {error}")
        return self._both(request, shown, chunks, merged)

    def _model_alone(self, request: Request, shown: Window, chunks: Sequence[Chunk]) -> Result:
        ground: Ground = "model alone"
        try:
            output = self._written(shown, chunks)
        except (HunkError, GapError) as error:
            return _counted(Result("needs_context", None, 0.0, "model", str(error), ground=ground), chunks)
        verdict = check(request.original, request.update, output, _finish(chunks), request.path)
        sure = _confidence(ground, verdict.status)
        return _counted(Result(verdict.status, output, sure, "model", verdict.message, ground=ground), chunks)

    def _both(self, request: Request, shown: Window, chunks: Sequence[Chunk], merged: Merge) -> Result:
        """What both readers make of an edit; a model whose output has no end or no place has not read it."""
        try:
            output = None if _finish(chunks) == "length" else self._written(shown, chunks)
        except RedraftError:
            output = None
        if output is None:
            return _counted(_merged(request, merged), chunks)
        written = Written(output, _margin(chunks))
        decision = decide(request.original, request.update, request.path, written, merged)
        return _counted(_guarded(request, decision), chunks)

    def _written(self, shown: Window, chunks: Sequence[Chunk]) -> str:
        """The new file that the model's output says; raises HunkError for hunks that have no place in the old one,
        GapError where the model lost the lines that were left out."""
        text = "".join(chunk.text for chunk in chunks)
        if self._template is not None and self._template.output_format == "search-replace":
            text = search_replace.apply(shown.text, search_replace.parse(text))
        return _ending_like(shown.original, shown.restored(text))


def _merged(request: Request, merged: Merge) -> Result:
    if not request.update.strip():
        raise RedraftError("the merge needs an update")
    ground: Ground = "merge alone" if certainty(merged) >= LEAST_CERTAINTY else "merge alone, unsure"
    return _guarded(request, Decision(merged.text, "merge", ground, merged.reason))


def _guarded(request: Request, decision: Decision) -> Result:
    text, ground = decision.text, decision.ground
    status: Status = "needs_context"
    message = decision.reason
    if text is not None:
        verdict = check(request.original, request.update, text, path=request.path)
        status, message = verdict.status, verdict.message or decision.reason
    return Result(status, text, _confidence(ground, status), decision.decided_by, message, ground=ground)


def _confidence(ground: Ground, status: Status) -> float:
    return CONFIDENCE[ground] if status in WRITTEN else 0.0


def _counted(result: Result, chunks: Sequence[Chunk]) -> Result:
    return replace(
        result,
        prompt_tokens=chunks[-1].prompt_tokens if chunks else 0,
        completion_tokens=sum(_tokens(chunk) for chunk in chunks),
        drafted=sum(chunk.drafted for chunk in chunks),
        accepted=sum(chunk.accepted for chunk in chunks),
        forwards=sum(chunk.forwards for chunk in chunks),
    )


def _tokens(chunk: Chunk) -> int:
    return len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens


def _finish(chunks: Sequence[Chunk]) -> Finish:
    return chunks[-1].finish if chunks else "length"


def _margin(chunks: Sequence[Chunk]) -> float | None:
    """The smallest margin at a token that no draft foresaw; None where there is none."""
    pairs = (pair for chunk in chunks for pair in zip(chunk.origins, chunk.margins, strict=True))
    return min((margin for origin, margin in pairs if origin == "model"), default=None)


def _merge(request: Request) -> Merge:
    """The update merged into the file: the draft for the model, and the second reader."""
    return merge(request.original, request.update, request.path) if request.update.strip() else Merge(None)


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
    readers: Readers = "both",
    template: str | None = None,
    speculate: bool = True,
    output_format: Format = "whole",
    window: int | None = None,
) -> Redraft:
    """The engine of a spec, ready to apply edits; the reader "merge" needs none and loads none.

    `dtype` ("float32", "bfloat16"), `device` (as in torch) and `template` are chosen from the machine and the model
    when None. `output_format` is what the model is asked to write: the whole new file, or hunks ("search-replace").
    `window` is how many lines around the edit the model is shown, 0 for the whole file, None for what suits its length.
    Raises RedraftError for a spec that is unknown, and for a model that cannot be loaded or not be asked for hunks.
    """
    if readers not in get_args(Readers):
        raise RedraftError(f"unknown readers {readers!r}; there are {', '.join(get_args(Readers))}")
    if readers == "merge":
        return Redraft(None)
    engine = load_engine(spec, dtype, device)
    return Redraft(engine, find_template(template or engine.template, output_format), speculate, readers, window)


def load_engine(spec: str, dtype: str | None = None, device: str | None = None) -> Engine:
    """The engine alone; raises RedraftError as `load` does."""
    kind, _, rest = spec.partition(":")
    if kind == "scripted" and rest:
        return Scripted.read(rest)
    if kind == "openai" and rest:
        return OpenAIEngine.of(rest)
    if spec != "embedded" and not (kind == "hf" and rest):
        raise RedraftError(f"unknown engine {spec!r}; there are {_SPECS}")
    # Here, so that neither `import redraft` nor the merge imports torch.
    try:
        from redraft.engines.torch import TorchEngine
    except ModuleNotFoundError as error:
        raise RedraftError(f"the model needs {error.name}: pip install 'redraft[model]'") from error
    return TorchEngine(str(EMBEDDED) if spec == "embedded" else rest, dtype, device)
