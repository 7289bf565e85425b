"""In: a real run of an edit. Out: its recording, a JSON line: the ids of prompt, sources and output, and its record."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.draft import Origin
from redraft.engines.torch import TorchEngine
from redraft.errors import RedraftError
from redraft.measure.rows import read_rows
from redraft.measure.speed.bench import Measured
from redraft.measure.speed.record import Record, record_of


@dataclass(frozen=True)
class Recording:
    """What a model was asked and wrote; the ids spell the texts, so it is no more public than these are."""

    record: Record
    prompt: Sequence[int]
    sources: Sequence[tuple[Origin, Sequence[int]]]
    output: Sequence[int]


def recording(measured: Measured, engine: object) -> Recording:
    """Raises RedraftError for an engine whose ids do not last."""
    if not isinstance(engine, TorchEngine):
        raise RedraftError("only runs of a model in this process can be recorded")
    prompt = measured.answer.prompt
    sources = [(source.origin, engine.tokens.encode(source.parts)) for source in prompt.sources]
    return Recording(measured.record, engine.open(prompt)[0], sources, measured.answer.ids)


def read_recordings(source: Path) -> list[Recording]:
    """Raises RedraftError that names a line which is none, and where there is none."""
    found = read_rows(source, _recording, "a recording of `bench run`")
    if not found:
        raise RedraftError(f"{source} holds no recordings")
    return found


def _recording(record: dict[str, Any], **row: Any) -> Recording:
    return Recording(record_of(**record), **row)
