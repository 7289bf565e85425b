"""In: a request, an engine and who decides. Out: a `Result`: the new file, or why there is none."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar, Unpack, get_args

from redraft.budget import SECONDS, within
from redraft.choosing import is_choice, listed
from redraft.edit.guard.check import WRITTEN
from redraft.edit.instruction import Instruction
from redraft.edit.prompts.asked import ApplyTemplate
from redraft.edit.prompts.prompt import Format
from redraft.edit.prompts.template import Template, find_template
from redraft.edit.request import More, Request
from redraft.edit.text.selection import Selection
from redraft.edit.text.window import window as window_of
from redraft.engines import GREEDY, Chunk, Engine, Ranker, Sampling, Warming
from redraft.engines.runaway import Progress
from redraft.engines.spec import Size, check_spec, is_ranker, load_engine, size_of, writes_regions
from redraft.errors import RedraftError, TimeUpError
from redraft.helped import helped
from redraft.in_doubt import in_doubt
from redraft.instructed import Instructed
from redraft.kept import passing
from redraft.reading import is_agreed, is_open, is_settled, merged, read_request
from redraft.regional import REGIONS, by_regions
from redraft.result import Result, timed, unasked
from redraft.rewrite import Once, Opener, Rewriter
from redraft.writing import Writing, as_read, likeliest

Readers = Literal["auto", "model", "merge"]
T = TypeVar("T")
P = ParamSpec("P")
_Edit = Callable[Concatenate["Redraft", Request, P], T]


def _in_time(method: _Edit[P, T]) -> _Edit[P, T]:
    """A method that is interrupted where reading takes it longer than it may."""

    @wraps(method)
    def limited(self: "Redraft", request: Request, /, *given: P.args, **named: P.kwargs) -> T:
        with passing(len(request.original) + len(request.update)):
            return self.within(lambda: method(self, request, *given, **named))

    return limited


class Redraft:
    """Applies edits by the deterministic reader, and with a model where that is asked for or needed.

    `readers`: "merge" never uses the model, "model" has it write the whole file, and "auto" asks it where the reader is
    not sure: to write anew what the answer is about if it `writes_regions`, how likely candidates are if it `ranks`,
    else to write the file. `model` opens the engine and is called when it is needed first. `seconds` are what reading
    one edit may take; the model's time does not count.
    """

    def __init__(
        self,
        model: Opener | None = None,
        readers: Readers = "auto",
        ranks: bool = True,
        writes_regions: bool = False,
        seconds: float = SECONDS,
    ) -> None:
        self._model = None if model is None else Once(model)
        self._readers: Readers = readers if model else "merge"
        self._ranks, self._writes_regions, self._seconds = ranks, writes_regions, seconds

    @classmethod
    def of(
        cls,
        engine: Engine,
        template: Template,
        readers: Readers = "model",
        speculate: bool = True,
        window: int | None = None,
        seconds: float = SECONDS,
        size: Size = "",
    ) -> "Redraft":
        """With an engine that is open already.

        `window` is how many lines around what an edit touches a model reads and writes, 0 for the whole file; None
        as the model was trained. The small embedded model (`size`) is shown selected lines alone.

        >>> Redraft.of(Scripted("a\\nB\\n"), find_template("chat")).apply("a\\nb\\n", update="B").output
        'a\\nB\\n'
        """
        model = Rewriter(engine, template, speculate, window, size)
        return cls(lambda: model, readers, isinstance(engine, Ranker), template.name == REGIONS, seconds)

    def apply(self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]) -> Result:
        """The edit's result; its status is "error" where `stream` raises."""
        return self.answer(Request(original, update, **more), sampling)

    def answer(self, request: Request, sampling: Sampling = GREEDY) -> Result:
        """Like `apply`, for an existing request."""
        return timed(lambda: self._result(request, sampling), "model" if self._readers == "model" else "merge")

    def alone(self, request: Request) -> Result | None:
        """What `answer` says where it needs no model for it, else None."""
        return timed(lambda: self._alone(request), "merge")

    def within(self, work: Callable[[], T]) -> T:
        """What `work` returns; raises TimeUpError where it takes longer than reading an edit may."""
        return within(self._seconds, work)

    @_in_time
    def _alone(self, request: Request) -> Result | None:
        form, plain = as_read(request)
        return None if self._needs_model(plain) else helped(request, form.restored(merged(plain)))

    def stream(
        self, original: str, update: str = "", *, sampling: Sampling = GREEDY, **more: Unpack[More]
    ) -> Iterator[Chunk]:
        """The model's output as it comes. Raises RedraftError for a request that the model cannot take."""
        request, model = Request(original, update, **more), self._opened()
        expected = likeliest(self.within(lambda: read_request(request))) if request.update.strip() else None
        return model.chunks(request, window_of(request.original, (), 0), expected, sampling)

    def warm(self, original: str, update: str = "", **more: Unpack[More]) -> int:
        """Reads a file while its edit is still being written; `update` is what there is of it.

        From the first call on the model keeps what it reads, also of edits. Returns how many tokens of the next prompt
        it knows, 0 for an engine that keeps nothing; raises RedraftError where there is no model, or no room in it.
        """
        request, model = Request(original, update, **more), self._opened()
        if isinstance(model.engine, Warming):
            model.engine.keep_prefixes()
        return model.warm(request)[0]

    @_in_time
    def writing(self, request: Request) -> Writing:
        """The edit as the model would write it, whoever decides otherwise; nothing is asked of the model yet.

        Raises RedraftError where there is no model.
        """
        form, plain = as_read(request)
        reading, model = read_request(plain) if plain.update.strip() else None, self._opened()
        return Writing(plain, form, model, reading, model.shown(plain, likeliest(reading)), self.within)

    def edit(
        self,
        original: str,
        lines: tuple[int, int],
        instruction: str,
        *,
        path: str = "",
        prediction: str | None = None,
        sampling: Sampling = GREEDY,
    ) -> Result:
        """What an instruct model makes of the lines from first to last, counted from 1; no other byte changes.

        It drafts from these lines, or from a prediction of the new ones. The status is "error" where `editing` raises.
        What is applied has no `confidence`: how often such edits are right depends on the model.

        >>> Redraft.of(Scripted("b = 3\\n"), find_template("chat")).edit("a = 1\\nb = 2\\n", (2, 2), "make it 3").output
        'a = 1\\nb = 3\\n'
        """

        def edited() -> Result:
            editing = self.editing(original, lines, instruction, path=path, prediction=prediction)
            return editing.result(list(editing.chunks(sampling)))

        return timed(edited, "model")

    def editing(
        self, original: str, lines: tuple[int, int], instruction: str, *, path: str = "", prediction: str | None = None
    ) -> Instructed:
        """Like `edit`, with the chunks as they come.

        Raises RedraftError for lines that the file has not, without an instruction, and where there is no model or one
        that follows no instructions.
        """
        asked = Instruction(Selection.of(original, *lines), instruction, path, prediction)
        return Instructed.of(asked, self._opened())

    @property
    def engine(self) -> Engine:
        """The engine, opened; raises RedraftError where there is no model."""
        return self._opened().engine

    @property
    def takes_instructions(self) -> bool:
        """Whether an instruction without an update is enough for this model."""
        return self._opened().template.name != ApplyTemplate.name

    def _opened(self) -> Rewriter:
        if self._model is None:
            raise RedraftError("there is no model: the deterministic reader works alone")
        return self._model()

    @_in_time
    def _result(self, request: Request, sampling: Sampling) -> Result:
        form, plain = as_read(request)
        return helped(request, form.restored(self._decided(plain, sampling)))

    def _decided(self, request: Request, sampling: Sampling) -> Result:
        if not self._needs_model(request):
            return merged(request)
        if self._asks(request):
            return self._written(request, sampling)
        if self._readers == "model":
            return by_regions(self._opened(), request, sampling)
        return self._in_doubt(request, merged(request), sampling)

    def _needs_model(self, request: Request) -> bool:
        """Whether the reader alone does not settle the edit."""
        if self._readers == "merge":
            return False
        if self._asks(request) or self._readers == "model":
            return True
        found = merged(request)
        return not is_settled(found) or (self._ranks and not is_agreed(request, found))

    def _in_doubt(self, request: Request, found: Result, sampling: Sampling) -> Result:
        """What the model makes of it, else what the readers say without it."""
        if found.output is None and not self._writes_regions and not listed(request):
            return found
        try:
            model = self._opened()
        except TimeUpError:
            raise
        except RedraftError as error:
            return unasked(found, error) if found.status not in WRITTEN and is_choice(request, found) else found
        return in_doubt(model, request, found, sampling)

    @_in_time
    def writes(self, request: Request) -> bool:
        """Whether a model writes the whole file for `answer`."""
        return self._asks(as_read(request)[1])

    def _asks(self, request: Request) -> bool:
        """Whether a model is to write the file: where it is asked for, and in doubt where it can do nothing else."""
        if not request.update.strip():
            return self._readers != "merge"
        if self._writes_regions:
            return False
        return self._readers == "model" or (self._readers == "auto" and not self._ranks and is_open(request))

    @_in_time
    def otherwise(self, request: Request) -> Result | None:
        """What the reader may write of an edit where a model that was asked in doubt has failed or was refused."""
        if self._readers != "auto" or not request.update.strip():
            return None
        form, plain = as_read(request)
        return helped(request, form.restored(found)) if (found := merged(plain)).status == "applied" else None

    def _written(self, request: Request, sampling: Sampling) -> Result:
        """The file as the model writes it, drafted from the likeliest candidate."""
        other = self.otherwise(request)
        try:
            writing = self.writing(request)
            result = writing.result(list(writing.chunks(sampling)))
        except RedraftError as error:
            if other is not None:
                return other
            if self._readers != "auto" or not request.update.strip() or isinstance(error, TimeUpError):
                raise
            return unasked(merged(request), error)
        return result if other is None or result.status in WRITTEN else other


def load(
    spec: str = "embedded",
    *,
    dtype: str | None = None,
    device: str | None = None,
    readers: Readers = "auto",
    template: str | None = None,
    speculate: bool = True,
    output_format: Format = "whole",
    window: int | None = None,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Redraft:
    """The engine of a spec, ready to apply edits.

    Only with the readers "model" it is opened at once; "auto" opens it in doubt, "merge" never. `dtype` ("float32",
    "bfloat16"), `device` (as in torch) and `template` are chosen from the machine and the model when None.
    `output_format` is what a model is asked to write: the whole new file, or hunks ("search-replace"). `window` is how
    many lines around the edit it is shown, 0 for the whole file, None as it was trained. `seconds` are what reading
    one edit may take, models not counted; an edit that takes longer is an error. `progress` hears its text and how long
    that will be. Raises RedraftError for an unknown spec, and for a model that cannot be loaded or asked so.
    """
    for what, given, known in (("readers", readers, Readers), ("output format", output_format, Format)):
        if given not in get_args(known):
            raise RedraftError(f"unknown {what} {given!r}; there are {', '.join(get_args(known))}")
    check_spec(spec)
    if template is not None:
        find_template(template, output_format)

    def model() -> Rewriter:
        engine = load_engine(spec, dtype, device)
        asked = find_template(template or engine.template, output_format)
        return Rewriter(engine, asked, speculate, window, size_of(spec), progress)

    if readers == "model":
        opened = model()
        return Redraft(lambda: opened, readers, writes_regions=opened.template.name == REGIONS, seconds=seconds)
    return Redraft(None if readers == "merge" else model, readers, is_ranker(spec), writes_regions(spec), seconds)
