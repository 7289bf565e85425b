"""In: selected lines of a file, an instruction, and a model. Out: its chunks as they come, and a `Result` of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.edit.guard.check import WRITTEN
from redraft.edit.guard.runaway import Runaway
from redraft.edit.guard.selected import check_selected, set_right
from redraft.edit.instruction import Instruction
from redraft.edit.prompts.selected import PROMPTS
from redraft.edit.text.changes import counted
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.runaway import stopped
from redraft.errors import RedraftError, TooLongError
from redraft.result import Result
from redraft.rewrite import Rewriter, counts, finish

_OF_A_SMALL_ONE = 0.5  # of 16 selections that the small model changed 8 were right (benchmarks/instructed)
_NEARER = (400, 100, 25, 0)  # lines around the selection that are shown in turn where more are too long for the model


@dataclass(frozen=True)
class Instructed:
    """An edit of selected lines that a model is to write; no other byte of the file can change."""

    asked: Instruction
    _model: Rewriter

    @staticmethod
    def of(asked: Instruction, model: Rewriter) -> "Instructed":
        """Raises RedraftError without an instruction, and for a model that follows none."""
        if not asked.text.strip():
            raise RedraftError("nothing to do: the instruction is empty")
        if model.template.name not in PROMPTS:
            raise RedraftError(
                "this model applies code and follows no instructions: name one that does, such as --engine "
                "openai:URL#MODEL"
            )
        return Instructed(replace(asked, around=model.around), model)

    def chunks(self, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """The new lines as they come, drafted from the old ones; raises RedraftError where they are too long."""
        model, prompt = self._model, PROMPTS[self._model.template.name]
        sampling = replace(sampling, speculate=model.speculate and sampling.speculate)
        most = float("inf") if self.asked.around is None else self.asked.around
        for around in (self.asked.around, *(count for count in _NEARER if count < most)):
            try:
                written = model.engine.generate(prompt(replace(self.asked, around=around)), sampling)
                return stopped(written, Runaway("", (self.asked.selection.text, self.asked.text)), model.progress)
            except TooLongError as error:
                failure = error
        raise failure

    def result(self, chunks: Sequence[Chunk]) -> Result:
        """What the guards say of the file with the new lines; how sure that is was counted for the small model."""
        new = set_right(self.asked, "".join(chunk.text for chunk in chunks))
        verdict = check_selected(self.asked, new, finish(chunks))
        confidence = 0.0 if verdict.status not in WRITTEN else _OF_A_SMALL_ONE if self._model.size == "small" else None
        output = self.asked.selection.replaced(new)
        added, removed = counted(self.asked.selection.text, new)
        result = Result(verdict.status, output, confidence, "model", verdict.message, added=added, removed=removed)
        return replace(result, **counts(chunks))
