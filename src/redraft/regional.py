"""In: a request that the reader does not write, and a model that writes regions. Out: the `Result` of what it wrote."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log, log1p

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
_SURE = 0.78  # confidence from which what the model wrote is taken
_SPARE = 64
# A logistic regression on 64 texts that the small model wrote of held out short answers and that kept all laws (49 were
# right); `_LEAST` nats are added, so that none is no certainty.
_BIAS, _WEIGHT, _LEAST = 0.16, -0.47, 0.01


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
    sure = confidence([margin for chunk in chunks for margin in chunk.margins])
    verdict = check_read(request, reading.answer, output, finish(chunks))
    status, message = verdict.status, verdict.message
    change = (request.original, reading.answer, output, request.place, request.instruction)
    if status in WRITTEN and (law := broken_writing(*change)):
        status, message = "needs_context", law.message
    if status in WRITTEN and (order := unheard(reading.answer, request.original, output)):
        status, message = "needs_context", f"the model did not do what the words say: {quoted(order)}"
    is_listed = any(output == each.text for each in reading.candidates)
    if status in WRITTEN and (sure < _SURE or not (is_listed or broken(*change) is None)):
        status, message = "needs_context", "the model is not sure what the answer changes: show more lines around it"
    found = Result(status, output, sure if status in WRITTEN else 0.0, "model", message)
    return advised(request, replace(found, **counts(chunks)))


def confidence(margins: Sequence[float]) -> float:
    """In a text between each of whose tokens and the next likeliest there are so many nats; 0 where nobody knows.

    What decides is what the text costs the model in nats if no other tokens were likely.
    """
    if not margins:
        return 0.0
    cost = sum(log1p(exp(-margin)) for margin in margins)
    return round(1 / (1 + exp(-_BIAS - _WEIGHT * log(cost + _LEAST))), 4)


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
