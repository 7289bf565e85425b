"""In: records of redraft and of peers on the same edits. Out: a table of all, and the picture for the README.

    python benchmarks/peers/race.py --of MODEL OUT/redraft.jsonl OUT/peers.jsonl [--of ...] [--plot PNG] [--processor]

Each `--of` is a table and a part of the picture. `--processor`: by seconds of processors, for a machine that does other
work, too.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from peer_records import PeerRecord, on_processor, read_peers

from redraft.errors import RedraftError
from redraft.measure.report import drawing
from redraft.measure.report.columns import NONE, answered
from redraft.measure.report.drawing import save_figure
from redraft.measure.report.groups import BY_SIZE
from redraft.measure.report.table import grid
from redraft.measure.speed.record import Record, read_records
from redraft.measure.speed.record import on_processor as by_processor

_NAMES = {
    "transformers": "transformers",
    "llamacpp": "llama.cpp",
    "llamacpp-q8": "llama.cpp in Q8_0",
    "openvino": "OpenVINO GenAI",
    "vllm": "vLLM",
}


@dataclass(frozen=True)
class Runner:
    """One way to write the files: by the id of the edit, seconds, and characters and tokens a second.

    `equal` is how many outputs are redraft's, `own` how many are those of the same program token by token, both None
    where there is nothing to compare with. `failure` is why some edits are missing.
    """

    name: str
    seconds: dict[str, float]
    speeds: dict[str, float]
    tokens: dict[str, float]
    equal: int | None = None
    own: int | None = None
    failure: str = ""


@dataclass(frozen=True)
class Race:
    """The records of one model: redraft's and those of its peers."""

    name: str
    records: Sequence[Record]
    peers: Sequence[PeerRecord]


def runners(records: Sequence[Record], peers: Sequence[PeerRecord]) -> list[Runner]:
    """redraft, redraft without drafts, and every way of every peer, on the edits that redraft has a record of."""
    known = {record.id: record for record in answered(records) if record.vanilla_seconds is not None}
    drafts = {name: record.seconds for name, record in known.items()}
    vanilla = {name: record.vanilla_seconds or 0.0 for name, record in known.items()}
    sizes = {name: record.chars_per_second * record.seconds for name, record in known.items()}
    tokens = {name: float(record.completion_tokens) for name, record in known.items()}
    same = sum(bool(record.equal_to_vanilla) for record in known.values())
    found = [
        Runner("redraft", drafts, _speeds(sizes, drafts), _speeds(tokens, drafts), own=same),
        Runner("redraft without drafts", vanilla, _speeds(sizes, vanilla), _speeds(tokens, vanilla)),
    ]
    reported = [peer for peer in peers if not peer.is_tuning and peer.id in known]
    for name, way in dict.fromkeys((peer.peer, peer.way) for peer in reported):
        found.append(_runner(name, way, [peer for peer in reported if (peer.peer, peer.way) == (name, way)]))
    return found


def _speeds(sizes: dict[str, float], seconds: dict[str, float]) -> dict[str, float]:
    return {name: sizes[name] / took for name, took in seconds.items()}


def _runner(name: str, way: str, ran: Sequence[PeerRecord]) -> Runner:
    done = answered(ran)
    own = [peer.equal_to_plain for peer in done if peer.equal_to_plain is not None]
    return Runner(
        f"{_NAMES.get(name, name)}, {way}",
        {peer.id: peer.seconds for peer in done},
        {peer.id: peer.speed for peer in done},
        {peer.id: peer.tokens / peer.seconds for peer in done},
        sum(bool(peer.equal_to_redraft) for peer in done),
        sum(own) if own else None,
        next((peer.error for peer in ran if peer.error), ""),
    )


def table(records: Sequence[Record], peers: Sequence[PeerRecord]) -> str:
    """For each size class a row a runner: medians over the edits that it has in common with redraft."""
    header = ("lines", "system", "edits", "characters/s, median", "tokens/s, median", "seconds, median")
    more = ("redraft is faster, median", "equal to its own greedy output", "equal to redraft's output", "failure")
    groups = BY_SIZE.groups(answered(records)) | {"all": answered(records)}
    rows = (row for size, found in groups.items() for row in _rows(size, found, peers))
    return "\n".join(grid((*header, *more), rows, names=2))


def _rows(size: str, records: Sequence[Record], peers: Sequence[PeerRecord]) -> Iterator[Sequence[str]]:
    ours, *others = runners(records, peers)
    for each in (ours, *others):
        count = len(each.seconds)
        ratios = [took / ours.seconds[name] for name, took in each.seconds.items()]
        yield (
            size,
            each.name,
            str(count),
            f"{median(each.speeds.values()):,.0f}" if count else NONE,
            f"{median(each.tokens.values()):,.0f}" if count else NONE,
            f"{median(each.seconds.values()):.2f}" if count else NONE,
            f"{median(ratios):.1f}x" if ratios and each is not ours else NONE,
            _of(each.own, count),
            _of(each.equal, count),
            each.failure,
        )


def _of(equal: int | None, count: int) -> str:
    return NONE if equal is None or not count else f"{equal} of {count}"


def draw(races: Sequence[Race], out: Path) -> None:
    """Tokens a second of every runner, the fastest first, as bars. Raises RedraftError where there is nothing."""
    bars = [_speeds_of(race) for race in races]
    if not all(bars):
        raise RedraftError("there is no record with a run token by token to draw")
    heights = [0.9 + 0.34 * len(each) for each in bars]
    figure = drawing.new(sum(heights))
    parts = figure.subplots(len(races), squeeze=False, height_ratios=heights)[:, 0]
    for axes, race, speeds in zip(parts, races, bars, strict=True):
        _draw_bars(axes, speeds)
        axes.set_title(race.name, loc="left", fontsize=10)
    parts[-1].set_xlabel(f"tokens a second, median (of how many edits)\n{_setting(races[0].records)}")
    save_figure(figure, out, drawing.DPI)


def _speeds_of(race: Race) -> dict[str, tuple[float, int]]:
    """Of each runner, the fastest first: tokens a second in the median, and of how many edits."""
    found = [each for each in runners(race.records, race.peers) if each.tokens]
    speeds = {each.name: (median(each.tokens.values()), len(each.tokens)) for each in found}
    return dict(sorted(speeds.items(), key=lambda item: -item[1][0]))


def _draw_bars(axes: Any, speeds: dict[str, tuple[float, int]]) -> None:
    colours = [drawing.COLOURS[1] if name == "redraft" else "#b8c4cc" for name in speeds]
    axes.barh([*speeds], [speed for speed, _ in speeds.values()], color=colours, height=0.7)
    axes.invert_yaxis()
    for row, (speed, count) in enumerate(speeds.values()):
        axes.annotate(f" {speed:,.0f} ({count})", (speed, row), va="center", fontsize=9)
    axes.margins(x=0.15)
    drawing.plain(axes)
    axes.tick_params(axis="y", length=0)


def _setting(records: Sequence[Record]) -> str:
    with_what = records[0].environment
    threads = f"{with_what.threads} thread{'s' if with_what.threads != 1 else ''} of " if with_what.threads else ""
    return f"{with_what.dtype or 'no model'}, {threads}{with_what.hardware}"


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--of", nargs=3, action="append", required=True, metavar=("MODEL", "RECORDS", "PEERS"))
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--processor", action="store_true")
    given = parser.parse_args()
    races = [Race(name, read_records(Path(ours)), read_peers(Path(theirs))) for name, ours, theirs in given.of]
    if given.processor:
        races = [
            Race(race.name, [*map(by_processor, race.records)], [*map(on_processor, race.peers)]) for race in races
        ]
    for race in races:
        print(f"{race.name}\n\n{table(race.records, race.peers)}\n")
    if given.plot:
        draw(races, given.plot)


if __name__ == "__main__":
    main()
