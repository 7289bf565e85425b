"""In: outcomes of one system, or records. Out: the cells of a table's columns."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median
from typing import Any

from redraft.edit.guard.check import WRITTEN
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.groups import Some, exact, is_exact
from redraft.measure.report.intervals import interval

NONE = "-"
SURE = 0.9  # what is less sure is counted apart


def _is_refused(outcome: Outcome) -> bool:
    return outcome.status not in (*WRITTEN, "error")


COUNTS: dict[str, Callable[[Outcome], bool]] = {
    "exact": is_exact,
    "equal as trees": lambda outcome: outcome.status in WRITTEN and outcome.equal_as_trees,
    "silent errors": lambda outcome: outcome.silent_error,
    "refused": _is_refused,
    "applied with low confidence": lambda o: o.status in WRITTEN and (o.confidence or 0) <= SURE,
    "errors": lambda outcome: outcome.status == "error",
}


def counted(found: Sequence[Some], holds: Callable[[Some], bool]) -> str:
    """How many, and how many of a hundred."""
    if not found:
        return NONE
    count = sum(map(holds, found))
    return f"{count} ({100 * count / len(found):.1f}%)"


def share(hits: Sequence[bool]) -> str:
    """`97.1% (95.3-98.4)`: the share and its interval."""
    if not hits:
        return NONE
    low, high = interval(hits)
    return f"{100 * mean(hits):.1f}% ({100 * low:.1f}-{100 * high:.1f})"


Column = tuple[str, Callable[[Sequence[Any]], str]]


def known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def answered(outcomes: Iterable[Some]) -> list[Some]:
    """Without errors, which have no time and no text."""
    return [outcome for outcome in outcomes if outcome.status != "error"]


def typical(
    value: Callable[[Some], float | None], form: str, of: Callable[[list[float]], float] = median
) -> Callable[[Sequence[Some]], str]:
    """One figure over the outcomes that are answered and have the value."""

    def cell(outcomes: Sequence[Some]) -> str:
        values = known(map(value, answered(outcomes)))
        return form.format(of(values)) if values else NONE

    return cell


def percentile_90(values: list[float]) -> float:
    """The least value that nine of ten do not exceed."""
    return sorted(values)[math.ceil(0.9 * len(values)) - 1]


def _sum(value: Callable[[Outcome], float | None], form: str) -> Callable[[Sequence[Outcome]], str]:
    def cell(outcomes: Sequence[Outcome]) -> str:
        values = known(map(value, outcomes))
        return form.format(sum(values)) if values else NONE

    return cell


def _count(name: str) -> Column:
    return name, lambda outcomes: counted(outcomes, COUNTS[name])


def _unsure(outcomes: Sequence[Outcome]) -> str:
    """None where a system does not say how sure it is."""
    said = any(outcome.confidence is not None for outcome in outcomes)
    return counted(outcomes, COUNTS["applied with low confidence"]) if said else NONE


CHARACTERS: Column = (
    "characters/s, median",
    typical(lambda outcome: outcome.chars_per_second, "{:,.0f}"),
)
EDITS: Column = ("edits", lambda outcomes: str(len(outcomes)))
OVERALL: tuple[Column, ...] = (
    EDITS,
    ("exact", lambda outcomes: share(exact(outcomes))),
    (
        "equal but for whitespace",
        lambda found: counted(found, lambda o: o.status in WRITTEN and o.equal_but_whitespace),
    ),
    *map(_count, ("equal as trees", "silent errors", "refused")),
    ("applied with low confidence", _unsure),
    _count("errors"),
    ("violations", _sum(lambda outcome: outcome.violations, "{:,.0f}")),
    CHARACTERS,
    ("output tokens, mean", typical(lambda outcome: outcome.completion_tokens, "{:,.0f}", mean)),
    ("forwards, median", typical(lambda outcome: outcome.forwards, "{:,.0f}")),
    ("cost", _sum(lambda outcome: outcome.cost, "${:,.4f}")),
    ("bits per byte, mean", typical(lambda outcome: outcome.bits_per_byte, "{:.3f}", mean)),
)
