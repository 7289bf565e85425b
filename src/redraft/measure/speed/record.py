"""In: what was measured on one case. Out: its record, one JSON line, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from redraft.edit.guard.check import Status
from redraft.measure.rows import read_rows
from redraft.measure.speed.phases import Phases


@dataclass(frozen=True)
class Environment:
    """With what a record was measured; the model's own fields are None for an engine that runs none here.

    `cases` is how many the run was of. `max_tokens` bounds the output, None where only the model ends it. `window` is
    how many lines around the edit the model read and wrote, 0 for the whole file, None by its length.
    """

    engine: str
    dtype: str | None
    device: str | None
    threads: int | None
    hardware: str
    commit: str
    command: str
    versions: dict[str, str]
    cases: int | None = None
    max_tokens: int | None = None
    window: int | None = None


@dataclass(frozen=True)
class Difference:
    """The first token that differs with and without drafts, and how sure the model was of it each time.

    A margin is None where that output had already ended.
    """

    position: int
    margin: float | None
    vanilla_margin: float | None


@dataclass(frozen=True)
class Record:
    """One case, measured; a case that failed has the status "error" and its message.

    `seconds` is the time with drafts, `limit_seconds` that of one run over prompt and output. `order` is what ran
    first, `steps` are the ids that each forward drafted and accepted, `peak_memory` is in MiB, `load` how many
    processes wanted a processor in the minute before. `replayed` says whose outcome a model with
    random weights was given. What was not measured is None.
    """

    id: str
    language: str
    style: str
    lines: int
    bucket: str
    status: Status
    message: str
    exact: bool
    equal_but_whitespace: bool
    merge_exact: bool
    prompt_tokens: int
    completion_tokens: int
    drafted: int
    accepted: int
    forwards: int
    seconds: float
    chars_per_second: float
    environment: Environment
    accepted_per_forward: float | None = None
    vanilla_seconds: float | None = None
    speed_up: float | None = None
    equal_to_vanilla: bool | None = None
    difference: Difference | None = None
    limit_seconds: float | None = None
    limit_ratio: float | None = None
    order: Sequence[str] = ()
    steps: Sequence[tuple[int, int]] = ()
    phases: Phases | None = None
    peak_memory: float | None = None
    load: float | None = None
    replayed: str = ""
    processor_seconds: float | None = None
    vanilla_processor_seconds: float | None = None
    limit_processor_seconds: float | None = None


def on_processor(record: Record) -> Record:
    """The record by the seconds that a processor worked, which other work on the machine hardly changes.

    With several threads these are the sum over all of them. Phases, which only a clock tells, are left out.
    """
    seconds, vanilla, limit = (
        record.processor_seconds,
        record.vanilla_processor_seconds,
        record.limit_processor_seconds,
    )
    if seconds is None:
        return record
    return replace(
        record,
        seconds=seconds,
        chars_per_second=record.chars_per_second * record.seconds / seconds,
        vanilla_seconds=vanilla,
        speed_up=None if vanilla is None else vanilla / seconds,
        limit_seconds=limit,
        limit_ratio=None if limit is None else seconds / limit,
        phases=None,
    )


def read_records(source: Path) -> list[Record]:
    """Raises RedraftError that names a line which is no record."""
    return read_rows(source, record_of, "a record of `bench run`")


def record_of(
    environment: dict[str, Any],
    difference: dict[str, Any] | None = None,
    phases: dict[str, Any] | None = None,
    steps: Sequence[Sequence[int]] = (),
    order: Sequence[str] = (),
    **row: Any,
) -> Record:
    """The record that the fields of its JSON line say."""
    return Record(
        **row,
        environment=Environment(**environment),
        difference=None if difference is None else Difference(**difference),
        phases=None if phases is None else Phases(**phases),
        steps=tuple((drafted, accepted) for drafted, accepted in steps),
        order=tuple(order),
    )
