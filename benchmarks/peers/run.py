"""In: cases, and peers in environments of their own. Out: records of redraft, and of each peer on the same prompts.

    python benchmarks/peers/run.py CASES.jsonl OUT --peers PEERS.toml [--threads 2] [--tune 6] [--limit 100]

Every case is run by redraft (with drafts, token by token, and for the limit) and by all peers, one after the other,
in an order that turns from case to case; only one works at a time. The first cases, `--tune` of them, choose the ways
of the peers and are left out of what is reported. OUT gets `redraft.jsonl`, as `redraft bench run` writes it, and
`peers.jsonl`; what they hold is not run again. PEERS.toml says for each peer its Python, script, model and ways; see
peers.toml beside this file. `race.py` makes the table.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from peer_records import PLAIN, PeerRecord, best_ways, read_peers

from redraft.edit import jsonl
from redraft.engines import Sampling
from redraft.engines.torch import TorchEngine
from redraft.measure.asked import Asked
from redraft.measure.cases import Case, read_cases
from redraft.measure.speed.bench import Bench, Measured
from redraft.measure.speed.environment import describe
from redraft.measure.speed.record import read_records
from redraft.models.sized import merged_of

_OURS = "redraft"
Way = tuple[str, str]


class Peer:
    """A process that runs some ways of a peer; one that does not start, or ends, makes errors of its jobs."""

    def __init__(self, said: Mapping[str, Any], folder: Path, ways: Sequence[str], threads: int) -> None:
        command = [said["python"], folder / said["script"], said["model"], threads]
        self._process: subprocess.Popen[str] | None = None
        self.versions: dict[str, str] = {}
        self.failure = ""
        try:
            self._process = subprocess.Popen(
                [*map(str, command), ",".join(ways)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {"OMP_NUM_THREADS": str(threads)},
            )
            self.versions = self._read()["versions"]
        except (OSError, ValueError) as error:
            self.failure = f"it is not installed, or does not start: {error}"

    def run(self, way: str, ids: Sequence[int], end: int, most: int) -> dict[str, Any]:
        if self.failure or self._process is None or self._process.stdin is None:
            return {"error": self.failure}
        try:
            self._process.stdin.write(json.dumps({"way": way, "ids": list(ids), "end": end, "most": most}) + "\n")
            self._process.stdin.flush()
            return self._read()
        except (OSError, ValueError) as error:
            self.failure = f"it ended: {error}"
            return {"error": self.failure}

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _read(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        return dict(json.loads(self._process.stdout.readline()))


@dataclass(frozen=True)
class Options:
    """`said` is what PEERS.toml says by peer, in whose folder the scripts are; `tuning` cases choose the ways."""

    said: Mapping[str, Mapping[str, Any]]
    folder: Path
    out: Path
    model: str
    threads: int
    tuning: int
    most: int | None
    command: str


class Driver:
    """Runs redraft in this process and the peers in theirs, one at a time."""

    def __init__(self, options: Options, cases: int) -> None:
        torch.set_num_threads(options.threads)
        self._options = options
        self._engine = TorchEngine(options.model, "bfloat16")
        self._environment = describe(
            f"hf:{options.model}", self._engine, options.command, cases=cases, max_tokens=options.most
        )
        self._bench = Bench(self._engine, self._environment, Sampling(max_tokens=options.most))
        self._asked = Asked(self._engine.template)
        self._peers: dict[Way, Peer] = {}
        self._is_cold: set[Way] = set()

    def start(self, ways: Mapping[str, Sequence[str]]) -> None:
        """The processes for these ways, one a way where a peer holds one engine a process."""
        self.close()
        for name, said in self._options.said.items():
            chosen = ways.get(name, ())
            for group in [[way] for way in chosen] if said.get("alone") else [chosen]:
                if group:
                    peer = Peer(said, self._options.folder, group, self._options.threads)
                    self._peers |= {(name, way): peer for way in group}
        self._is_cold = set(self._peers)

    def close(self) -> None:
        for peer in set(self._peers.values()):
            peer.close()
        self._peers = {}

    def run(self, number: int, case: Case, is_tuning: bool) -> None:
        """Writes the records of all peers, then redraft's: a case that has that is done."""
        prompt = self._asked.prompt(case.request)
        ids, sources = list(self._engine.open(prompt)[0]), prompt.sources
        end = min(self._engine.model.end_ids)
        most = 2 * max(len(self._engine.encode("".join(p.text for p in source.parts))) for source in sources) + 64
        most = min(most, self._options.most or most)
        ways: list[Way] = [(_OURS, ""), *self._peers]
        turn = number % len(ways)
        ours: Measured | None = None
        found: dict[Way, dict[str, Any]] = {}
        for way in ways[turn:] + ways[:turn]:
            if way[0] == _OURS:
                ours = self._bench.measure(case, vanilla_first=number % 2 == 1)
                continue
            if way in self._is_cold:
                self._peers[way].run(way[1], ids[::-1], end, 8)  # another prompt: some keep what they read
                self._is_cold.discard(way)
            found[way] = self._peers[way].run(way[1], ids, end, most) | {"place": len(found)}
        assert ours is not None
        rows = [asdict(self._record(case, way, row, ours, found, is_tuning)) for way, row in found.items()]
        jsonl.append(self._options.out / "peers.jsonl", rows)
        if not is_tuning:
            jsonl.append(self._options.out / "redraft.jsonl", [asdict(ours.record)])

    def _record(
        self, case: Case, way: Way, row: Mapping[str, Any], ours: Measured, found: Mapping[Way, Any], is_tuning: bool
    ) -> PeerRecord:
        ids, own = row.get("ids", []), list(ours.answer.ids)
        plain = found.get((way[0], PLAIN), {}).get("ids")
        at = next((n for n, (one, other) in enumerate(zip(ids, own, strict=False)) if one != other), None)
        if at is None and len(ids) != len(own):
            at = min(len(ids), len(own))
        return PeerRecord(
            id=case.id,
            peer=way[0],
            way=way[1],
            lines=ours.record.lines,
            bucket=ours.record.bucket,
            seconds=row.get("seconds", 0.0),
            tokens=len(ids),
            characters=len(ours.answer.result.output or "") * len(ids) / max(1, len(own)),
            equal_to_plain=None if way[1] == PLAIN or plain is None else ids == plain,
            equal_to_redraft=ids == own,
            differs_at=at,
            place=row["place"],
            is_tuning=is_tuning,
            threads=self._options.threads,
            hardware=self._environment.hardware,
            commit=self._environment.commit,
            command=self._options.command,
            versions=self._peers[way].versions,
            load=os.getloadavg()[0],
            error=row.get("error", ""),
            processor_seconds=row.get("processor_seconds"),
        )


def main() -> None:
    options, cases = _options()
    records, peers = options.out / "redraft.jsonl", options.out / "peers.jsonl"
    options.out.mkdir(parents=True, exist_ok=True)
    done = {record.id for record in read_records(records)} if records.exists() else set()
    known = read_peers(peers) if peers.exists() else []
    tuned = {record.id for record in known if record.is_tuning}
    driver = Driver(options, len(cases) - options.tuning)
    try:
        every = {name: said["ways"] for name, said in options.said.items()}
        waiting = [(number, case) for number, case in enumerate(cases[: options.tuning]) if case.id not in tuned]
        if waiting:
            driver.start(every)
            for number, case in waiting:
                driver.run(number, case, is_tuning=True)
        driver.start(best_ways(read_peers(peers)) if options.tuning else every)
        for number, case in enumerate(cases[options.tuning :]):
            if case.id not in done:
                driver.run(number, case, is_tuning=False)
                print(f"{number + 1} of {len(cases) - options.tuning}: {case.id}", file=sys.stderr)
    finally:
        driver.close()


def _options() -> tuple[Options, list[Case]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--peers", type=Path, default=Path(__file__).with_name("peers.toml"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tune", type=int, default=6)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--max-tokens", type=int, help="stop every output here; the records say so")
    parser.add_argument("--model", metavar="FOLDER", help="without it, the embedded model")
    given = parser.parse_args()
    said = tomllib.loads(given.peers.read_text(encoding="utf-8"))
    cases = read_cases(given.cases)[: None if given.limit is None else given.tune + given.limit]
    command = shlex.join(["python", "benchmarks/peers/run.py", *sys.argv[1:]])
    folder, model = given.peers.parent, given.model or str(merged_of().path)
    return Options(said, folder, given.out, model, given.threads, given.tune, given.max_tokens, command), cases


if __name__ == "__main__":
    main()
