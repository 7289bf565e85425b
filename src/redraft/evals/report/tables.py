"""In: outcomes, and what judges said. Out: tables of accuracy, speed and cost, and their Markdown."""

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import get_args

import numpy as np

from redraft.edit.guard import WRITTEN, Status
from redraft.evals.calibration import SURE
from redraft.evals.judging.agreement import ACCEPTED
from redraft.evals.judging.verdict import Verdict
from redraft.evals.outcome import Outcome
from redraft.evals.report.groups import BY_LANGUAGE, BY_SET, BY_SIZE, BY_STYLE, Grouping, by_system, exact, is_exact
from redraft.evals.report.intervals import difference, interval
from redraft.evals.report.reliability import bins

VANILLA = "+vanilla"
_NONE = "-"


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


def counted(found: Sequence[Outcome], holds: Callable[[Outcome], bool]) -> str:
    """How many, and how many of a hundred."""
    count = sum(map(holds, found))
    return f"{count} ({100 * count / len(found):.1f}%)"


@dataclass(frozen=True)
class Table:
    """`note` says how to read it; `picture` names the one that shows the same; the first `names` cells name the row."""

    title: str
    note: str
    picture: str | None
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1


def tables(outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> list[Table]:
    """All that have rows."""
    groupings = ([BY_SET] if len({outcome.set for outcome in outcomes}) > 1 else []) + [BY_SIZE, BY_LANGUAGE, BY_STYLE]
    found = [
        overall(outcomes, verdicts),
        differences(outcomes),
        statuses(outcomes),
        *(grouped(outcomes, grouping) for grouping in groupings),
        speed(outcomes),
        speed_ups(outcomes),
        calibration(outcomes),
    ]
    return [table for table in found if table.rows]


def markdown(found: Iterable[Table]) -> str:
    return "\n".join(line for table in found for line in _markdown(table))


def _markdown(table: Table) -> Iterator[str]:
    yield from (f"## {table.title}", "", table.note, "")
    yield _line(table.header)
    yield "|---" * table.names + "|---:" * (len(table.header) - table.names) + "|"
    yield from map(_line, table.rows)
    yield ""


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(cell: str) -> str:
    """On one line, without HTML, and ending no cell."""
    return html.escape(" ".join(cell.split()), quote=False).replace("|", "\\|")


def share(hits: Sequence[bool]) -> str:
    """`97.1% (95.3-98.4)`: the share and its interval."""
    if not hits:
        return _NONE
    low, high = interval(hits)
    return f"{100 * mean(hits):.1f}% ({100 * low:.1f}-{100 * high:.1f})"


Column = tuple[str, Callable[[Sequence[Outcome]], str]]


def overall(outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> Table:
    """A row a system; without the columns that no system has a figure for."""
    columns = [*_OVERALL, *(_judged(model, verdicts) for model in sorted({verdict.model for verdict in verdicts}))]
    rows = {name: [cell(found) for _, cell in columns] for name, found in by_system(outcomes).items()}
    told = [at for at in range(len(columns)) if any(row[at] != _NONE for row in rows.values())]
    return Table(
        "Overall",
        "Exact, equal but for whitespace and equal as trees count what is written: a refused edit is none of them. "
        "A silent error is written and not even equal as trees. Violations are lines that should have stayed and did "
        "not. In brackets: 95% intervals, by resampling the cases.",
        "pareto",
        ["system", *(columns[at][0] for at in told)],
        [[name, *(row[at] for at in told)] for name, row in rows.items()],
    )


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _answered(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Without errors, which have no time and no text."""
    return [outcome for outcome in outcomes if outcome.status != "error"]


def _typical(
    value: Callable[[Outcome], float | None], form: str, of: Callable[[list[float]], float] = median
) -> Callable[[Sequence[Outcome]], str]:
    """One figure over the outcomes that are answered and have the value."""

    def cell(outcomes: Sequence[Outcome]) -> str:
        known = _known(map(value, _answered(outcomes)))
        return form.format(of(known)) if known else _NONE

    return cell


def _percentile_90(values: list[float]) -> float:
    """The least value that nine of ten do not exceed."""
    return float(np.quantile(values, 0.9, method="inverted_cdf"))


def _sum(value: Callable[[Outcome], float | None], form: str) -> Callable[[Sequence[Outcome]], str]:
    def cell(outcomes: Sequence[Outcome]) -> str:
        known = _known(map(value, outcomes))
        return form.format(sum(known)) if known else _NONE

    return cell


def _judged(model: str, verdicts: Sequence[Verdict]) -> Column:
    """The mean score by a judge, and how many of the judged outcomes are good."""

    def cell(outcomes: Sequence[Outcome]) -> str:
        pairs = {(outcome.id, outcome.system) for outcome in outcomes}
        scores = [said.score for said in verdicts if said.model == model and (said.id, said.system) in pairs]
        if not scores:
            return _NONE
        good = sum(score >= ACCEPTED for score in scores)
        return f"{mean(scores):.2f} ({100 * good / len(scores):.0f}% of {len(scores)})"

    return f"judge {model}, mean (at least {ACCEPTED})", cell


def _count(name: str) -> Column:
    return name, lambda outcomes: counted(outcomes, COUNTS[name])


def _unsure(outcomes: Sequence[Outcome]) -> str:
    """None where a system does not say how sure it is."""
    said = any(outcome.confidence is not None for outcome in outcomes)
    return counted(outcomes, COUNTS["applied with low confidence"]) if said else _NONE


_CHARACTERS: Column = (
    "characters/s, median",
    _typical(lambda outcome: outcome.chars_per_second, "{:,.0f}"),
)
_EDITS: Column = ("edits", lambda outcomes: str(len(outcomes)))
_OVERALL: tuple[Column, ...] = (
    _EDITS,
    ("exact", lambda outcomes: share(exact(outcomes))),
    (
        "equal but for whitespace",
        lambda found: counted(found, lambda o: o.status in WRITTEN and o.equal_but_whitespace),
    ),
    *map(_count, ("equal as trees", "silent errors", "refused")),
    ("applied with low confidence", _unsure),
    _count("errors"),
    ("violations", _sum(lambda outcome: outcome.violations, "{:,.0f}")),
    _CHARACTERS,
    ("output tokens, mean", _typical(lambda outcome: outcome.completion_tokens, "{:,.0f}", mean)),
    ("forwards, median", _typical(lambda outcome: outcome.forwards, "{:,.0f}")),
    ("cost", _sum(lambda outcome: outcome.cost, "${:,.4f}")),
    ("bits per byte, mean", _typical(lambda outcome: outcome.bits_per_byte, "{:.3f}", mean)),
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
        _EDITS,
        ("seconds, median", _typical(lambda outcome: outcome.seconds, "{:.3f}")),
        ("seconds, 90th percentile", _typical(lambda outcome: outcome.seconds, "{:.3f}", _percentile_90)),
        _CHARACTERS,
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
    pairs = _pairs(name + VANILLA, name, _answered(outcomes))
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
            for found in bins(group)
        ],
        names=2,
    )
