"""In: an engine. Out: what the server adds to the time of the same edits by `redraft batch`, in alternate pairs.

    python benchmarks/serve_overhead.py ENGINE ROUNDS [COUNT] [READERS]

Both run in this process, each with an engine of its own, on COUNT edits of the set natural; `batch` is its function for
one line, the server is asked by a client on loopback. Each round takes every edit both ways, one after the other. The
last line is a JSON object: the seconds of each way, and the server's time by that of batch, by the clock and by the
processor, which others on the machine do not disturb.
"""

import json
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Any

import httpx2

from redraft import apply
from redraft.apply import load
from redraft.cli.batch import _record
from redraft.engines import GREEDY, Warming
from redraft.measure.sets.named import NATURAL, read_set
from redraft.serve.app import create_app
from redraft.serve.run import Server
from redraft.serve.settings import Settings


@dataclass(frozen=True)
class Spent:
    """Seconds by the clock, and of the processor for all of this process: both the server's and its client's."""

    wall: float = 0.0
    processor: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.wall + other.wall, self.processor + other.processor)


def timed(work: Callable[[], Any]) -> tuple[Spent, Any]:
    wall, processor = time.perf_counter(), time.process_time()
    done = work()
    return Spent(time.perf_counter() - wall, time.process_time() - processor), done


def main(engine: str, rounds: str, count: str = "40", readers: str = "auto") -> None:
    requests = [case.request for case in read_set(NATURAL).cases[: int(count)]]
    kept = ("original", "update", "instruction", "path")
    fields = [{key: getattr(request, key) for key in kept} for request in requests]
    editor = load(engine, readers=readers)  # type: ignore[arg-type]
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = Server(create_app(Settings(engine, readers)))  # type: ignore[arg-type]
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    spent: list[tuple[Spent, Spent]] = []
    with httpx2.Client(base_url=url, timeout=600) as client:

        def forgotten() -> None:
            """What one way has read, or the server kept of earlier prompts, is nothing that the next may use."""
            apply._weighed.cache_clear()
            if server.service.model is not None and isinstance(server.service.engine, Warming):
                server.service.engine.keep_prefixes()

        def batch(at: int) -> tuple[Spent, Any]:
            return timed(lambda: _record((at, json.dumps(fields[at])), editor, GREEDY, readers))  # type: ignore[arg-type]

        def asked(at: int) -> tuple[Spent, Any]:
            return timed(lambda: client.post("/v1/apply", json=fields[at]).json())

        differ = 0
        for number in range(int(rounds) + 1):
            ours = theirs = Spent()
            for at in range(len(fields)):
                ways = [batch, asked] if (at + number) % 2 else [asked, batch]
                found = {}
                for way in ways:
                    forgotten()
                    found[way] = way(at)
                theirs, ours = theirs + found[batch][0], ours + found[asked][0]
                differ += found[batch][1]["output"] != found[asked][1]["output"]
            if number:  # the first round warms both up
                spent.append((theirs, ours))
    server.should_exit = True
    thread.join()
    batch_seconds, server_seconds = (sum(each, Spent()) for each in zip(*spent, strict=True))
    told = {
        "edits": len(fields),
        "rounds": len(spent),
        "batch": round(batch_seconds.wall, 2),
        "server": round(server_seconds.wall, 2),
        "by_clock": round(server_seconds.wall / batch_seconds.wall, 4),
        "by_processor": round(server_seconds.processor / batch_seconds.processor, 4),
        "rounds_by_processor": [round(ours.processor / theirs.processor, 4) for theirs, ours in spent],
        "different": differ,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
