"""In: outcomes of failing calls. Out: by system and by slip, how many were repaired, refused, or silently wrong."""

from collections.abc import Sequence
from statistics import median

from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.report.groups import by_system
from redraft.measure.report.table import Table
from redraft.measure.sets.calls import TO_REFUSE, TO_REPAIR


def calls(outcomes: Sequence[Outcome]) -> list[Table]:
    """None where the outcomes are of no calls."""
    found = [one for one in outcomes if TO_REPAIR in one.abilities or TO_REFUSE in one.abilities]
    return [_systems(found), _slips(found)] if found else []


def _systems(outcomes: Sequence[Outcome]) -> Table:
    rows = []
    for name, found in by_system(outcomes).items():
        right = [one for one in found if TO_REPAIR in one.abilities]
        open_ = [one for one in found if TO_REFUSE in one.abilities]
        cells = [sum(map(_is_repaired, right)), sum(map(_is_spelled, right)), len(right) - sum(map(_is_made, right))]
        wrong = sum(map(_is_wrong, right))
        times = f"{1000 * median(one.seconds for one in found):.1f}"
        rows.append(
            [name, *(_of(count, right) for count in (*cells, wrong)), _of(sum(map(_is_wrong, open_)), open_), times]
        )
    return Table(
        "Failing calls",
        "Of the calls whose right result is known: repaired letter for letter; equal as trees but spelled otherwise; "
        "refused; written and wrong. Of those that have to be refused: written. The median of the time a call takes.",
        None,
        [
            *("system", "repaired", "spelled otherwise", "refused", "silently wrong"),
            *("written though nothing tells the place or the text", "ms"),
        ],
        rows,
    )


def _slips(outcomes: Sequence[Outcome]) -> Table:
    systems = by_system(outcomes)
    rows = []
    for slip in dict.fromkeys(one.style for one in outcomes):
        cells = []
        for found in systems.values():
            own = [one for one in found if one.style == slip]
            good = sum(one.status == "no_change" or not _is_made(one) for one in own if TO_REFUSE in one.abilities)
            good += sum(_is_repaired(one) or _is_spelled(one) for one in own if TO_REPAIR in one.abilities)
            cells.append(f"{good} / {sum(map(_is_wrong, own))}")
        count = len({one.id for one in outcomes if one.style == slip})
        rows.append([slip, str(count), *cells])
    return Table(
        "Failing calls by slip",
        "Right, which is refused for the last ten, and silently wrong.",
        None,
        ["slip", "calls", *systems],
        rows,
    )


def _of(count: int, found: Sequence[Outcome]) -> str:
    return f"{count} ({100 * count / len(found):.1f}%)" if found else "-"


def _is_made(one: Outcome) -> bool:
    return one.status in ("applied", "no_change")


def _is_repaired(one: Outcome) -> bool:
    return _is_made(one) and one.exact


def _is_spelled(one: Outcome) -> bool:
    return _is_made(one) and one.equal_as_trees and not one.exact


def _is_wrong(one: Outcome) -> bool:
    """Written, and neither right nor what must not be: a call to be refused has no right text but the file's own."""
    if TO_REFUSE in one.abilities:
        return one.status == "applied"
    return _is_made(one) and not one.equal_as_trees
