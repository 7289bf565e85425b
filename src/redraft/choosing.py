"""In: a request that the readers do not write, and an engine that ranks. Out: what the model would rather write.

The model is asked to write the regions anew, and each text that the readers list is looked at as its answer, the file
as it is among them. What a text costs is counted in nats from the first token in which they part: the less, the rather
would the model have written it. That nothing is to change is what the model says of every answer that it does not
understand: the file as it is only shows how much better the best of the others is.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from math import log, log1p

from redraft.advised import advised
from redraft.budget import paused
from redraft.edit.decide import Weighed
from redraft.edit.doubt import doubt, line_tags
from redraft.edit.evidence import is_short
from redraft.edit.guard.check import WRITTEN, check_merged
from redraft.edit.guard.unheard import unheard, unheard_odds
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.prompts.regional import RegionTemplate, text_of
from redraft.edit.prompts.template import find_template
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.engines import Ranker
from redraft.laws import broken_choice
from redraft.reading import read_request, sketched, weighed
from redraft.result import Result
from redraft.trust import confidence, is_trusted

_ALIKE = 0.7  # from which a line may be another one, paraphrased
_DEAR = 3.0  # nats above which a model would hardly write what a reader has written
_NOTHING = ""  # an output that shares no token with any other
_LITTLE = 1.0  # log-odds that are added to the reader's: at a chance of 0.27 its word says nothing
_EDGE = 0.001


@dataclass(frozen=True)
class Signs:
    """What speaks for the text that costs a model least.

    `read`: the log-odds that the reader gives it, where it is what that reads first, and the file is not small: there
    they tell nothing; `nats`: the logarithm of what it costs from where all that is listed parts, the file as it is
    included; `unheard`: the log-odds that the words bid what it does not show.
    """

    read: float
    nats: float
    unheard: float

    @property
    def confidence(self) -> float:
        return confidence("chosen", asdict(self))


def chosen(engine: Ranker, request: Request, refused: Result) -> Result:
    """What the model is sure of; else the refusal, with the text that it would rather write than all others.

    Raises RedraftError for what is too long for the model.
    """
    costs = costs_of(engine, request, listed(request))
    texts = _changing(request, costs)
    if not texts:
        return refused
    signs = signs_of(request, texts, costs)
    ranked = tuple(Weighed(Candidate(text, 0.0), -costs[text]) for text in texts)
    found = Result("applied", texts[0], signs.confidence, "ranking", "", weighed=ranked, features=asdict(signs))
    if not is_trusted("chosen", signs.confidence):
        return replace(found, status="needs_context", confidence=0.0, message=refused.message)
    return advised(request, found)


def confirmed(engine: Ranker, request: Request, found: Result) -> Result:
    """What a reader has written, unless it costs the model so much that it would hardly write it.

    Raises RedraftError for what is too long for the model.
    """
    if found.output is None or cost_of(engine, request, found.output) <= _DEAR:
        return found
    texts = dict.fromkeys((found.output, *listed(request)))
    message = doubt(request.original, request.update, [*texts])
    return replace(found, status="needs_context", confidence=0.0, decided_by="ranking", message=message)


def is_choice(request: Request, refused: Result) -> bool:
    """Whether a model may settle a refusal: the answer is an edit of this file, and sound texts may be meant by it."""
    if advised(request, refused) is not refused or line_tags(request.original, request.update):
        return False
    answer = read_request(request).answer
    return any(not unheard(answer, request.original, text) for text in listed(request))


def listed(request: Request) -> list[str]:
    """Those of the readings that change something and are sound."""
    reading = read_request(request)
    return [text for text in readings(request) if text != request.original and _is_sound(request, reading, text)]


def readings(request: Request) -> list[str]:
    """The texts of both readers, and the first without what may be a slip."""
    reading = read_request(request)
    licensed = sketched(request, reading.answer)
    texts = [*(each.text for each in reading.candidates), *([] if licensed is None else [licensed.text])]
    return [*dict.fromkeys([*texts, *(text for first in texts[:1] for text in without_slips(request.original, first))])]


def _is_sound(request: Request, reading: Reading, text: str) -> bool:
    """Whether a text is sound and breaks no law but those of what a model that reads may judge."""
    original, answer, place = request.original, reading.answer, request.place
    is_checked = check_merged(original, answer, text, place).status in WRITTEN
    return is_checked and broken_choice(original, answer, text, place, request.instruction) is None


def without_slips(original: str, text: str) -> Iterator[str]:
    """The text with the file's own lines where it only loses some, where it only paraphrases some, and in both."""
    old, new = split_lines(original), split_lines(text)
    found = line_changes(old, new)
    lost = [each for each in found if each.after_start == each.after_end]
    paraphrased = [
        each for each in found if _is_paraphrased(old[each.start : each.end], new[each.after_start : each.after_end])
    ]
    for left in (lost, paraphrased, [*lost, *paraphrased]):
        if left and len(left) < len(found):
            yield _without(left, old, new) + "\n" * text.endswith("\n")


def _is_paraphrased(old: Sequence[str], new: Sequence[str]) -> bool:
    alike = (SequenceMatcher(None, *pair).ratio() >= _ALIKE for pair in zip(old, new, strict=False))
    return len(old) == len(new) and all(alike)


def _without(left: Iterable[LineChange], old: Sequence[str], new: Sequence[str]) -> str:
    lines = list(new)
    for each in sorted(left, key=lambda each: -each.start):
        lines[each.after_start : each.after_end] = old[each.start : each.end]
    return "\n".join(lines)


def costs_of(engine: Ranker, request: Request, texts: Sequence[str]) -> dict[str, float]:
    """Nats that each text and the file as it is cost the model, from the first token where they differ; texts that
    change what it is not shown are left out."""
    spelled = _spelled(request, (*texts, request.original))
    if len(spelled) < 2:
        return {}
    return dict(zip(spelled, _ranked(engine, request, [*spelled.values()]), strict=True))


def cost_of(engine: Ranker, request: Request, text: str) -> float:
    """Nats that all of a text costs the model; 0 for one that changes what it is not shown."""
    spelled = _spelled(request, (text,))
    return _ranked(engine, request, [spelled[text], _NOTHING])[0] if spelled else 0.0


def _spelled(request: Request, texts: Iterable[str]) -> dict[str, str]:
    """What a model would write for each text; nothing for those that change what it is not shown."""
    found = shown(request)
    pieces = {text: found.of(text) for text in texts} if found.regions else {}
    return {text: text_of(request, found, piece) for text, piece in pieces.items() if piece is not None}


def _ranked(engine: Ranker, request: Request, spelled: Sequence[str]) -> list[float]:
    prompt = find_template(RegionTemplate.name).prompt(request, None)
    with paused():
        return [max(0.0, -value) for value in engine.rank(prompt, spelled)]


def _changing(request: Request, costs: dict[str, float]) -> list[str]:
    """The texts that change something, likeliest first."""
    return sorted((text for text in costs if text != request.original), key=lambda text: costs[text])


def signs_of(request: Request, texts: Sequence[str], costs: dict[str, float]) -> Signs:
    """Of texts in the order of what they cost."""
    reading, decision = weighed(request)
    is_first = bool(reading.candidates) and texts[0] == reading.candidates[0].text
    read = _log_odds(decision.confidence) + _LITTLE if is_first and not is_short(request.original) else 0.0
    lacking = unheard_odds(reading.answer, request.original, texts[0])
    return Signs(read, log1p(costs[texts[0]]), lacking)


def _log_odds(chance: float) -> float:
    """At most those of a chance of 0.999, and at least those of 0.001."""
    held = min(max(chance, _EDGE), 1 - _EDGE)
    return log(held / (1 - held))
