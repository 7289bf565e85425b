"""In: a request. Out: its candidates that may be written, and the `Result` of the deterministic reader alone."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache

from msgspec import structs

from redraft.advised import advised
from redraft.agreement import Licensed, in_longer
from redraft.by_format import THERE, UNHEARD, exactly, wholly
from redraft.edit.align.likeness import form, quoted
from redraft.edit.answer.answer import Answer
from redraft.edit.answer.parsed import known_of, parsed
from redraft.edit.decide import Decision, by_reading
from redraft.edit.doubt import doubt, line_tags, located
from redraft.edit.evidence import SURE, is_short
from redraft.edit.exact.whole import LARGE
from redraft.edit.guard.check import WRITTEN, check_merged, unsound
from redraft.edit.guard.unheard import unheard
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Reading
from redraft.edit.outline import outline
from redraft.edit.request import Request
from redraft.edit.sketch.plain import is_plain
from redraft.edit.sketch.read import read_sketch
from redraft.edit.text.changes import split_lines
from redraft.edit.text.lines import is_comment
from redraft.edit.words.english import is_foreign
from redraft.errors import RedraftError
from redraft.laws import broken
from redraft.laws.change import Broken, Change
from redraft.laws.spaced import spaced
from redraft.laws.unchanged import undone
from redraft.result import Reader, Result

_BOTH, _ALONE = 0.98, 0.96  # confidence in what both readers read, and in what one reads plainly
_LIKELY = 0.89  # in what both read, one of them with doubts: of 67 such texts 60 were right
_AGREED = 0.80  # confidence of one reader from which it is written what the other reads, too
_FOREIGN = (
    "the words around the code are not in English, and no model has read whether they ask for more: show all that"
    " changes as a diff or SEARCH/REPLACE blocks"
)
_QUOTES = 6  # of a docstring of one line
_TOO_LARGE = (
    "an answer of {:,} lines is too long to be compared with a file of {:,}: send SEARCH/REPLACE blocks or a diff of"
    " the lines that change, or the whole file"
)


# Deciding, asking a model and taking what it says all begin with it.
@lru_cache(maxsize=8)
def read_request(request: Request) -> Reading:
    """The candidates of the merge; none where file and answer are too large for its tables."""
    file, answer = (text.count("\n") + 1 for text in (request.original, request.update))
    if file * answer > LARGE:
        return Reading(parsed(request.original, request.update, request.place), (), _TOO_LARGE.format(answer, file))
    found = read(request.original, request.update, request.place, request.instruction)
    texts = [spaced(request.original, found.answer, each.text, request.place) for each in found.candidates]
    kept = dict(zip(reversed(texts), reversed(found.candidates), strict=True))
    candidates = (structs.replace(kept[text], text=text) for text in dict.fromkeys(texts))
    return structs.replace(found, candidates=tuple(candidates))


# A server asks first whether an edit needs its model, then for the edit.
@lru_cache(maxsize=8)
def weighed(request: Request) -> tuple[Reading, Decision]:
    """The candidates that may be written, and what the reader makes of them."""
    reading = _passing(request, read_request(request))
    return reading, by_reading(request.original, reading)


@lru_cache(maxsize=8)
def compared(request: Request) -> tuple[Reading, Decision, Licensed | None]:
    """The same, with what the other reader makes of the answer: in a longer file a sign of how sure the first is."""
    reading, decision = weighed(request)
    sketch = sketched(request, reading.answer)
    if not is_short(request.original):
        decision = in_longer(request.original, reading.answer, decision, sketch, request.place)
    return reading, decision, sketch


def is_open(request: Request) -> bool:
    """Whether a model that reads answers itself should: there are candidates, and the first is not quite sure."""
    if exactly(request) is not None:
        return False
    reading, decision = weighed(request)
    result = merged(request)
    is_written = result.status in WRITTEN and decision.confidence >= SURE
    return bool(reading.candidates) and not is_written and result.status != "truncated"


def is_settled(found: Result) -> bool:
    """Whether no model is asked: the reader writes the file, the answer is cut off, or in a format that is exact."""
    return found.status in (*WRITTEN, "truncated") or found.decided_by == "format"


def is_agreed(request: Request, found: Result) -> bool:
    """Whether both readers stand for a text and nothing is said beside the code, or the file is long: in a small one a
    line is like many others, and words may bid what neither reader hears."""
    if found.status != "applied" or found.decided_by == "format" or not is_short(request.original):
        return True
    return (found.confidence or 0.0) >= _BOTH and not read_request(request).answer.prose.strip()


def merged(request: Request) -> Result:
    """What the reader writes or refuses; raises RedraftError without an update."""
    if not request.update.strip():
        raise RedraftError("the update is empty: without a model there is nothing to apply")
    return wholly(request) or advised(request, exactly(request) or _read(request))


def _read(request: Request) -> Result:
    """What the readers make of a sketch; of words in another language than English nobody knows what they ask for."""
    found = _agreed(request)
    if found.status == "no_change" and (law := _undone(request)):
        return replace(found, status="needs_context", confidence=0.0, message=law.message)
    if found.status != "applied" or not is_foreign(read_request(request).answer.prose):
        return found
    return replace(found, status="needs_context", confidence=0.0, message=_FOREIGN)


@lru_cache(maxsize=8)
def _undone(request: Request) -> Broken | None:
    """The law that "no change" would break, if there is one."""
    answer = read_request(request).answer
    return undone(Change.of(request.original, answer, request.original, request.place, request.instruction))


def _agreed(request: Request) -> Result:
    """What two readers make of an answer that know nothing of each other: one that gives each change a licence, and one
    that weighs candidates. In a longer file what the first makes of it is a sign of how sure the other is; where each
    reads something else plainly, nothing is written."""
    reading, decision, sketch = compared(request)
    in_short = is_short(request.original)
    found = guarded(request, reading, decision, "merge")
    if sketch is None:
        return found
    if sketch.text == request.original:
        return Result("no_change", sketch.text, _BOTH, "merge", THERE)
    is_written = found.status == "applied" or (found.status == "no_change" and _undone(request) is None)
    if not in_short:
        return _of_one(request, decision, found, sketch, is_written, in_short)
    return _in_short(request, reading.answer, decision, found, sketch, is_written)


def _in_short(
    request: Request, answer: Answer, decision: Decision, found: Result, sketch: Licensed, is_written: bool
) -> Result:
    """What both read is written, and what one reads plainly while the other has doubts."""
    same = _same(request, answer, found.output, sketch)
    if same:
        is_firm = is_written or same.is_plain
        if is_firm or decision.confidence >= _AGREED:
            sure = max(_BOTH if is_firm else _LIKELY, decision.confidence)
            return replace(found, status="applied", output=same.text, message="", confidence=sure)
    return _of_one(request, decision, found, same or sketch, is_written, in_short=True)


def _of_one(
    request: Request, decision: Decision, found: Result, sketch: Licensed, is_written: bool, in_short: bool
) -> Result:
    """What only one of the two is sure of; nothing, where each is sure of something else."""
    other = found.output or ""
    is_spelling = is_written and _bare(other) == _bare(sketch.text)
    if is_written and sketch.is_plain and not is_spelling:
        said = doubt(request.original, request.update, (other, sketch.text))
        return replace(found, status="needs_context", confidence=0.0, message=said)
    if not in_short or not (is_spelling or sketch.is_plain):
        return found
    return Result("applied", sketch.text, _ALONE, "merge", "", weighed=decision.weighed, features=decision.features)


def _same(request: Request, answer: Answer, text: str | None, sketch: Licensed) -> Licensed | None:
    """What both readers read, with the comments that only one of them keeps; None where it is not the same."""
    if _written(sketch.text) == _written(text or ""):
        return sketch
    if text is None or sketch.is_plain or not _keeps_more(request, answer, text, sketch.text):
        return None
    return _licensed(request, answer, text)


def _keeps_more(request: Request, answer: Answer, text: str, other: str) -> bool:
    """Whether a text is another one with comments that are left out there, and with the file's own spelling."""
    if _coded(text) != _coded(other) or _commented(other) - _commented(text):
        return False
    return _may_be_written(request, answer, text, is_licensed=True)


def _written(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _coded(text: str) -> list[str]:
    return [form(line.strip()) for line in _written(text) if not _is_remark(line)]


def _commented(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.split("\n") if _is_remark(line))


def _is_remark(line: str) -> bool:
    """Whether a line is a comment, or a docstring of one line."""
    return is_comment(line) or (len(text := line.strip()) > _QUOTES and text[:3] == text[-3:] in ('"""', "'''"))


def _bare(text: str) -> list[str]:
    """The lines of a text without indentation, blank lines and what languages separate things by."""
    return [line.strip().removesuffix(",") for line in _written(text)]


@lru_cache(maxsize=8)
def sketched(request: Request, answer: Answer) -> Licensed | None:
    """None where a change has no licence, nothing shows what the words order, or a guard or a law is against it."""
    original, path = request.original, request.place
    known = known_of(outline(split_lines(original), path), path)
    found = read_sketch(original, answer, known, path, request.instruction)
    if found is None:
        return None
    text = spaced(original, answer, found.text, path)
    if text == original:
        return Licensed(text, True)
    if not _may_be_written(request, answer, text, is_licensed=True) or unheard(answer, original, text):
        return None
    return _licensed(request, answer, text, found.is_stated)


def _licensed(request: Request, answer: Answer, text: str, is_stated: bool = False) -> Licensed:
    lines = split_lines(request.original)
    return Licensed(text, is_stated or is_plain(lines, split_lines(text), answer, request.instruction))


def guarded(request: Request, reading: Reading, decision: Decision, by: Reader) -> Result:
    """The text of a decision where it is sure enough and no guard is against it."""
    text, status, confidence = decision.text, "needs_context", 0.0
    message = decision.message if text is not None else line_tags(request.original, request.update) or decision.message
    if text is not None:
        verdict = check_merged(request.original, reading.answer, text, request.place)
        if verdict.status == "syntax_broken":  # said by the lines of the answer, which the guard does not know
            verdict = unsound(request.original, text, request.place, request.update) or verdict
        status, message, confidence = verdict.status, verdict.message, decision.confidence
        if status in WRITTEN and not decision.is_sure:
            texts = [each.text for each in reading.candidates]
            status, message = "needs_context", doubt(request.original, request.update, texts)
        if status in WRITTEN and (order := unheard(reading.answer, request.original, text)):
            status, message = "needs_context", UNHEARD.format(quoted(order))
        if status in WRITTEN and (
            law := broken(request.original, reading.answer, text, request.place, request.instruction)
        ):
            status, message = "needs_context", law.message
    sure = confidence if status in WRITTEN else 0.0
    message = located(message, request.update)
    return Result(status, text, sure, by, message, weighed=decision.weighed, features=decision.features)  # type: ignore[arg-type]


def _passing(request: Request, reading: Reading) -> Reading:
    """The candidates that no guard and no law is against; all of them where there is none such."""
    kept = tuple(each for each in reading.candidates if _may_be_written(request, reading.answer, each.text))
    return Reading(reading.answer, kept, reading.reason) if kept else reading


def _may_be_written(request: Request, answer: Answer, text: str, is_licensed: bool = False) -> bool:
    """Whether no guard is against a text, and no law; of one whose changes have licences these are not asked for."""
    original, path = request.original, request.place
    is_checked = check_merged(original, answer, text, path).status in WRITTEN
    return is_checked and broken(original, answer, text, path, request.instruction, is_licensed) is None
