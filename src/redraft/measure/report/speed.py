"""In: records. Out: tables by size, language and style in Markdown, and the summary that ends a `bench run`."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from statistics import mean, median

from redraft.measure.report.columns import EDITS, Column, answered, counted, known, percentile_90, typical
from redraft.measure.report.groups import BY_LANGUAGE, BY_SIZE, BY_STYLE, Grouping
from redraft.measure.report.table import grid
from redraft.measure.speed.phases import Phases
from redraft.measure.speed.record import Record

Summary = dict[str, int | float | str | None]


def table(records: Sequence[Record]) -> str:
    """A row for each size class that has records, and one for all."""
    return _table("lines", _COLUMNS, BY_SIZE.groups(records) | {"all": records})


def by_language(records: Sequence[Record]) -> str:
    return _grouped(records, BY_LANGUAGE)


def by_style(records: Sequence[Record]) -> str:
    return _grouped(records, BY_STYLE)


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


def phases(records: Sequence[Record]) -> str:
    """A row for each size class: where the time of the answers went, in percent of it."""
    timed = [record for record in answered(records) if record.phases is not None]
    return _table("lines", _PHASES, BY_SIZE.groups(timed) | {"all": timed})


def accepted(records: Sequence[Record]) -> str:
    """The histogram of drafted ids that were accepted in a forward, the prompt's included."""
    counts = Counter(bin_of(taken) for record in answered(records) for _, taken in record.steps)
    total = max(1, counts.total())
    rows = ([name, f"{counts[name]:,}", f"{100 * counts[name] / total:.1f}%"] for name in BINS if counts[name])
    return "\n".join(grid(("accepted in a forward", "forwards", "share"), rows))


def bin_of(taken: int) -> str:
    """The class of a number of accepted ids: 0, 1, 2-3, 4-7 and so on."""
    return BINS[min(taken.bit_length(), len(BINS) - 1)]


BINS = ("0", "1", *(f"{1 << power}-{(2 << power) - 1}" for power in range(1, 10)), "1024 and more")


def _spent(name: str) -> Column:
    def percent(record: Record) -> float | None:
        return None if record.phases is None else 100 * getattr(record.phases, name) / record.seconds

    return f"{name}, mean", typical(percent, "{:.1f}%", mean)


def _drafting(record: Record) -> float | None:
    if record.phases is None or not record.completion_tokens:
        return None
    return 1e6 * record.phases.draft / record.completion_tokens


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
    ("characters/s, median", typical(lambda record: record.chars_per_second, "{:,.0f}")),
    ("tokens/s, median", typical(lambda record: record.completion_tokens / record.seconds, "{:,.0f}")),
    ("limit ratio, median", typical(lambda record: record.limit_ratio, "{:.2f}")),
    ("limit ratio, 90th percentile", typical(lambda record: record.limit_ratio, "{:.2f}", percentile_90)),
    ("speed-up, median", typical(lambda record: record.speed_up, "{:.1f}x")),
    ("speed-up, least", typical(lambda record: record.speed_up, "{:.2f}x", min)),
    ("forwards, median", typical(lambda record: record.forwards, "{:.0f}")),
    ("forwards, mean", typical(lambda record: record.forwards, "{:.1f}", mean)),
    ("accepted per forward, median", typical(lambda record: record.accepted_per_forward, "{:.0f}")),
    ("peak memory, MiB, median", typical(lambda record: record.peak_memory, "{:,.0f}")),
)
_PHASES: tuple[Column, ...] = (
    EDITS,
    *(_spent(field.name) for field in fields(Phases)),
    ("drafting, microseconds a token, median", typical(_drafting, "{:.1f}")),
)
