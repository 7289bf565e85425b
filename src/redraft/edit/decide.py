"""In: a reading of an answer. Out: which text is taken, if any, and how sure that is."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import asdict

from redraft.edit.evidence import BARE_FROM, WRITTEN_FROM, Evidence
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import is_telling

_EQUAL = 0.05  # a margin of costs between readings that are equally good
_CLEAR = 0.3  # costs that speak for no other reading


class Weighed(Struct, frozen=True):
    """A candidate, and the log-probability in nats that a model gives it, less a number that all candidates share."""

    candidate: Candidate
    log_probability: float | None = None


class Decision(Struct, frozen=True):
    """The text that is taken, None where none is; `message` says why then.

    `features` is what the confidence comes from, `is_sure` whether that is enough to write the text, which `has_place`
    in the file or not. The confidence is at `most` what as many readings leave that are as good.
    """

    text: str | None
    confidence: float
    is_sure: bool = False
    weighed: tuple[Weighed, ...] = ()
    message: str = ""
    features: Mapping[str, float] = field(default_factory=dict)
    has_place: bool = True
    most: float = 1.0


def by_reading(original: str, reading: Reading) -> Decision:
    """The likeliest candidate by what speaks against each."""
    if not reading.candidates:
        return Decision(None, 0.0, message=reading.reason)
    taken = reading.candidates[0]
    evidence = Evidence.of(original, reading, taken)
    most = 1 / _equals(reading.candidates)
    confidence = min(round(evidence.confidence, 4), most)
    least = WRITTEN_FROM if reading.answer.is_talk else BARE_FROM
    has_place = _has_place(original, reading, taken, evidence)
    is_sure = (confidence >= least and has_place) or _is_there(original, taken, evidence)
    weighed = tuple(map(Weighed, reading.candidates))
    return Decision(taken.text, confidence, is_sure, weighed, "", asdict(evidence), has_place, most)


def likeliest(original: str, update: str, path: str = "") -> str | None:
    """The file as the deterministic reader has it, whose lines end in newlines alone; None where it is not sure."""
    decision = by_reading(original, read(original, update, path))
    return decision.text if decision.is_sure else None


def _equals(candidates: Sequence[Candidate]) -> int:
    """How many candidates are as good as the first: each of them is as likely."""
    return sum(abs(each.cost - candidates[0].cost) < _EQUAL for each in candidates)


def _has_place(original: str, reading: Reading, taken: Candidate, evidence: Evidence) -> bool:
    """Whether there are words, lines of the file, or old versions that can tell where an answer belongs."""
    return reading.answer.is_talk or bool(evidence.known) or _loses_lines(original, taken.text)


def _loses_lines(original: str, text: str) -> bool:
    """Whether a line that tells anything goes."""
    kept = {*split_lines(text)}
    return any(is_telling(line) and line not in kept for line in split_lines(original))


def _is_there(original: str, taken: Candidate, evidence: Evidence) -> bool:
    """Whether the file has all that an answer shows: nobody writes such answers, but people apply one twice."""
    is_clear = evidence.cost <= _CLEAR and evidence.margin >= 1
    return taken.text == original and is_clear and not evidence.missing
