"""In: an edit in doubt, a model, and texts that may be meant. Out: how likely each of them is to be the right one.

The readers list texts, and a model that writes regions proposes what it writes itself. Of each it is counted what it
costs the model, in nats over all its tokens: the less, the rather would the model write it. The chances are those of a
conditional logit (McFadden, 1974): the weighed signs of each text, beside those of all others, and beside that none is
right. So a text is less likely where another one is nearly as good.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from math import log

from redraft.advised import advised
from redraft.budget import paused
from redraft.edit.decide import Weighed
from redraft.edit.doubt import doubt, line_tags
from redraft.edit.evidence import is_short
from redraft.edit.guard.check import WRITTEN, Verdict, check_merged, check_read
from redraft.edit.guard.unheard import unheard, unheard_odds
from redraft.edit.merge.reading import Candidate
from redraft.edit.prompts.regional import RegionTemplate, text_of
from redraft.edit.prompts.template import find_template
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import written
from redraft.engines import Ranker
from redraft.laws import Broken, broken_choice, broken_judged, broken_writing
from redraft.reading import compared, read_request, sketched
from redraft.regression import log_odds
from redraft.result import Reader, Result
from redraft.trust import Kind, chances, is_trusted

_ALIKE = 0.7  # from which a line may be another one, paraphrased
MOST = 4  # of the readers' texts; none further behind was right in development
_LEAST = 0.05  # nats that are added, so that none is no certainty
_NOTHING = ""  # an output that shares no token with any other


@dataclass(frozen=True)
class Signs:
    """What speaks for a text.

    `own`: 1 where the model writes it by itself; `nats`: the logarithm of what it costs; `listed`: 1 where a reader
    lists it; `first`: 1 where a reader reads it first, and `read`: the log-odds that it gives it, both 0 in a small
    file, where they tell nothing; `unheard`: the log-odds that the words bid what it does not show; `judged`: 1 where
    it breaks a law that a model may judge.
    """

    own: float
    nats: float
    listed: float
    first: float
    read: float
    unheard: float
    judged: float


@dataclass(frozen=True)
class Proposed:
    """A text that no law forbids which a model may not judge, what it costs, and what speaks for it.

    `objection` is what speaks against it, and a model may judge.
    """

    text: str
    cost: float
    signs: Signs
    objection: Verdict | None


def proposed(request: Request, text: str, cost: float, own: bool = False, finish: str = "stop") -> Proposed | Result:
    """A text as something to choose; a refusal where a guard or a law is against it, whatever a model says. `finish` is
    the engine's reason to end where it wrote the text."""
    reading = read_request(request)
    verdict = check_read(request, reading.answer, text, finish)
    # Where words bid what no code shows, guards see a change that nobody asked for: a model has read the words.
    if verdict.status not in (*WRITTEN, "unrelated_change"):
        return Result(verdict.status, text, 0.0, "model", verdict.message)
    change = (request.original, reading.answer, text, request.place, request.instruction)
    if law := broken_writing(*change):
        return Result("needs_context", text, 0.0, "model", law.message)
    objection = _objection(verdict, broken_judged(*change))
    texts = readings(request)
    is_first = texts[:1] == [text] and not is_short(request.original)
    signs = Signs(
        own=float(own),
        nats=log(_LEAST + cost),
        listed=float(text in texts),
        first=float(is_first),
        read=log_odds(compared(request)[1].confidence) if is_first else 0.0,
        unheard=unheard_odds(reading.answer, request.original, text),
        judged=float(objection is not None),
    )
    return Proposed(text, cost, signs, objection)


def _objection(verdict: Verdict, law: Broken | None) -> Verdict | None:
    status = "needs_context" if verdict.status in WRITTEN else verdict.status
    if law is not None:
        return Verdict(status, law.message)
    return None if verdict.status in WRITTEN else verdict


def decided(kind: Kind, request: Request, refusal: Result, texts: Sequence[Proposed]) -> Result:
    """The likeliest text where it is likely enough, with those that mean the same; else the refusal, with that text."""
    if not texts:
        return refusal
    in_short = is_short(request.original)
    likely = chances(kind, in_short, [asdict(each.signs) for each in texts])
    means = [meaning_of(request.original, each.text) for each in texts]
    together = [sum(chance for chance, other in zip(likely, means, strict=True) if other == own) for own in means]
    ranked = sorted(zip(together, likely, texts, strict=True), key=lambda each: (-each[0], -each[1]))
    sure, _, best = ranked[0]
    ways = tuple(Weighed(Candidate(each.text, 0.0), -each.cost) for *_, each in ranked)
    by: Reader = "model" if best.signs.own else "ranking"
    made = Result("applied", best.text, round(sure, 4), by, "", weighed=ways, features=asdict(best.signs))
    if is_trusted(kind, in_short, sure):
        return advised(request, made)
    return replace(made, status=refusal.status, confidence=0.0, message=refusal.message)


def meaning_of(original: str, text: str) -> Sequence[str]:
    """What tells a text from others: in a longer file not its blank lines, of which readers list each way."""
    return [text] if is_short(original) else [*map(str.rstrip, written(text.split("\n")))]


def is_likely(kind: Kind, request: Request, text: Proposed) -> bool:
    """Whether a text is likely enough without a look at other ones."""
    in_short = is_short(request.original)
    return is_trusted(kind, in_short, chances(kind, in_short, [asdict(text.signs)])[0])


def doubted(request: Request, found: Result) -> Result:
    """What a reader has written, refused."""
    texts = [each for each in (found.output, *listed(request)) if each is not None]
    message = doubt(request.original, request.update, [*dict.fromkeys(texts)])
    return replace(found, status="needs_context", confidence=0.0, decided_by="ranking", message=message)


def rated(engine: Ranker, request: Request, texts: Iterable[str]) -> list[Proposed]:
    """Those of the texts that the model is shown all changes of, and that no law forbids which it may not judge.

    Raises RedraftError for what is too long for the model.
    """
    offered = (proposed(request, text, cost) for text, cost in costs_of(engine, request, texts).items())
    return [each for each in offered if isinstance(each, Proposed)]


def is_choice(request: Request, refused: Result) -> bool:
    """Whether a model may settle a refusal: the answer is an edit of this file, and sound texts may be meant by it."""
    if advised(request, refused) is not refused or line_tags(request.original, request.update):
        return False
    answer = read_request(request).answer
    return any(not unheard(answer, request.original, text) for text in listed(request))


def listed(request: Request) -> list[str]:
    """Those of the readings that change something and are sound."""
    return [text for text in readings(request) if text != request.original and _is_sound(request, text)]


def readings(request: Request) -> list[str]:
    """The texts of both readers, and the first without what may be a slip."""
    reading = read_request(request)
    licensed = sketched(request, reading.answer)
    texts = [*(each.text for each in reading.candidates), *([] if licensed is None else [licensed.text])]
    return [*dict.fromkeys([*texts, *(text for first in texts[:1] for text in without_slips(request.original, first))])]


def _is_sound(request: Request, text: str) -> bool:
    """Whether a text is sound and breaks no law but those of what a model that reads may judge."""
    original, answer, place = request.original, read_request(request).answer, request.place
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


def costs_of(engine: Ranker, request: Request, texts: Iterable[str]) -> dict[str, float]:
    """Nats that each text costs the model; texts that change what it is not shown are left out."""
    spelled = _spelled(request, texts)
    if not spelled:
        return {}
    prompt = find_template(RegionTemplate.name).prompt(request, None)
    with paused():
        ranked = engine.rank(prompt, [*spelled.values(), _NOTHING])
    return {text: max(0.0, -value) for text, value in zip(spelled, ranked, strict=False)}


def _spelled(request: Request, texts: Iterable[str]) -> dict[str, str]:
    """What a model would write for each text; nothing for those that change what it is not shown."""
    found = shown(request)
    pieces = {text: found.of(text) for text in texts} if found.regions else {}
    return {text: text_of(request, found, piece) for text, piece in pieces.items() if piece is not None}
