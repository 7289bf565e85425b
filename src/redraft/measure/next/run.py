"""In: positions and steps, and an engine. Out: a record of each answer, and a line of figures for each set."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median, quantiles
from typing import Any, TypeVar

from redraft.engines import Chunk, Engine, Sampling, Warming
from redraft.measure.next.chrf import delta_chrf
from redraft.measure.next.held_out import predicted
from redraft.measure.next.scenarios import Position, Way
from redraft.next.recognise import generated, tokens_of
from redraft.next.recognised import Recognised
from redraft.next.steps import Step

T = TypeVar("T")
HEADS = (
    "set",
    "answers",
    "score",
    "alike",
    "exact",
    "place",
    "shown",
    "quiet",
    "tokens",
    "a forward",
    "equal to plain",
    "s, p50 and p95",
    "warm",
    "without drafts",
    "times",
)


@dataclass(frozen=True)
class Answer:
    """One answer: was something to be said, was something said, how good is it; and the work that it took.

    `alike` is deltaChrF, 0 to 100. `is_equal` says whether it is the same without drafts, None where not asked.
    `seconds` are those from the request to the last byte, `warm` the same where the prompt was read before, `plain`
    those without drafts, of a prompt read before where `warm` is known.
    """

    set: str
    id: str
    is_speaking: bool
    is_shown: bool
    is_exact: bool
    is_in_place: bool | None
    alike: float
    tokens: int
    forwards: int
    is_equal: bool | None = None
    seconds: float | None = None
    warm: float | None = None
    plain: float | None = None

    def record(self) -> dict[str, Any]:
        return asdict(self)


def at_positions(
    engine: Engine, positions: Sequence[Position], way: Way, sampling: Sampling, plain: int, warm: bool = False
) -> Iterator[Answer]:
    """Answers to cursortab's prompts; the first `plain` are asked a second time without drafts.

    With `warm` each is asked a second time, what was read of its prompt kept.
    """
    if warm and isinstance(engine, Warming):
        engine.keep_prefixes()
    for number, position in enumerate(positions):
        found = position.prompt(way, tokens_of(engine))
        chunks, seconds = _timed(engine, found, sampling)
        again = _timed(engine, found, sampling)[1] if warm else None
        new = position.after(way, _text(chunks))
        if chunks[-1].finish != "stop" and way == "sweep":
            new = position.lines
        bare, without = _timed(engine, found, replace(sampling, speculate=False)) if number < plain else (None, None)
        tokens, forwards = sum(len(chunk.ids) for chunk in chunks), sum(chunk.forwards for chunk in chunks)
        answer = at_position(f"cursortab, {way}", position, new, tokens, forwards)
        is_equal = None if bare is None else _text(chunks) == _text(bare)
        yield replace(answer, is_equal=is_equal, seconds=seconds, warm=again, plain=without)


def at_position(name: str, position: Position, new: Sequence[str], tokens: int, forwards: int) -> Answer:
    """How good the lines of a file are that an answer makes, and the work that it took."""
    expected = position.expected or position.lines
    shown, alike = new != position.lines, delta_chrf(position.lines, new, expected)
    return Answer(name, position.id, bool(position.expected), shown, new == expected, None, alike, tokens, forwards)


def at_steps(engine: Engine, steps: Sequence[Step], sampling: Sampling) -> Iterator[Answer]:
    """Answers at steps of commits, asked as `redraft next` asks."""
    for number, found in enumerate(predicted(engine, steps, sampling)):
        before, new, after = (text.split("\n") for text in (found.step.before, found.new, found.step.after))
        yield Answer(
            "commit steps",
            f"{number}",
            found.step.kind != "quiet",
            not found.is_quiet,
            found.is_exact,
            found.is_in_place,
            delta_chrf(before, new, after),
            len(found.ids),
            found.forwards,
        )


def line(answers: Sequence[Answer]) -> tuple[str, ...]:
    """The figures of a set, as `HEADS` names them; `score` is cursortab's."""
    speaking = [each for each in answers if each.is_speaking]
    still = [each for each in answers if not each.is_speaking]
    alike = _mean([each.alike for each in speaking])
    show, quiet = _mean([each.is_shown for each in speaking]), _mean([not each.is_shown for each in still])
    places, compared = _known(each.is_in_place for each in speaking), _known(each.is_equal for each in answers)
    tokens, forwards = sum(each.tokens for each in answers), sum(each.forwards for each in answers)
    return (
        answers[0].set,
        f"{len(speaking)} + {len(still)}",
        f"{alike * _ratio(2 * show * quiet, show + quiet) / 100:.3f}",
        f"{alike:.1f}",
        f"{sum(each.is_exact for each in speaking)}",
        _where(places, f"{sum(places)}"),
        f"{show:.0%}",
        f"{quiet:.0%}",
        f"{tokens:,}",
        f"{_ratio(tokens, forwards):.1f}",
        _where(compared, f"{sum(compared)} of {len(compared)}"),
        _quantiles(_known(each.seconds for each in answers)),
        _quantiles(_known(each.warm for each in answers)),
        _quantiles(_known(each.plain for each in answers)),
        _times(answers),
    )


def _quantiles(seconds: Sequence[float]) -> str:
    """The median and the 95th percentile."""
    if len(seconds) < 2:
        return ""
    cuts = quantiles(seconds, n=20, method="inclusive")
    return f"{cuts[9]:.2f}, {cuts[18]:.2f}"


def _times(answers: Sequence[Answer]) -> str:
    """How many times faster drafts make an answer whose prompt was read before: the median."""
    times = [each.plain / each.warm for each in answers if each.plain and each.warm]
    return f"{median(times):.1f}" if times else ""


def _timed(engine: Engine, found: Recognised, sampling: Sampling) -> tuple[list[Chunk], float]:
    started = time.perf_counter()
    chunks = list(generated(found, engine, sampling))
    return chunks, time.perf_counter() - started


def _text(chunks: Sequence[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


def _known(values: Iterable[T | None]) -> list[T]:
    return [value for value in values if value is not None]


def _where(values: Sequence[bool], text: str) -> str:
    return text if values else ""


def _ratio(value: float, by: float) -> float:
    return value / by if by else 0.0


def _mean(values: Sequence[float]) -> float:
    return _ratio(sum(values), len(values))
