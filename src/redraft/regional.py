"""In: a request that the reader does not write, and a model that writes regions. Out: the `Result` of what it wrote."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from redraft.advised import advised
from redraft.edit.align.likeness import quoted
from redraft.edit.guard.check import WRITTEN, check_read, ran_away
from redraft.edit.guard.runaway import Runaway
from redraft.edit.guard.unheard import unheard
from redraft.edit.merge.reading import Reading
from redraft.edit.prompts.regional import RegionTemplate
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.window import GapError, window
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.runaway import stopped
from redraft.laws import broken, broken_writing
from redraft.result import Result
from redraft.rewrite import Rewriter, counts, finish, unhurried

REGIONS = RegionTemplate.name
_SURE = 0.85  # confidence from which what the model wrote is taken
_CLOSE = 1.0  # a margin of logits below which a token might as well be another
_SPARE = 64
# A logistic regression on 69 texts that the small model wrote of short answers and that kept all laws (55 were right).
_BIAS, _AGREED, _KNOWN, _LAWFUL, _LEAST, _LOW = -0.94, 1.27, 0.85, 1.3, 0.64, -0.81


@dataclass(frozen=True)
class Signs:
    """What speaks for a text that a model wrote.

    `agreed`: the reader's first candidate is the same; `known`: another one is. `least` is the smallest margin between
    a token and the next likeliest, `low` how many are close; `lawful`: it keeps all laws of a text that no model wrote.
    """

    agreed: bool
    known: bool
    least: float
    low: int
    lawful: bool

    @property
    def confidence(self) -> float:
        total = _BIAS + _AGREED * self.agreed + _KNOWN * self.known + _LAWFUL * self.lawful
        total += _LEAST * min(self.least, 5.0) + _LOW * min(self.low, 4)
        return round(1 / (1 + exp(-total)), 4)


def by_regions(model: Rewriter, request: Request, reading: Reading, sampling: Sampling = GREEDY) -> Result:
    """Raises RedraftError where the answer tells no place, or more than fits into the model."""
    chunks = written(model, request, reading, sampling)
    if finish(chunks) == "runaway":
        message = ran_away("".join(chunk.text for chunk in chunks))
        return replace(Result("runaway", None, 0.0, "model", message), **counts(chunks))
    try:
        output = model.file(request, window(request.original, (), 0), chunks)
    except GapError as error:
        return replace(Result("needs_context", None, 0.0, "model", str(error)), **counts(chunks))
    signs = signs_of(request, reading, chunks, output)
    verdict = check_read(request, reading.answer, output, finish(chunks))
    status, message, confidence = verdict.status, verdict.message, signs.confidence
    change = (request.original, reading.answer, output, request.place, request.instruction)
    if status in WRITTEN and (law := broken_writing(*change)):
        status, message = "needs_context", law.message
    if status in WRITTEN and (order := unheard(reading.answer, request.original, output)):
        status, message = "needs_context", f"the model did not do what the words say: {quoted(order)}"
    is_licensed = signs.lawful or signs.agreed or signs.known
    if status in WRITTEN and (confidence < _SURE or not is_licensed):
        status, message = "needs_context", "the model is not sure what the answer changes: show more lines around it"
    sure = confidence if status in WRITTEN else 0.0
    return advised(request, replace(Result(status, output, sure, "model", message), **counts(chunks)))


def written(model: Rewriter, request: Request, reading: Reading, sampling: Sampling = GREEDY) -> list[Chunk]:
    """What the model writes, drafted from the likeliest candidate."""
    likeliest = next((candidate.text for candidate in reading.candidates), None)
    prompt = model.template.prompt(request, likeliest if request.prediction is None else request.prediction)
    most = sampling.max_tokens or _most(request)
    how = replace(sampling, speculate=model.speculate and sampling.speculate, max_tokens=most)
    watch = Runaway("", (request.original, request.update))
    return list(unhurried(stopped(model.engine.generate(prompt, how), watch, model.progress)))


def _most(request: Request) -> int:
    """Tokens that no right output needs: all that is shown of the file and the whole answer, at two signs a token."""
    shown_signs = sum(len(line) + 1 for lines in shown(request).texts for line in lines)
    return _SPARE + (shown_signs + len(request.update)) // 2


def signs_of(request: Request, reading: Reading, chunks: Sequence[Chunk], output: str) -> Signs:
    candidates = [candidate.text for candidate in reading.candidates]
    margins = [margin for chunk in chunks for margin in chunk.margins]
    return Signs(
        agreed=output in candidates[:1],
        known=output in candidates[1:],
        least=min(margins, default=0.0),
        low=sum(margin < _CLOSE for margin in margins),
        lawful=broken(request.original, reading.answer, output, request.place, request.instruction) is None,
    )
