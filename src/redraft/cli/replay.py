"""In: recordings of `bench run`, and a configuration. Out: records of a model of that shape with random weights."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.lines import write_lines
from redraft.measure.speed.environment import describe
from redraft.measure.speed.peers import PeerRecord, read_peers
from redraft.measure.speed.record import Record, read_records

if TYPE_CHECKING:
    from redraft.measure.speed.recording import Recording


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
    from redraft.measure.speed.random_model import random_engine_model, random_model, read_config
    from redraft.measure.speed.recording import read_recordings
    from redraft.measure.speed.replay import Replay, Replaying, check_ids

    found, place = read_recordings(recordings)[:limit], device_of(device)
    numeric = dtype or fastest_dtype(place)
    check_ids(read_config(str(config)).get_text_config().vocab_size, found)
    model = random_engine_model(str(config), numeric, place)
    command = shlex.join(["redraft", *sys.argv[1:]])
    environment = describe(f"replay:{config}", Replaying(model, numeric, place, found[0]), command, cases=len(found))
    replaying = Replay(model, numeric, place, environment)
    known = {record.id for record in read_records(out)} if out.exists() else set()
    pending = [(number, one) for number, one in enumerate(found) if one.record.id not in known]
    records = (asdict(replaying.run(number, one)) for number, one in pending)
    write_lines(out, records, "recordings", len(pending), append=True)
    print(table(read_records(out)))
    if peers is not None:
        del model, replaying, records  # a large model is there once
        _beside(peers, found, read_records(out), lambda: random_model(str(config), numeric, place))
    return 0


def _beside(peers: Path, recordings: "Sequence[Recording]", records: Sequence[Record], make: Callable[[], Any]) -> None:
    """Has transformers write what was recorded; what `peers` holds is not run again."""
    from redraft.measure.speed.stock_replay import WAYS, seconds

    known = {(each.id, each.way) for each in read_peers(peers)} if peers.exists() else set()
    by_id = {one.record.id: one for one in recordings}
    ways = [(place, way, record) for record in records for place, way in enumerate(WAYS) if record.id in by_id]
    pending = [each for each in ways if (each[2].id, each[1]) not in known]
    if not pending:
        return
    model = make()
    found = (
        asdict(_stock(record, len(by_id[record.id].output), place, way, seconds(model, by_id[record.id], way)))
        for place, way, record in pending
    )
    write_lines(peers, found, "runs of transformers", len(pending), append=True)


def _stock(record: Record, tokens: int, place: int, way: str, seconds: float) -> PeerRecord:
    environment = record.environment
    return PeerRecord(
        id=record.id,
        peer="transformers",
        way=way,
        lines=record.lines,
        bucket=record.bucket,
        seconds=seconds,
        tokens=tokens,
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
