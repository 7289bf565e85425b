"""In: records. Out: a table by file size in Markdown, and the summary that `bench run` ends with."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import mean, median

from redraft.bench.record import Record
from redraft.data.sizes import NAMES

Summary = dict[str, int | float | str | None]


def table(records: Sequence[Record]) -> str:
    """A row for each size class that has records, and one for all."""
    rows = [["lines", *(name for name, _ in _COLUMNS)], ["---", *("---:" for _ in _COLUMNS)]]
    for name in NAMES:
        of_size = [record for record in records if record.bucket == name]
        rows += [_row(name, of_size)] if of_size else []
    return "\n".join(f"| {' | '.join(row)} |" for row in [*rows, _row("all", records)])


def summary(records: Sequence[Record]) -> Summary:
    """The figures of a run; None for what was not measured, `equal_to_vanilla` counts the records."""
    answered = [record for record in records if record.status != "error"]
    ratios = [record.limit_ratio for record in answered]
    dtypes = sorted({record.environment.dtype for record in records if record.environment.dtype})
    return {
        "n": len(records),
        "dtype": ", ".join(dtypes) or None,
        "limit_ratio_median": _median(ratios),
        "limit_ratio_p90": _quantile(ratios, 0.9),
        "speed_up_median": _median(record.speed_up for record in answered),
        "forwards_median": _median(record.forwards for record in answered),
        "accepted_per_forward_median": _median(record.accepted_per_forward for record in answered),
        "chars_per_second_median": _median(record.chars_per_second for record in answered),
        "equal_to_vanilla": _count_equal(answered),
    }


def _row(name: str, records: Sequence[Record]) -> list[str]:
    return [name, *(cell(records) for _, cell in _COLUMNS)]


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _median(values: Iterable[float | None]) -> float | None:
    known = _known(values)
    return median(known) if known else None


def _quantile(values: Iterable[float | None], share: float) -> float | None:
    """The least value that this share of the values does not exceed."""
    known = sorted(_known(values))
    return known[math.ceil(share * len(known)) - 1] if known else None


def _count_equal(records: Iterable[Record]) -> int | None:
    compared = [record.equal_to_vanilla for record in records if record.equal_to_vanilla is not None]
    return sum(compared) if compared else None


Cell = Callable[[Sequence[Record]], str]


def _share(holds: Callable[[Record], bool]) -> Cell:
    def cell(records: Sequence[Record]) -> str:
        return f"{100 * sum(map(holds, records)) / len(records):.0f}%" if records else "-"

    return cell


def _typical(value: Callable[[Record], float | None], form: str, of: Callable[[list[float]], float] = median) -> Cell:
    """One figure over the records that were answered and measured."""

    def cell(records: Sequence[Record]) -> str:
        known = _known(value(record) for record in records if record.status != "error")
        return form.format(of(known)) if known else "-"

    return cell


def _percent_equal(record: Record) -> float | None:
    return None if record.equal_to_vanilla is None else 100.0 * record.equal_to_vanilla


_COLUMNS: tuple[tuple[str, Cell], ...] = (
    ("n", lambda records: str(len(records))),
    ("failed", lambda records: str(sum(record.status == "error" for record in records))),
    ("exact", _share(lambda record: record.exact)),
    ("equal but for whitespace", _share(lambda record: record.equal_but_whitespace)),
    ("merge exact", _share(lambda record: record.merge_exact)),
    ("equal to vanilla", _typical(_percent_equal, "{:.0f}%", mean)),
    ("speed-up, median", _typical(lambda record: record.speed_up, "{:.1f}x")),
    ("limit ratio, median", _typical(lambda record: record.limit_ratio, "{:.2f}")),
    ("forwards, median", _typical(lambda record: record.forwards, "{:.0f}")),
    ("forwards, mean", _typical(lambda record: record.forwards, "{:.1f}", mean)),
    ("accepted per forward, median", _typical(lambda record: record.accepted_per_forward, "{:.0f}")),
    ("characters/s, median", _typical(lambda record: record.chars_per_second, "{:,.0f}")),
)
