"""In: recordings of `bench run`, and a configuration. Out: records of a model of that shape with random weights."""

import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.lines import write_lines
from redraft.edit import jsonl
from redraft.measure.speed.environment import describe
from redraft.measure.speed.peers import PeerRecord
from redraft.measure.speed.record import Record, read_records

if TYPE_CHECKING:
    from redraft.measure.speed.recording import Recording
    from redraft.measure.speed.replay import Replay


def replay(
    recordings: Annotated[
        Path, typer.Argument(metavar="RECORDINGS.jsonl", help="From `bench run --recordings`, or benchmarks/shapes.")
    ],
    config: Annotated[
        Path, typer.Option("--config", metavar="FILE", help="A Hugging Face configuration, or the folder of one.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="RECORDS.jsonl", help="A record a line; what it holds is not run again.")
    ],
    dtype: Annotated[
        str | None, typer.Option(metavar="float32|bfloat16|float8", help="Without it, what is fastest here.")
    ] = None,
    device: Annotated[str | None, typer.Option(metavar="NAME", help="As in torch; without it, the best.")] = None,
    peers: Annotated[
        Path | None, typer.Option(metavar="PEERS.jsonl", help="Have transformers' generate write the same, too.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first recordings.")] = None,
) -> int:
    """Verify recorded edits with a model of any shape and random weights.

    Every forward is computed. Which drafted ids are accepted is taken from the recording, since random weights would
    accept nothing: each record says so.
    """
    from redraft.engines.torch import device_of, fastest_dtype
    from redraft.measure.report.speed import table
    from redraft.measure.speed.random_model import random_model
    from redraft.measure.speed.recording import read_recordings
    from redraft.measure.speed.replay import Replay, Replaying, check_ids

    found, place = read_recordings(recordings)[:limit], device_of(device)
    known = {record.id for record in read_records(out)} if out.exists() else set()
    numeric = dtype or fastest_dtype(place)
    model = random_model(str(config), numeric, place)
    check_ids(model, found)
    command = shlex.join(["redraft", *sys.argv[1:]])
    shape = Replaying(model, numeric, place, found[0])
    environment = describe(f"replay:{config}", shape, command, cases=len(found))
    pending = [(number, one) for number, one in enumerate(found) if one.record.id not in known]
    records = _run(pending, Replay(model, numeric, place, environment), model, peers)
    write_lines(out, map(asdict, records), "recordings", len(pending), append=True)
    print(table(read_records(out)))
    return 0


def _run(pending: "list[tuple[int, Recording]]", replay: "Replay", model: Any, peers: Path | None) -> Iterator[Record]:
    for number, one in pending:
        record = replay.run(number, one)
        if peers is not None:
            jsonl.append(peers, (asdict(each) for each in _stock(record, one, model)))
        yield record


def _stock(record: Record, one: "Recording", model: Any) -> Iterator[PeerRecord]:
    from redraft.measure.speed.stock_replay import WAYS, seconds

    environment = record.environment
    for place, way in enumerate(WAYS):
        yield PeerRecord(
            id=record.id,
            peer="transformers",
            way=way,
            lines=record.lines,
            bucket=record.bucket,
            seconds=seconds(model, one, way),
            tokens=len(one.output),
            characters=record.chars_per_second * record.seconds,
            equal_to_plain=None,
            equal_to_redraft=True,
            differs_at=None,
            place=place,
            is_tuning=False,
            threads=environment.threads or 0,
            hardware=environment.hardware,
            commit=environment.commit,
            command=environment.command,
            versions=environment.versions,
            load=os.getloadavg()[0],
        )
