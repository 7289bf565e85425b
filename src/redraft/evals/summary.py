"""In: outcomes. Out: a table in Markdown, a line for each system."""

from collections.abc import Iterator, Sequence

from redraft.edit.guard import WRITTEN
from redraft.evals.calibration import SURE
from redraft.evals.outcome import Outcome


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "| system | edits | exact | equal as trees | silent errors | refused | applied with low confidence | errors |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in dict.fromkeys(outcome.system for outcome in outcomes):
        yield _row(name, [outcome for outcome in outcomes if outcome.system == name])


def _row(name: str, found: Sequence[Outcome]) -> str:
    written = [outcome for outcome in found if outcome.status in WRITTEN]
    counts = (
        sum(outcome.exact for outcome in written),
        sum(outcome.equal_as_trees for outcome in written),
        sum(outcome.silent_error for outcome in found),
        len(found) - len(written) - sum(outcome.status == "error" for outcome in found),
        sum((outcome.confidence or 0) <= SURE for outcome in written),
        sum(outcome.status == "error" for outcome in found),
    )
    cells = " | ".join(f"{count} ({100 * count / len(found):.1f}%)" for count in counts)
    return f"| {name} | {len(found)} | {cells} |"
