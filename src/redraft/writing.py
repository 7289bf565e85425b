"""In: an edit, and the model that is to write it. Out: its chunks as they come, and the `Result` of what they say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.advised import advised
from redraft.edit.decide import by_reading
from redraft.edit.evidence import SURE
from redraft.edit.exact.whole import given_back
from redraft.edit.guard.check import WRITTEN, Verdict, check, check_merged, check_read, ran_away
from redraft.edit.merge.reading import Reading
from redraft.edit.named.reading import own
from redraft.edit.prompts.hunks import HunkError
from redraft.edit.request import Request
from redraft.edit.text.endings import Endings
from redraft.edit.text.newlines import newlined
from redraft.edit.text.standing import renumbered
from redraft.edit.text.window import GapError, Window
from redraft.engines import GREEDY, Chunk, Finish, Sampling
from redraft.helped import helped
from redraft.laws import broken
from redraft.result import Result
from redraft.rewrite import Rewriter, counts, finish

_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Form:
    """What a file has around its text: byte-order marks, one or none mostly, and how each line ends."""

    mark: str
    endings: Endings
    answer: tuple[str, str] = ("", "")  # as it came, and as it is read

    @staticmethod
    def of(text: str) -> "Form":
        bare = text.lstrip(_BYTE_ORDER_MARK)
        return Form(text.removesuffix(bare), Endings.of(bare))

    def restored(self, result: Result) -> Result:
        written, read = self.answer
        if written != read:
            result = replace(result, message=renumbered(result.message, written.split("\n"), read.split("\n")))
        if result.output is None:
            return result
        return replace(result, output=self.mark + self.endings.restored(result.output).lstrip(_BYTE_ORDER_MARK))


def as_read(request: Request) -> tuple[Form, Request]:
    """A request as the readers take it: lines end in a newline alone, and the answer is what it says of this file."""
    form = Form.of(request.original)
    given = newlined(request.update, form.endings.text)
    is_whole = given_back(form.endings.text, given) is not None
    update = given if is_whole else own(given, request.path, form.endings.text)
    form = replace(form, answer=(given, update))
    return form, replace(request, original=form.endings.text, update=update)


@dataclass(frozen=True)
class Writing:
    """An edit that a model is to write; the model is `shown` the file, or the lines around the edit."""

    request: Request
    _form: Form
    _model: Rewriter
    _reading: Reading | None
    shown: Window
    _within: Callable[[Callable[[], Result]], Result] = lambda work: work()

    def chunks(self, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """The model's output as it comes, drafted from the likeliest candidate.

        Raises RedraftError for a request that the model cannot take.
        """
        return self._model.chunks(self.request, self.shown, likeliest(self._reading), sampling)

    @property
    def whole(self) -> str | None:
        """The whole file as the reader makes it of the answer, None where the answer has no place in it."""
        found = likeliest(self._reading)
        return None if found is None else self._form.restored(Result("applied", found, None, "merge", "")).output

    @property
    def expected(self) -> str | None:
        """What the output should be, of what is shown; None where the answer has no place in the file."""
        found = likeliest(self._reading)
        return None if found is None else self.shown.cut(found)

    def result(self, chunks: Sequence[Chunk]) -> Result:
        """What the guards say of the file that was written; raises TimeUpError where that takes too long."""
        return self._within(lambda: self._judged(chunks))

    def _judged(self, chunks: Sequence[Chunk]) -> Result:
        request, reading = self.request, self._reading
        if finish(chunks) == "runaway":
            message = ran_away("".join(chunk.text for chunk in chunks))
            return helped(request, replace(Result("runaway", None, 0.0, "model", message), **counts(chunks)))
        try:
            output = self._model.file(request, self.shown, chunks)
        except (HunkError, GapError) as error:
            result = replace(Result("needs_context", None, 0.0, "model", str(error)), **counts(chunks))
            return helped(request, result)
        verdict = self._lawful(output, self._verdict(output, finish(chunks)))
        confidence = _model_confidence(verdict, request, output, reading)
        result = Result(verdict.status, output, confidence, "model", verdict.message)
        restored = self._form.restored(advised(request, replace(result, **counts(chunks))))
        return helped(request, restored)

    def _lawful(self, output: str, verdict: Verdict) -> Verdict:
        """The verdict, unless the text breaks a law of what an answer may do."""
        request, reading = self.request, self._reading
        if verdict.status != "applied" or reading is None or not reading.answer.blocks:
            return verdict
        law = broken(request.original, reading.answer, output, request.place, request.instruction, is_licensed=True)
        return Verdict("needs_context", law.message) if law else verdict

    def _verdict(self, output: str, ended: Finish) -> Verdict:
        request, reading = self.request, self._reading
        if reading is not None and any(output == candidate.text for candidate in reading.candidates):
            return check_merged(request.original, reading.answer, output, request.place)
        if reading is not None and reading.answer.blocks and self._model.reads_answers:
            return check_read(request, reading.answer, output, ended)
        return check(request.original, request.update, output, ended, request.place)


def likeliest(reading: Reading | None) -> str | None:
    """The text that an answer most probably means, None where it has no place in the file."""
    return reading.candidates[0].text if reading and reading.candidates else None


def _model_confidence(verdict: Verdict, request: Request, output: str, reading: Reading | None) -> float:
    """What the deterministic reader makes of the same edit says how sure a model's file is; one half where it fails."""
    if verdict.status not in WRITTEN:
        return 0.0
    if reading is None or not reading.candidates:
        return 0.5
    decision = by_reading(request.original, reading)
    return max(SURE, decision.confidence) if output == decision.text else round(1 - decision.confidence, 4)
