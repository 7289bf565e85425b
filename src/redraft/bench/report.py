"""In: records. Out: tables by size, language, style and trait in Markdown, and the summary that ends a `bench run`."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import mean, median

from redraft.bench import traits
from redraft.bench.record import Record
from redraft.data import sizes

Summary = dict[str, int | float | str | None]


def table(records: Sequence[Record]) -> str:
    """A row for each size class that has records, and one for all."""
    of_sizes = {name: [record for record in records if record.bucket == name] for name in sizes.NAMES}
    return _table("lines", _COLUMNS, {name: found for name, found in of_sizes.items() if found} | {"all": records})


def by_language(records: Sequence[Record]) -> str:
    return _table("language", _ACCURACY, _groups(records, lambda record: record.language))


def by_style(records: Sequence[Record]) -> str:
    return _table("style", _ACCURACY, _groups(records, lambda record: record.style))


def by_trait(records: Sequence[Record], found: Mapping[str, Sequence[str]]) -> str:
    """A row for each trait and one for records that have none; `found` are the traits by the id of the case."""
    rows = {name: [record for record in records if name in found[record.id]] for name in traits.NAMES}
    rows["none of these"] = [record for record in records if not found[record.id]]
    return _table("trait", _ACCURACY, rows)


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


def _groups(records: Sequence[Record], key: Callable[[Record], str]) -> dict[str, list[Record]]:
    """The records by what they say, "" being unknown."""
    names = sorted({key(record) or "unknown" for record in records})
    return {name: [record for record in records if (key(record) or "unknown") == name] for name in names}


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
Column = tuple[str, Cell]


def _table(what: str, columns: Sequence[Column], rows: Mapping[str, Sequence[Record]]) -> str:
    lines = [[what, *(name for name, _ in columns)], ["---", *("---:" for _ in columns)]]
    lines += [[name, *(cell(records) for _, cell in columns)] for name, records in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


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


_COUNT: Column = ("n", lambda records: str(len(records)))
_SHARES: tuple[Column, ...] = (
    ("exact", _share(lambda record: record.exact)),
    ("equal but for whitespace", _share(lambda record: record.equal_but_whitespace)),
    ("merge exact", _share(lambda record: record.merge_exact)),
)
_ACCURACY = (_COUNT, *_SHARES)
_COLUMNS: tuple[Column, ...] = (
    _COUNT,
    ("failed", lambda records: str(sum(record.status == "error" for record in records))),
    *_SHARES,
    ("equal to vanilla", _typical(_percent_equal, "{:.0f}%", mean)),
    ("speed-up, median", _typical(lambda record: record.speed_up, "{:.1f}x")),
    ("limit ratio, median", _typical(lambda record: record.limit_ratio, "{:.2f}")),
    ("forwards, median", _typical(lambda record: record.forwards, "{:.0f}")),
    ("forwards, mean", _typical(lambda record: record.forwards, "{:.1f}", mean)),
    ("accepted per forward, median", _typical(lambda record: record.accepted_per_forward, "{:.0f}")),
    ("characters/s, median", _typical(lambda record: record.chars_per_second, "{:,.0f}")),
)
