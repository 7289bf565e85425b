"""In: a request that the reader does not write, and a model that writes regions. Out: the `Result` of what it wrote.

The model writes what it is shown of the file anew, and the text has to keep the laws of what it cannot judge. How sure
it is comes from four signs; of what it can judge, where words and blocks leave a choice, a broken law is one of them.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, log, log1p

from redraft.advised import advised
from redraft.choosing import readings
from redraft.edit.align.likeness import quoted
from redraft.edit.guard.check import WRITTEN, Verdict, check_read, ran_away
from redraft.edit.guard.runaway import Runaway
from redraft.edit.guard.unheard import unheard, unheard_odds
from redraft.edit.merge.reading import Reading
from redraft.edit.prompts.regional import RegionTemplate
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.window import GapError, window
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.runaway import stopped
from redraft.laws import broken_judged, broken_writing
from redraft.laws.change import Broken
from redraft.result import Result
from redraft.rewrite import Rewriter, counts, finish, unhurried
from redraft.trust import Kind, confidence, is_trusted

REGIONS = RegionTemplate.name
_SPARE = 64
_LEAST = 0.01  # nats that are added, so that none is no certainty
_DEAR = 1e6  # nats, where an engine tells no margins: trusted by no sign
_UNSURE = "the model is not sure what the answer changes: show more lines around it"


@dataclass(frozen=True)
class Signs:
    """What speaks for a text that a model wrote.

    `nats`: the logarithm of what it cost; `listed`: 1 where a reader lists it, too; `unheard`: the log-odds that the
    words bid what it does not show; `broken`: 1 where it breaks a law that a model may judge.
    """

    nats: float
    listed: float
    unheard: float
    broken: float


def by_regions(model: Rewriter, request: Request, reading: Reading, sampling: Sampling = GREEDY) -> Result:
    """Raises RedraftError where the answer tells no place, or more than fits into the model."""
    chunks = written(model, request, reading, sampling)
    found = replace(_judged(model, request, reading, chunks), **counts(chunks))
    return found if found.output is None else advised(request, found)


def _judged(model: Rewriter, request: Request, reading: Reading, chunks: Sequence[Chunk]) -> Result:
    if finish(chunks) == "runaway":
        return Result("runaway", None, 0.0, "model", ran_away("".join(chunk.text for chunk in chunks)))
    try:
        output = model.file(request, window(request.original, (), 0), chunks)
    except GapError as error:
        return _refused(None, str(error))
    verdict = check_read(request, reading.answer, output, finish(chunks))
    kind: Kind = "large" if model.size == "large" else "small"
    # Where words bid what no code shows, guards see a change that nobody asked for; the large model has read the words.
    is_judged = kind == "large" and verdict.status == "unrelated_change"
    if verdict.status not in WRITTEN and not is_judged:
        return Result(verdict.status, output, 0.0, "model", verdict.message)
    if output == request.original:  # what a model writes, too, that does not understand
        return _refused(output, _UNSURE)
    change = (request.original, reading.answer, output, request.place, request.instruction)
    if law := broken_writing(*change):
        return _refused(output, law.message)
    judged, said = broken_judged(*change) or _strange(verdict), (reading.answer, request.original, output)
    nats = log(_LEAST + cost([margin for chunk in chunks for margin in chunk.margins]))
    signs = Signs(nats, float(output in readings(request)), unheard_odds(*said), float(judged is not None))
    sure = confidence(kind, asdict(signs))
    found = Result("applied", output, sure, "model", "", features=asdict(signs))
    if is_trusted(kind, sure):
        return found
    order = unheard(*said)
    unfollowed = f"the model did not do what the words say: {quoted(order)}" if order else _UNSURE
    status = "needs_context" if verdict.status in WRITTEN else verdict.status
    return replace(found, status=status, confidence=0.0, message=judged.message if judged else unfollowed)


def _strange(verdict: Verdict) -> Broken | None:
    """A change that the answer does not show or name, as far as guards can tell: words may bid it."""
    return None if verdict.status in WRITTEN else Broken("unmentioned", verdict.message)


def _refused(output: str | None, message: str) -> Result:
    return Result("needs_context", output, 0.0, "model", message)


def cost(margins: Sequence[float]) -> float:
    """Nats that a text costs a model between each of whose tokens and the next likeliest there are so many nats, if no
    other tokens were likely; `_DEAR` where nobody knows."""
    return sum(log1p(exp(-margin)) for margin in margins) if margins else _DEAR


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
