"""In: what another program generated for the prompt of a case. Out: its record beside redraft's own, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from redraft.measure.rows import read_rows

PLAIN = "plain"


@dataclass(frozen=True)
class PeerRecord:
    """One case, by one way of one peer, on the ids of redraft's prompt; `seconds` are from these to the last id.

    `characters` is the size of redraft's file; where the ids differ from redraft's, it is taken in proportion to
    them. `equal_to_plain` compares with the same peer token by token, None for that itself. `place` is its turn among
    all that ran this case. `is_tuning` marks cases that only served to choose the ways. A failure is a record with its
    `error`.
    """

    id: str
    peer: str
    way: str
    lines: int
    bucket: str
    seconds: float
    tokens: int
    characters: float
    equal_to_plain: bool | None
    equal_to_redraft: bool | None
    differs_at: int | None
    place: int
    is_tuning: bool
    threads: int
    hardware: str
    commit: str
    command: str
    versions: dict[str, str]
    load: float
    error: str = ""
    processor_seconds: float | None = None

    @property
    def status(self) -> str:
        return "error" if self.error else "applied"

    @property
    def speed(self) -> float:
        """Characters a second."""
        return self.characters / self.seconds


def read_peers(source: Path) -> list[PeerRecord]:
    """Raises RedraftError that names a line which is no record."""
    return read_rows(source, PeerRecord, "a record of a peer")


def on_processor(record: PeerRecord) -> PeerRecord:
    """The record by the seconds that processors worked."""
    return record if record.processor_seconds is None else replace(record, seconds=record.processor_seconds)


def best_ways(records: Sequence[PeerRecord]) -> dict[str, list[str]]:
    """By peer: the way of each kind, such as `lookup`, that was fastest in tuning; the first one where all failed."""
    found: dict[str, list[str]] = {}
    for peer in dict.fromkeys(record.peer for record in records):
        tuning = [record for record in records if record.peer == peer and record.is_tuning]
        tried = [record for record in tuning if not record.error] or tuning[:1]
        kinds: dict[str, dict[str, float]] = {}
        for way in dict.fromkeys(record.way for record in tried):
            seconds = median(on_processor(record).seconds for record in tried if record.way == way)
            kinds.setdefault(way.partition("-")[0], {})[way] = seconds
        found[peer] = [min(ways, key=lambda way: ways[way]) for ways in kinds.values()]
    return found
