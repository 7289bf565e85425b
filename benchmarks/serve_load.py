"""In: an engine. Out: how a server holds out under many clients at once: whether each gets its own answer, and when.

    python benchmarks/serve_load.py ENGINE CLIENTS SECONDS [COUNT [SERVER OPTION...]]

First each of COUNT edits of the set natural is asked alone, twice over; then all clients ask for edits in turn, each
for the next one as soon as it has an answer, while four more ask and leave. The last line is a JSON object: `wrong`
answers that are not the solo ones, `lost` requests without an answer, `late` ones over the time limit, seconds at the
median and the 95th percentile, `slowest` the mean of the slowest client by the median of all clients' means, `served`
the fewest and the most answers of a client, `memory` of the server in MB at the start, at most and at the end, and
`idle_seconds` from when the last client left until the engine had nothing to do.
"""

import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

import httpx2

from redraft.measure.sets.named import NATURAL, read_set

_LEAVERS, _PATIENCE = 4, 0.15  # clients that leave, seconds after which they do
_KEPT = ("status", "output", "confidence", "decided_by")


@dataclass
class Tally:
    """What the clients saw."""

    seconds: dict[int, list[float]] = field(default_factory=dict)
    wrong: int = 0
    lost: int = 0
    late: int = 0
    sent_away: int = 0
    left: int = 0
    memory: list[int] = field(default_factory=list)


def answer(said: httpx2.Response) -> dict[str, Any]:
    record = said.json()
    return {key: record[key] for key in _KEPT}


@dataclass(frozen=True)
class Crowd:
    """Clients of one server, who ask until a point in time."""

    http: httpx2.AsyncClient
    edits: Sequence[dict[str, Any]]
    solo: Sequence[dict[str, Any]]
    tally: Tally
    until: float

    async def client(self, number: int) -> None:
        order, tally = random.Random(number), self.tally
        while time.monotonic() < self.until:
            at, started = order.randrange(len(self.edits)), time.monotonic()
            try:
                said = await self.http.post("/v1/apply", json=self.edits[at] | {"user": f"client {number}"})
            except httpx2.HTTPError:
                tally.lost += 1
                continue
            if said.status_code == 429:
                tally.sent_away += 1
                await asyncio.sleep(float(said.headers["Retry-After"]))
                continue
            tally.seconds.setdefault(number, []).append(time.monotonic() - started)
            tally.late += said.status_code == 504
            tally.wrong += said.status_code == 200 and answer(said) != self.solo[at]
            tally.lost += said.status_code not in (200, 504)

    async def leaver(self, number: int) -> None:
        order = random.Random(-number)
        while time.monotonic() < self.until:
            body = order.choice(self.edits) | {"user": f"leaver {number}", "stream": order.random() < 0.5}
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await self.http.post("/v1/apply", json=body)
            self.tally.left += 1


async def watch(process: int, tally: Tally, until: float) -> None:
    while time.monotonic() < until:
        tally.memory.append(memory(process))
        await asyncio.sleep(2)


def memory(process: int) -> int:
    """Resident megabytes."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) // 1024


async def idle(http: httpx2.AsyncClient, edit: dict) -> float:
    """Seconds until the engine takes up something new."""
    started = time.monotonic()
    await http.post("/v1/warm", json={"original": edit["original"][:100]})
    return time.monotonic() - started


async def load(url: str, process: int, clients: int, seconds: float, count: int) -> dict[str, Any]:
    requests = [case.request for case in read_set(NATURAL).cases[:count]]
    kept = ("original", "update", "instruction", "path")
    edits = [{key: getattr(request, key) for key in kept} for request in requests]
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=600, limits=limits) as http:
        solo = [answer(await http.post("/v1/apply", json=edit)) for edit in edits]
        alone = time.monotonic()
        again = [answer(await http.post("/v1/apply", json=edit)) for edit in edits]
        alone = (time.monotonic() - alone) / len(edits)
        tally, until = Tally(), time.monotonic() + seconds
        crowd = Crowd(http, edits, solo, tally, until)
        asked = [crowd.client(number) for number in range(clients)]
        leaving = [crowd.leaver(number) for number in range(1, _LEAVERS + 1)]
        await asyncio.gather(watch(process, tally, until), *asked, *leaving)
        waited = await idle(http, edits[0])
        figures = (await http.get("/metrics")).text
    means = [mean(each) for each in tally.seconds.values()]
    times = sorted(second for each in tally.seconds.values() for second in each)
    return {
        "clients": clients,
        "edits": len(edits),
        "by_model": sum(each["decided_by"] != "merge" for each in solo),
        "same_twice": solo == again,
        "answers": len(times),
        "wrong": tally.wrong,
        "lost": tally.lost,
        "late": tally.late,
        "sent_away": tally.sent_away,
        "left": tally.left,
        "solo_seconds": round(alone, 3),
        "p50": round(median(times), 3),
        "p95": round(quantiles(times, n=20)[-1], 3),
        "slowest": round(max(means) / median(means), 2),
        "served": [min(map(len, tally.seconds.values())), max(map(len, tally.seconds.values())), len(tally.seconds)],
        "memory": [tally.memory[0], max(tally.memory), tally.memory[-1]],
        "idle_seconds": round(waited, 3),
        "gone": float(re.search(r"^redraft_abandoned_total (\S+)", figures, re.MULTILINE)[1]),  # type: ignore[index]
    }


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, int]]:
    """The address and process id of a server in a process of its own; what it logs is dropped."""
    command = [sys.executable, "-m", "redraft", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        url = json.loads(server.stderr.readline())["url"]
        drained = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
        try:
            yield url, server.pid
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
            drained.wait()


def main(engine: str, clients: str, seconds: str, count: str = "40", *options: str) -> None:
    with serving("--engine", engine, *options) as (url, process):
        print(json.dumps(asyncio.run(load(url, process, int(clients), float(seconds), int(count)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
