"""In: outcomes. Out: tables of accuracy, speed and cost."""

from collections.abc import Callable, Sequence
from statistics import median
from typing import get_args

from redraft.edit.guard.check import WRITTEN, Status
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.calls import calls
from redraft.measure.report.columns import (
    CHARACTERS,
    EDITS,
    NONE,
    OVERALL,
    Column,
    answered,
    percentile_90,
    share,
    typical,
)
from redraft.measure.report.groups import BY_LANGUAGE, BY_SET, BY_SIZE, BY_STYLE, Grouping, by_system, exact
from redraft.measure.report.instructed import instructed
from redraft.measure.report.intervals import difference
from redraft.measure.report.reliability import bins, scored
from redraft.measure.report.table import Table
from redraft.measure.sets.answers import CARELESS, TIDY

VANILLA = "+vanilla"


def tables(outcomes: Sequence[Outcome]) -> list[Table]:
    """All that have rows."""
    groupings = ([BY_SET] if len({outcome.set for outcome in outcomes}) > 1 else []) + [BY_SIZE, BY_LANGUAGE, BY_STYLE]
    found = [
        overall(outcomes),
        differences(outcomes),
        statuses(outcomes),
        tidy_and_careless(outcomes),
        answers(outcomes, "Answers by ability", lambda found: found.abilities),
        *(grouped(outcomes, grouping) for grouping in groupings),
        speed(outcomes),
        speed_ups(outcomes),
        calibration(outcomes),
        *calls(outcomes),
        *instructed(outcomes),
    ]
    return [table for table in found if table.rows]


def summary(outcomes: Sequence[Outcome]) -> list[Table]:
    """What is said first of a run."""
    found = [overall(outcomes), *(table for table in [tidy_and_careless(outcomes)] if table.rows)]
    return calls(outcomes) or instructed(outcomes)[:1] or found


def overall(outcomes: Sequence[Outcome]) -> Table:
    """A row a system; without the columns that no system has a figure for."""
    rows = {name: [cell(found) for _, cell in OVERALL] for name, found in by_system(outcomes).items()}
    told = [at for at in range(len(OVERALL)) if any(row[at] != NONE for row in rows.values())]
    return Table(
        "Overall",
        "Exact, equal but for whitespace and equal as trees count what is written: a refused edit is none of them. "
        "A silent error is written and not even equal as trees. Violations are lines that should have stayed and did "
        "not. In brackets: 95% intervals, by resampling the cases.",
        "pareto",
        ["system", *(OVERALL[at][0] for at in told)],
        [[name, *(row[at] for at in told)] for name, row in rows.items()],
    )


def differences(outcomes: Sequence[Outcome]) -> Table:
    """Each system beside the first one, over the cases that both have."""
    names = list(by_system(outcomes))
    rows = [_beside(name, names[0], outcomes) for name in names[1:]]
    return Table(
        f"Beside {names[0]}",
        "How many more of the common cases are exact than with the first system, in points of a hundred, with the "
        "95% interval of that difference, by resampling the cases with both answers.",
        None,
        ("system", "common edits", "only it is exact", f"only {names[0]} is exact", "difference"),
        [row for row in rows if row],
    )


def _beside(name: str, first: str, outcomes: Sequence[Outcome]) -> list[str]:
    pairs = _pairs(name, first, outcomes)
    if not pairs:
        return []
    one, other = (exact(pair[side] for pair in pairs) for side in (0, 1))
    low, high = (100 * bound for bound in difference(one, other))
    wins, losses = (sum(a > b for a, b in zip(x, y, strict=True)) for x, y in ((one, other), (other, one)))
    middle = 100 * (wins - losses) / len(pairs)
    return [name, str(len(pairs)), str(wins), str(losses), f"{middle:+.1f} ({low:+.1f} to {high:+.1f})"]


def _pairs(name: str, other: str, outcomes: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    """What two systems made of the cases that both have."""
    theirs = {outcome.id: outcome for outcome in outcomes if outcome.system == other}
    mine = (outcome for outcome in outcomes if outcome.system == name)
    return [(outcome, theirs[outcome.id]) for outcome in mine if outcome.id in theirs]


def grouped(outcomes: Sequence[Outcome], grouping: Grouping) -> Table:
    """A row a group, a column a system; a cell says its count where that is not the row's."""
    names = list(by_system(outcomes))
    rows = []
    for group, found in grouping.groups(outcomes).items():
        count, systems = len({outcome.id for outcome in found}), by_system(found)
        rows.append([group, str(count), *(_share_of(systems.get(name, []), count) for name in names)])
    return Table(
        f"Exact by {grouping.title}",
        "The share of edits that are written and exact, with its 95% interval.",
        grouping.name,
        [grouping.title, "edits", *names],
        rows,
    )


def tidy_and_careless(outcomes: Sequence[Outcome]) -> Table:
    labelled = [one for one in outcomes if one.tidy is not None]
    return answers(labelled, "Tidy and careless answers", lambda one: [TIDY if one.tidy else CARELESS])


def answers(outcomes: Sequence[Outcome], title: str, groups: Callable[[Outcome], Sequence[str]]) -> Table:
    """A row for each group and system: what came out right, wrong without a word, and refused."""
    columns = [
        column for column in OVERALL if column[0] in ("edits", "exact", "equal as trees", "silent errors", "refused")
    ]
    names = sorted({name for found in outcomes for name in groups(found)})
    return Table(
        title,
        "Answers by writers who know nothing of the reader; exact is any file that the case accepts.",
        None,
        ["answers", "system", *(name for name, _ in columns)],
        [
            [name, system, *(cell(found) for _, cell in columns)]
            for name in names
            for system, found in by_system([one for one in outcomes if name in groups(one)]).items()
        ],
        names=2,
    )


def _share_of(found: Sequence[Outcome], count: int) -> str:
    return share(exact(found)) + (f" of {len(found)}" if found and len(found) != count else "")


def statuses(outcomes: Sequence[Outcome]) -> Table:
    """A row a system, a column a status that occurs."""
    found = [status for status in get_args(Status) if any(outcome.status == status for outcome in outcomes)]
    return Table(
        "What the guards say",
        "How many edits end in each status, and how many are refused although they are right.",
        None,
        ["system", *found, "refused, and right"],
        [
            [
                name,
                *(str(sum(outcome.status == status for outcome in group)) for status in found),
                str(sum(outcome.exact and outcome.status not in WRITTEN for outcome in group)),
            ]
            for name, group in by_system(outcomes).items()
        ],
    )


def speed(outcomes: Sequence[Outcome]) -> Table:
    """A row for each size class and system."""
    columns: tuple[Column, ...] = (
        EDITS,
        ("seconds, median", typical(lambda outcome: outcome.seconds, "{:.3f}")),
        ("seconds, 90th percentile", typical(lambda outcome: outcome.seconds, "{:.3f}", percentile_90)),
        CHARACTERS,
    )
    return Table(
        "Speed",
        "From request to last character, for all that is no error.",
        "speed",
        [BY_SIZE.title, "system", *(name for name, _ in columns)],
        [
            [size, name, *(cell(found) for _, cell in columns)]
            for size, group in BY_SIZE.groups(outcomes).items()
            for name, found in by_system(group).items()
        ],
        names=2,
    )


def speed_ups(outcomes: Sequence[Outcome]) -> Table:
    """Each system that has run without drafts, too."""
    names = list(by_system(outcomes))
    ratios = {name: _ratios(name, outcomes) for name in names if name + VANILLA in names}
    return Table(
        "Speed-up",
        "Seconds without drafts through seconds with them, for each case that neither fails on.",
        None,
        ("system", "common edits", "speed-up, median"),
        [[name, str(len(found)), f"{median(found):.2f}x"] for name, found in ratios.items() if found],
    )


def _ratios(name: str, outcomes: Sequence[Outcome]) -> list[float]:
    pairs = _pairs(name + VANILLA, name, answered(outcomes))
    return [vanilla.seconds / drafted.seconds for vanilla, drafted in pairs if drafted.seconds > 0]


def calibration(outcomes: Sequence[Outcome]) -> Table:
    """A row for each system and bin of confidence."""
    return Table(
        "Calibration",
        "What is written, by how sure it was said to be. Right is equal as trees.",
        "calibration",
        ("system", "confidence", "edits", "confidence, mean", "right"),
        [
            [name, found.name, str(len(found.hits)), f"{found.said:.3f}", share(found.hits)]
            for name, group in by_system(outcomes).items()
            for found in bins(scored(group))
        ],
        names=2,
    )
