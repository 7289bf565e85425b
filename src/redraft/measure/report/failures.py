"""In: outcomes and cases. Out: what a page needs to show each outcome that is not exact, as JSON."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from typing import Any

from redraft.edit.guard.check import WRITTEN
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.cases import Case
from redraft.measure.report.difference import changes
from redraft.measure.report.groups import is_exact

# The worst first.
KINDS = ("silent error", "written, equal as trees", "refused though right", "refused", "error")


def failures(outcomes: Iterable[Outcome], cases: Mapping[str, Case]) -> dict[str, Any]:
    """Failures, the worst first, and the texts of their cases once each.

    Expected texts are changes of the originals, and outputs of what is expected: see `difference.changes`.
    """
    found = sorted((o for o in outcomes if not is_exact(o)), key=lambda outcome: KINDS.index(kind(outcome)))
    shown = {outcome.id: cases[outcome.id] for outcome in found if outcome.id in cases}
    return {
        "cases": {name: _case(case) for name, case in shown.items()},
        "failures": [_failure(o, shown.get(o.id)) for o in found],
    }


def kind(outcome: Outcome) -> str:
    """One of `KINDS`."""
    if outcome.status in WRITTEN:
        return KINDS[0] if outcome.silent_error else KINDS[1]
    if outcome.status == "error":
        return KINDS[4]
    return KINDS[2] if outcome.exact else KINDS[3]


def _case(case: Case) -> dict[str, Any]:
    request = case.request
    said = [("instruction", request.instruction)] * bool(request.instruction)
    return {
        "path": request.path,
        "original": request.original,
        "sketch": request.update,
        "said": [*((turn.role, turn.content) for turn in request.conversation), *said],
        "expected": _changes(request.original, case.expected),
    }


def _failure(outcome: Outcome, case: Case | None) -> dict[str, Any]:
    return {
        "id": outcome.id,
        "kind": kind(outcome),
        **{name: getattr(outcome, name) or "unknown" for name in ("system", "status", "language", "style", "bucket")},
        "facts": list(_facts(outcome)),
        "output": _output(outcome, case),
    }


def _output(outcome: Outcome, case: Case | None) -> list[Any] | str | None:
    """Changes of what is expected, or the text where that is not at hand; None without an output."""
    if outcome.exact:
        return [] if case else None
    if outcome.output is None or case is None:
        return outcome.output
    return _changes(case.expected, outcome.output)


def _changes(before: str, after: str) -> list[Any]:
    return [astuple(change) for change in changes(before, after)]


def _facts(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """What a reader wants to know first, as text."""
    yield "message", outcome.message
    yield "confidence", "-" if outcome.confidence is None else f"{outcome.confidence:.3f}"
    yield "decided by", outcome.decided_by
    yield "seconds", f"{outcome.seconds:.3f}, {outcome.chars_per_second:,.0f} characters/s"
    yield "tokens", f"{outcome.prompt_tokens:,} in, {outcome.completion_tokens:,} out, {outcome.forwards:,} forwards"
    yield "lines", f"{outcome.lines:,}"
    if outcome.violations is not None:
        yield "violations", str(outcome.violations)
    if outcome.equal_but_whitespace and not outcome.exact:
        yield "equal", "but for whitespace"
