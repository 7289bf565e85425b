"""In: records. Out: tables by size, language, style and trait in Markdown, and the summary that ends a `bench run`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean, median

from redraft.measure.report.columns import EDITS, Column, answered, counted, known, percentile_90, typical
from redraft.measure.report.groups import BY_LANGUAGE, BY_SIZE, BY_STYLE, Grouping
from redraft.measure.report.table import grid
from redraft.measure.speed import traits
from redraft.measure.speed.record import Record

Summary = dict[str, int | float | str | None]


def table(records: Sequence[Record]) -> str:
    """A row for each size class that has records, and one for all."""
    return _table("lines", _COLUMNS, BY_SIZE.groups(records) | {"all": records})


def by_language(records: Sequence[Record]) -> str:
    return _grouped(records, BY_LANGUAGE)


def by_style(records: Sequence[Record]) -> str:
    return _grouped(records, BY_STYLE)


def by_trait(records: Sequence[Record], found: Mapping[str, Sequence[str]]) -> str:
    """A row for each trait and one for records that have none; `found` are the traits by the id of the case."""
    rows = {name: [record for record in records if name in found[record.id]] for name in traits.NAMES}
    rows["none of these"] = [record for record in records if not found[record.id]]
    return _table("trait", _ACCURACY, rows)


def summary(records: Sequence[Record]) -> Summary:
    """The figures of a run; None for what was not measured, `equal_to_vanilla` counts the records."""
    found = answered(records)
    dtypes = sorted({record.environment.dtype for record in records if record.environment.dtype})
    ratios = [record.limit_ratio for record in found]
    return {
        "n": len(records),
        "dtype": ", ".join(dtypes) or None,
        "limit_ratio_median": _of(ratios),
        "limit_ratio_p90": _of(ratios, percentile_90),
        "speed_up_median": _of(record.speed_up for record in found),
        "forwards_median": _of(record.forwards for record in found),
        "accepted_per_forward_median": _of(record.accepted_per_forward for record in found),
        "chars_per_second_median": _of(record.chars_per_second for record in found),
        "equal_to_vanilla": _of((record.equal_to_vanilla for record in found), sum),
    }


def _of(values: Iterable[float | None], of: Callable[[list[float]], float] = median) -> float | None:
    found = known(values)
    return of(found) if found else None


def _grouped(records: Sequence[Record], grouping: Grouping) -> str:
    return _table(grouping.title, _ACCURACY, grouping.groups(records))


def _table(what: str, columns: Sequence[Column], rows: Mapping[str, Sequence[Record]]) -> str:
    cells = ([name, *(cell(found) for _, cell in columns)] for name, found in rows.items())
    return "\n".join(grid([what, *(name for name, _ in columns)], cells))


def _percent_equal(record: Record) -> float | None:
    return None if record.equal_to_vanilla is None else 100.0 * record.equal_to_vanilla


_SHARES: tuple[Column, ...] = (
    ("exact", lambda records: counted(records, lambda record: record.exact)),
    ("equal but for whitespace", lambda records: counted(records, lambda record: record.equal_but_whitespace)),
    ("merge exact", lambda records: counted(records, lambda record: record.merge_exact)),
)
_ACCURACY = (EDITS, *_SHARES)
_COLUMNS: tuple[Column, ...] = (
    EDITS,
    ("failed", lambda records: str(sum(record.status == "error" for record in records))),
    *_SHARES,
    ("equal to vanilla", typical(_percent_equal, "{:.0f}%", mean)),
    ("speed-up, median", typical(lambda record: record.speed_up, "{:.1f}x")),
    ("limit ratio, median", typical(lambda record: record.limit_ratio, "{:.2f}")),
    ("forwards, median", typical(lambda record: record.forwards, "{:.0f}")),
    ("forwards, mean", typical(lambda record: record.forwards, "{:.1f}", mean)),
    ("accepted per forward, median", typical(lambda record: record.accepted_per_forward, "{:.0f}")),
    ("characters/s, median", typical(lambda record: record.chars_per_second, "{:,.0f}")),
)
